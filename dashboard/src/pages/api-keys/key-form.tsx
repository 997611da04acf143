import { type FormEvent, type ReactNode, useState } from 'react'
import { SCOPES, type Scope } from '../../data/api-keys.ts'
import { networksIn } from '../../data/key-terms.ts'
import { Button } from '../../parts/button.tsx'
import { fieldOf } from '../../parts/code-dialog.tsx'
import { ChoiceField } from '../../parts/choice-field.tsx'
import { TextArea, TextField } from '../../parts/field.tsx'
import { Form, FormActions } from '../../parts/form.tsx'
import { t } from '../../text/text.ts'

/** The terms of a key, as the interface takes them. */
export interface KeyTerms {
  name: string
  scopes: Scope[]
  allowedCidrs: string[]
  expiresAt: string | null
}

const FIELDS = ['name', 'scopes', 'allowedCidrs', 'expiresAt'] as const
type KeyField = (typeof FIELDS)[number]

interface KeyFormProps {
  /** The terms to begin with; absent for a new key. */
  initial?: Readonly<KeyTerms> | undefined
  action: string
  /** The last refusal of the service, if it names a field. */
  refusal: unknown
  onSubmit: (terms: KeyTerms) => void
  /** Further buttons. */
  children?: ReactNode
}

/** The name, scopes, networks and expiry of a key. The one-time code is asked for afterwards. */
export function KeyForm({ initial, action, refusal, onSubmit, children }: KeyFormProps) {
  const [draft, setDraft] = useState(() => draftOf(initial))
  const [isScopeless, setScopeless] = useState(false)
  const { name, scopes, networks, expiry } = draft
  const set = (change: Partial<Draft>) => setDraft({ ...draft, ...change })
  const wrong = (field: KeyField) => (fieldOf(refusal) === field ? textOf(field) : undefined)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setScopeless(scopes.length === 0)
    if (scopes.length > 0) onSubmit(termsOf(draft))
  }
  return (
    <Form onSubmit={submit} error={isScopeless || refusal}>
      <TextField
        label={t('apiKeys.name')}
        hint={t('apiKeys.nameHint')}
        value={name}
        onChange={(event) => set({ name: event.target.value })}
        maxLength={100}
        autoComplete="off"
        error={wrong('name')}
        required
      />
      <ChoiceField
        label={t('apiKeys.scopes')}
        kind="checkbox"
        choices={SCOPES.map((scope) => ({
          value: scope,
          text: t(`scopes.${scope}.name`),
          hint: t(`scopes.${scope}.does`),
        }))}
        chosen={scopes}
        onChange={(chosen) => set({ scopes: chosen })}
        error={isScopeless && scopes.length === 0 ? t('apiKeys.wrong.scopes') : wrong('scopes')}
      />
      <TextArea
        label={t('apiKeys.networks')}
        hint={t('apiKeys.networksHint')}
        value={networks}
        onChange={(event) => set({ networks: event.target.value })}
        spellCheck={false}
        error={wrong('allowedCidrs')}
      />
      <TextField
        label={t('apiKeys.expiry')}
        hint={t('apiKeys.expiryHint')}
        type="datetime-local"
        value={expiry}
        onChange={(event) => set({ expiry: event.target.value })}
        error={wrong('expiresAt')}
      />
      <FormActions>
        {children}
        <Button type="submit" look="primary">
          {action}
        </Button>
      </FormActions>
    </Form>
  )
}

/** The fields as they are typed. */
interface Draft {
  name: string
  scopes: readonly Scope[]
  networks: string
  expiry: string
}

function draftOf(terms: Readonly<KeyTerms> | undefined): Draft {
  return {
    name: terms?.name ?? '',
    scopes: terms?.scopes ?? ['read'],
    networks: (terms?.allowedCidrs ?? []).join('\n'),
    expiry: toLocal(terms?.expiresAt ?? null),
  }
}

function termsOf({ name, scopes, networks, expiry }: Draft): KeyTerms {
  return {
    name: name.trim(),
    scopes: [...scopes],
    allowedCidrs: networksIn(networks),
    expiresAt: expiry === '' ? null : new Date(expiry).toISOString(),
  }
}

/** Whether a refusal names a field of the form. */
export function isAboutKeyField(error: unknown): boolean {
  return FIELDS.some((field) => field === fieldOf(error))
}

function textOf(field: KeyField): string {
  return t(`apiKeys.wrong.${field}`)
}

/** A time in the person's zone as a field of the browser takes it; empty for null. */
function toLocal(iso: string | null): string {
  if (iso === null) return ''
  const time = new Date(iso)
  const shifted = new Date(time.getTime() - time.getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 16)
}

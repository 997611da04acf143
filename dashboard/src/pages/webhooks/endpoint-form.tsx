import type { EventType } from '@sluice/client'
import { isSluiceError } from '@sluice/client'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { EVENT_TYPES, isEventType } from '../../data/event-types.ts'
import { Button } from '../../parts/button.tsx'
import { ChoiceField } from '../../parts/choice-field.tsx'
import { fieldOf } from '../../parts/code-dialog.tsx'
import { CheckField, TextField } from '../../parts/field.tsx'
import { Form, FormActions } from '../../parts/form.tsx'
import { messageOf } from '../../parts/states.tsx'
import { t } from '../../text/text.ts'
import styles from './webhooks.module.css'

/** The settings of an endpoint, as the interface takes them. */
export interface EndpointTerms {
  url: string
  /** Null for all. */
  eventTypes: EventType[] | null
}

interface EndpointFormProps {
  /** The settings to begin with; absent for a new endpoint. */
  initial?: { url: string; eventTypes: readonly string[] | null }
  action: string
  /** The last refusal of the service, if it is about a field. */
  refusal: unknown
  onSubmit: (terms: EndpointTerms) => void
  /** Further buttons. */
  children?: ReactNode
}

/** The URL and the events of an endpoint. The one-time code is asked for afterwards. */
export function EndpointForm({ initial, action, refusal, onSubmit, children }: EndpointFormProps) {
  const [url, setUrl] = useState(initial?.url ?? '')
  const [isAll, setAll] = useState((initial?.eventTypes ?? null) === null)
  const [types, setTypes] = useState(() => (initial?.eventTypes ?? []).filter(isEventType))
  const [isEmpty, setEmpty] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const isNone = !isAll && types.length === 0
    setEmpty(isNone)
    if (!isNone) onSubmit({ url: url.trim(), eventTypes: isAll ? null : types })
  }
  return (
    <Form onSubmit={submit} error={isEmpty || refusal}>
      <TextField
        label={t('webhooks.url')}
        hint={t('webhooks.urlHint')}
        value={url}
        onChange={(event) => setUrl(event.target.value)}
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        maxLength={2048}
        error={isAboutUrl(refusal) ? messageOf(refusal) : undefined}
        required
      />
      <ChoiceField
        label={t('webhooks.filterTitle')}
        kind="radio"
        choices={[
          { value: 'all', text: t('webhooks.filterAll'), hint: t('webhooks.filterAllHint') },
          { value: 'some', text: t('webhooks.filterSome'), hint: t('webhooks.filterSomeHint') },
        ]}
        chosen={[isAll ? 'all' : 'some']}
        onChange={([chosen]) => setAll(chosen === 'all')}
        error={isEmpty && !isAll && types.length === 0 ? t('webhooks.filterNone') : undefined}
      />
      {!isAll && <TypeChoice chosen={types} onChange={setTypes} />}
      <FormActions>
        {children}
        <Button type="submit" look="primary">
          {action}
        </Button>
      </FormActions>
    </Form>
  )
}

function TypeChoice({
  chosen,
  onChange,
}: {
  chosen: readonly EventType[]
  onChange: (types: EventType[]) => void
}) {
  const id = useId()
  const toggle = (type: EventType, isOn: boolean) =>
    onChange(EVENT_TYPES.filter((one) => (one === type ? isOn : chosen.includes(one))))
  return (
    <fieldset className={styles['choices']} aria-labelledby={id}>
      <legend id={id}>{t('webhooks.types')}</legend>
      {EVENT_TYPES.map((type) => (
        <CheckField
          key={type}
          label={t(`eventTypes.${type}.name`)}
          hint={t(`eventTypes.${type}.does`)}
          checked={chosen.includes(type)}
          onChange={(event) => toggle(type, event.target.checked)}
        />
      ))}
    </fieldset>
  )
}

/** Whether a refusal is about the URL, the only field that the service can refuse. */
export function isAboutUrl(error: unknown): boolean {
  return isSluiceError(error, 'INVALID_WEBHOOK_URL') || fieldOf(error) === 'url'
}

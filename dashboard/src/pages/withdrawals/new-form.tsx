import { type NewWithdrawal, SluiceError } from '@sluice/client'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { useTokens } from '../../data/catalogue.ts'
import { client } from '../../data/client.ts'
import { Button } from '../../parts/button.tsx'
import { TextArea, TextField } from '../../parts/field.tsx'
import { Form, FormActions } from '../../parts/form.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Failure } from '../../parts/states.tsx'
import { t } from '../../text/text.ts'
import { type Checked, type Draft, type DraftErrors, errorsOf, toWithdrawal } from './draft.ts'
import { AmountField, ChainField, MemoField, TokenField } from './new-fields.tsx'
import styles from './new-withdrawal.module.css'

interface NewFormProps {
  draft: Draft
  onChange: (draft: Draft) => void
  onChecked: (checked: Checked) => void
}

/** The form of a new withdrawal; the service checks it before the review. */
export function NewForm({ draft, onChange, onChecked }: NewFormProps) {
  const token = useTokens().get(draft.tokenId)
  const [missing, setMissing] = useState<DraftErrors>({})
  const check = useMutation({ mutationFn: checkWithdrawal, onSuccess: onChecked })
  const refused = errorsOf(check.error, token)
  const errors: DraftErrors = { ...refused, ...missing }
  const form = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // The first wrong field, after a refusal of the form or of the service.
    form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [missing, check.error])
  const set = (change: Partial<Draft>) => {
    setMissing({})
    check.reset()
    onChange({ ...draft, ...change })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const result = toWithdrawal(draft, token)
    setMissing('errors' in result ? result.errors : {})
    if ('withdrawal' in result && !check.isPending) check.mutate(result.withdrawal)
  }
  return (
    <div ref={form} className={styles['form']}>
      <Form onSubmit={submit}>
        <ChainField draft={draft} set={set} error={errors.chainId} />
        <TokenField draft={draft} set={set} error={errors.tokenId} />
        <AmountField draft={draft} set={set} error={errors.amount} token={token} />
        <TextField
          label={t('payment.recipient')}
          hint={t('newWithdrawal.hint.recipient')}
          error={errors.recipient}
          value={draft.recipient}
          onChange={(event) => set({ recipient: event.target.value })}
          autoComplete="off"
          spellCheck={false}
        />
        <MemoField draft={draft} set={set} error={errors.memo} />
        <OwnFields draft={draft} set={set} errors={errors} />
        {existingOf(check.error) !== null && <Existing id={existingOf(check.error) ?? ''} />}
        {check.error !== null && refused === null && <Failure error={check.error} />}
        <FormActions>
          <Button type="submit" look="primary" isBusy={check.isPending}>
            {t('newWithdrawal.check')}
          </Button>
        </FormActions>
      </Form>
    </div>
  )
}

/** The fields that only the organization uses. */
function OwnFields({
  draft,
  set,
  errors,
}: {
  draft: Draft
  set: (change: Partial<Draft>) => void
  errors: DraftErrors
}) {
  return (
    <>
      <TextField
        label={t('withdrawals.reference')}
        hint={t('newWithdrawal.hint.reference')}
        error={errors.reference}
        value={draft.reference}
        onChange={(event) => set({ reference: event.target.value })}
        maxLength={128}
        autoComplete="off"
      />
      <TextField
        label={t('withdrawals.user')}
        hint={t('newWithdrawal.hint.user')}
        error={errors.externalUserId}
        value={draft.externalUserId}
        onChange={(event) => set({ externalUserId: event.target.value })}
        maxLength={255}
        autoComplete="off"
      />
      <TextArea
        label={t('withdrawal.note')}
        hint={t('newWithdrawal.hint.note')}
        error={errors.internalNote}
        value={draft.internalNote}
        onChange={(event) => set({ internalNote: event.target.value })}
        maxLength={500}
      />
    </>
  )
}

function Existing({ id }: { id: string }) {
  return (
    <Notice tone="warning" title={t('newWithdrawal.exists')}>
      <Link href={`/withdrawals/${id}`}>{t('newWithdrawal.showExisting')}</Link>
    </Notice>
  )
}

/** Estimates a withdrawal and looks for one with its reference. Refuses as the creation would. */
async function checkWithdrawal(withdrawal: NewWithdrawal): Promise<Checked> {
  const { reference, ...payment } = withdrawal
  const [estimate, { items }] = await Promise.all([
    client.withdrawals.estimate(payment),
    client.withdrawals.list({ reference, limit: 1 }),
  ])
  const [existing] = items
  if (existing !== undefined) throw duplicate(existing.id)
  return { withdrawal: { ...withdrawal, amount: estimate.amount }, estimate }
}

function duplicate(existingWithdrawalId: string): SluiceError {
  return new SluiceError({
    code: 'DUPLICATE_REFERENCE',
    message: t('newWithdrawal.exists'),
    status: 422,
    details: { existingWithdrawalId },
    requestId: null,
    docUrl: null,
    retryAfterSeconds: null,
  })
}

/** The withdrawal that has the reference already. */
function existingOf(error: unknown): string | null {
  if (!(error instanceof SluiceError) || error.code !== 'DUPLICATE_REFERENCE') return null
  const id = error.details['existingWithdrawalId']
  return typeof id === 'string' ? id : null
}

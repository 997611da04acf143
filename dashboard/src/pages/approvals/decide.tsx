import { isSluiceError, type SingleWithdrawal } from '@sluice/client'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { client } from '../../data/client.ts'
import { useHasPasskey } from '../../data/passkeys.ts'
import { useSession } from '../../data/session.ts'
import { refreshWithdrawals } from '../../data/withdrawals.ts'
import { Button } from '../../parts/button.tsx'
import { CodeField } from '../../parts/code-field.tsx'
import { Form, FormActions } from '../../parts/form.tsx'
import { Card } from '../../parts/page.tsx'
import { Failure } from '../../parts/states.tsx'
import { say } from '../../parts/toast.tsx'
import { t } from '../../text/text.ts'
import { ByPasskey } from './by-passkey.tsx'
import { isOvertaken } from './overtaken.ts'
import { Reject } from './reject.tsx'
import styles from './review.module.css'

/** The decision, last on the page: passkey or code, and buttons that say what they approve. */
export function Decide({ withdrawal, payment }: { withdrawal: SingleWithdrawal; payment: string }) {
  const { session } = useSession()
  const hasPasskey = useHasPasskey()
  const [code, setCode] = useState('')
  const approve = useMutation({
    mutationFn: () => client.withdrawals.approve(withdrawal.id, code),
    onSuccess: () => say(t('approvals.approved', { payment })),
    onError: (error) => {
      if (isOvertaken(error)) say(t('approvals.overtaken'))
    },
    // A code works once. The page then shows the record as it is now, and who was faster.
    onSettled: () => {
      setCode('')
      return refreshWithdrawals()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!approve.isPending) approve.mutate()
  }
  const { error } = approve
  const isCodeWrong = isSluiceError(error, 'INVALID_TOTP')
  return (
    <Card title={t('approvals.decision.title')}>
      <div className={styles['decide']}>
        {hasPasskey && <ByPasskey withdrawal={withdrawal} payment={payment} />}
        <Form onSubmit={submit}>
          <p>{t('approvals.decision.why')}</p>
          <CodeField
            value={code}
            onChange={setCode}
            username={session?.username ?? ''}
            error={isCodeWrong ? t('code.wrong') : undefined}
          />
          {error !== null && !isCodeWrong && !isOvertaken(error) && <Failure error={error} />}
          <FormActions>
            <Button
              type="submit"
              look={hasPasskey ? 'plain' : 'primary'}
              isBusy={approve.isPending}
            >
              {t('approvals.approve', { payment })}
            </Button>
          </FormActions>
        </Form>
        <div className={styles['reject']}>
          <span>{t('approvals.wrong')}</span>
          <Reject withdrawal={withdrawal} payment={payment} />
        </div>
      </div>
    </Card>
  )
}

import type { SingleWithdrawal } from '@sluice/client'
import { useMutation } from '@tanstack/react-query'
import { approveByPasskey } from '../../data/passkeys.ts'
import { refreshWithdrawals } from '../../data/withdrawals.ts'
import { Button } from '../../parts/button.tsx'
import { Failure } from '../../parts/states.tsx'
import { say } from '../../parts/toast.tsx'
import { t } from '../../text/text.ts'
import { isOvertaken } from './overtaken.ts'
import styles from './review.module.css'

/** Approves with a passkey of the person, instead of a code. */
export function ByPasskey({
  withdrawal,
  payment,
}: {
  withdrawal: SingleWithdrawal
  payment: string
}) {
  const approve = useMutation({
    mutationFn: () => approveByPasskey(withdrawal),
    onSuccess: () => say(t('approvals.approved', { payment })),
    onError: (error) => {
      if (isOvertaken(error)) say(t('approvals.overtaken'))
    },
    onSettled: refreshWithdrawals,
  })
  const { error } = approve
  return (
    <div className={styles['passkey']}>
      <p>{t('approvals.passkey.why')}</p>
      {error !== null && !isOvertaken(error) && <Failure error={error} />}
      <Button look="primary" isBusy={approve.isPending} onClick={() => approve.mutate()}>
        {t('approvals.passkey.approve', { payment })}
      </Button>
      <p>{t('approvals.passkey.orCode')}</p>
    </div>
  )
}

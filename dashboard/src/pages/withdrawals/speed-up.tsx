import { isSluiceError, type SingleWithdrawal } from '@sluice/client'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../data/client.ts'
import { useMay } from '../../data/profile.ts'
import { refreshWithdrawals } from '../../data/withdrawals.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { FormActions } from '../../parts/form.tsx'
import { Failure } from '../../parts/states.tsx'
import { Time } from '../../parts/time.tsx'
import { say } from '../../parts/toast.tsx'
import { t } from '../../text/text.ts'
import styles from './withdrawal.module.css'

/** Asks for a higher fee of a sent transaction; the reason if that is not possible. */
export function SpeedUp({ withdrawal: { id, status, speedUp } }: { withdrawal: SingleWithdrawal }) {
  const [isOpen, setOpen] = useState(false)
  const mayAsk = useMay('createWithdrawals')
  const request = useMutation({
    mutationFn: () => client.withdrawals.speedUp(id),
    onSuccess: () => {
      setOpen(false)
      say(t('withdrawal.speedUp.requested'))
    },
    onSettled: refreshWithdrawals,
  })
  if (status !== 'Processing') return null
  const { possible, reason, requestedAt } = speedUp
  return (
    <div className={styles['speedUp']}>
      <p>
        {requestedAt !== null && (
          <>
            {t('withdrawal.speedUp.since')} <Time iso={requestedAt} />
          </>
        )}
        {requestedAt === null && reason !== null && t(`withdrawal.speedUp.reason.${reason}`)}
        {requestedAt === null && possible && t('withdrawal.speedUp.possible')}
      </p>
      {possible && mayAsk && requestedAt === null && (
        <Button onClick={() => setOpen(true)}>{t('withdrawal.speedUp.action')}</Button>
      )}
      <Dialog
        title={t('withdrawal.speedUp.title')}
        description={t('withdrawal.speedUp.why')}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
      >
        {request.error !== null && <Refused error={request.error} />}
        <FormActions>
          <Button onClick={() => setOpen(false)}>{t('cancel')}</Button>
          <Button look="primary" isBusy={request.isPending} onClick={() => request.mutate()}>
            {t('withdrawal.speedUp.action')}
          </Button>
        </FormActions>
      </Dialog>
    </div>
  )
}

/** A block may have included the transaction in the meantime. */
function Refused({ error }: { error: unknown }) {
  if (!isSluiceError(error, 'WITHDRAWAL_NOT_REPLACEABLE')) return <Failure error={error} />
  return <p role="alert">{t('withdrawal.speedUp.tooLate')}</p>
}

import type { SingleWithdrawal } from '@sluice/client'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { formatAmount } from '../../data/amounts.ts'
import { client } from '../../data/client.ts'
import { useMay } from '../../data/profile.ts'
import { refreshWithdrawals } from '../../data/withdrawals.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { FormActions } from '../../parts/form.tsx'
import { Failure } from '../../parts/states.tsx'
import { say } from '../../parts/toast.tsx'
import { t } from '../../text/text.ts'

/** Cancels a withdrawal that is not signed yet, after a confirmation. */
export function Cancel({ withdrawal }: { withdrawal: SingleWithdrawal }) {
  const { id, status, amount, Token: token } = withdrawal
  const [isOpen, setOpen] = useState(false)
  const mayCancel = useMay('createWithdrawals')
  const cancel = useMutation({
    mutationFn: () => client.withdrawals.cancel(id),
    onSuccess: () => {
      setOpen(false)
      say(t('withdrawal.cancelled'))
    },
    onSettled: refreshWithdrawals,
  })
  const isStoppable = status === 'PendingApproval' || status === 'Pending'
  if (!mayCancel || !isStoppable) return null
  const shown = formatAmount(amount, token)
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t('withdrawal.cancel')}</Button>
      <Dialog
        title={t('withdrawal.cancelTitle', { amount: shown })}
        description={t('withdrawal.cancelWhy')}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
      >
        {cancel.error !== null && <Failure error={cancel.error} />}
        <FormActions>
          <Button onClick={() => setOpen(false)}>{t('withdrawal.keep')}</Button>
          <Button look="danger" isBusy={cancel.isPending} onClick={() => cancel.mutate()}>
            {t('withdrawal.cancelAction', { amount: shown })}
          </Button>
        </FormActions>
      </Dialog>
    </>
  )
}

import type { SingleWithdrawal } from '@sluice/client'
import { useState } from 'react'
import { client } from '../../data/client.ts'
import { refreshWithdrawals } from '../../data/withdrawals.ts'
import { Button } from '../../parts/button.tsx'
import { CodeDialog } from '../../parts/code-dialog.tsx'
import { TextArea } from '../../parts/field.tsx'
import { say } from '../../parts/toast.tsx'
import { t } from '../../text/text.ts'
import { isOvertaken } from './overtaken.ts'

const REASON_MAX = 500

/** Rejects a withdrawal with a reason, which its initiator and the audit log get. */
export function Reject({ withdrawal, payment }: { withdrawal: SingleWithdrawal; payment: string }) {
  const [isOpen, setOpen] = useState(false)
  const [reason, setReason] = useState('')
  const reject = async (totpCode: string) => {
    if (reason.trim() === '') throw new Error(t('approvals.reasonMissing'))
    try {
      await client.withdrawals.reject(withdrawal.id, { totpCode, reason: reason.trim() })
    } catch (error) {
      if (!isOvertaken(error)) throw error
      say(t('approvals.overtaken'))
    }
  }
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t('approvals.reject')}</Button>
      <CodeDialog
        title={t('approvals.rejectTitle', { payment })}
        description={t('approvals.rejectWhy')}
        action={t('approvals.rejectAction', { payment })}
        isDangerous
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        perform={reject}
        onDone={() => void refreshWithdrawals()}
      >
        <TextArea
          label={t('approvals.reason')}
          hint={t('approvals.reasonHint')}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
          maxLength={REASON_MAX}
          required
        />
      </CodeDialog>
    </>
  )
}

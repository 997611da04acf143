import type { Withdrawal } from '@sluice/client'
import { useNames } from '../../data/names.ts'
import { Chip, type Tone } from '../../parts/chip.tsx'
import { t } from '../../text/text.ts'
import { progressOf } from '../approvals/standing.ts'

const TONES: Readonly<Record<Withdrawal['status'], Tone>> = {
  PendingApproval: 'warning',
  Pending: 'info',
  Processing: 'info',
  Completed: 'success',
  Failed: 'danger',
  Cancelled: 'neutral',
}

/** The status of a withdrawal; one that waits for approvals says how many it has. */
export function WithdrawalStatus({ withdrawal }: { withdrawal: Withdrawal }) {
  const { status } = withdrawal
  const progress = progressOf(withdrawal, useNames())
  const isWaiting = status === 'PendingApproval'
  return (
    <Chip tone={TONES[status]} {...(isWaiting && { icon: 'approve' })}>
      {isWaiting
        ? t('withdrawal.approvalsChip', { ...progress })
        : t(`withdrawal.status.${status}`)}
    </Chip>
  )
}

/** `2 of 3`: the approvals so far. */
export function Approvals({ withdrawal }: { withdrawal: Withdrawal }) {
  const { given, needed } = progressOf(withdrawal, useNames())
  return <span>{t('withdrawal.progress', { given, needed })}</span>
}

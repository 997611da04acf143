import { useMay, useProfile } from '../../data/profile.ts'
import { usePendingApprovals } from '../../data/withdrawals.ts'
import { t } from '../../text/text.ts'
import styles from './badge.module.css'
import { standingOf } from './standing.ts'
import { Hidden } from '../../parts/hidden.tsx'

/** How many withdrawals wait for the approval of this person, in the menu. */
export function ApprovalsBadge() {
  const { data: profile } = useProfile()
  const { data: pending = [] } = usePendingApprovals(useMay('approveWithdrawals'))
  const count = pending.filter((one) => standingOf(one, profile) === 'mayApprove').length
  if (count === 0) return null
  return (
    <span className={styles['badge']}>
      {count}
      <Hidden> {t('approvals.badge')}</Hidden>
    </span>
  )
}

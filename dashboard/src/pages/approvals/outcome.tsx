import type { SingleWithdrawal } from '@sluice/client'
import { useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { useProfile } from '../../data/profile.ts'
import { formatAge } from '../../data/times.ts'
import { useNames } from '../../data/names.ts'
import { personOf } from '../../data/person-of.ts'
import { usePendingApprovals } from '../../data/withdrawals.ts'
import type { Tone } from '../../parts/chip.tsx'
import { Notice } from '../../parts/notice.tsx'
import { t } from '../../text/text.ts'
import { WithdrawalStatus } from '../withdrawals/status.tsx'
import styles from './review.module.css'
import { type Decision, lastDecision, progressOf, type Standing, standingOf } from './standing.ts'

/** The reason why this person decides nothing here, such as a faster decision of another. */
export function Outcome({
  withdrawal,
  standing,
}: {
  withdrawal: SingleWithdrawal
  standing: Standing
}) {
  const place = useRef<HTMLDivElement>(null)
  const before = useRef(standing)
  useEffect(() => {
    // The form of the decision had the focus, and is no longer shown.
    if (before.current === 'mayApprove' && standing !== 'mayApprove') place.current?.focus()
    before.current = standing
  }, [standing])
  if (standing === 'mayApprove') return null
  return (
    <div ref={place} tabIndex={-1} className={styles['outcome']}>
      {standing === 'over' ? (
        <Over withdrawal={withdrawal} />
      ) : (
        <Waits withdrawal={withdrawal} standing={standing} />
      )}
    </div>
  )
}

function Waits({
  withdrawal,
  standing,
}: {
  withdrawal: SingleWithdrawal
  standing: Exclude<Standing, 'mayApprove' | 'over'>
}) {
  const { given, needed } = progressOf(withdrawal, useNames())
  return (
    <Notice
      tone={standing === 'approved' ? 'success' : 'info'}
      title={t(`approvals.standing.${standing}`)}
    >
      <p>{t('approvals.missing', { count: needed - given })}</p>
      <NextOne after={withdrawal.id} />
    </Notice>
  )
}

function Over({ withdrawal }: { withdrawal: SingleWithdrawal }) {
  const { id, cancellation } = withdrawal
  const { data: profile } = useProfile()
  const names = useNames()
  const decision = lastDecision(withdrawal)
  return (
    <Notice
      tone={decision === null ? 'info' : TONES[decision.kind]}
      title={decision === null ? t('approvals.over') : sentenceOf(decision, profile?.id, names)}
    >
      {cancellation?.reason && <p>{t('approvals.reasonWas', { reason: cancellation.reason })}</p>}
      <p className={styles['now']}>
        {t('approvals.now')} <WithdrawalStatus withdrawal={withdrawal} />
      </p>
      <p className={styles['now']}>
        <Link href={`/withdrawals/${id}`}>{t('approvals.showWithdrawal')}</Link>
        <NextOne after={id} />
      </p>
    </Notice>
  )
}

const TONES: Readonly<Record<Decision['kind'], Tone>> = {
  approved: 'success',
  rejected: 'neutral',
  cancelled: 'neutral',
}

function sentenceOf(
  { kind, userId, name: username, at }: Decision,
  own: string | undefined,
  names: ReadonlyMap<string, string> | undefined,
): string {
  const name = personOf(username, userId, names)
  const age = formatAge(at, Date.now())
  return userId === own
    ? t(`approvals.decision.you.${kind}`, { age })
    : t(`approvals.decision.other.${kind}`, { age, name })
}

/** The next withdrawal that waits for this person. */
function NextOne({ after }: { after: string }) {
  const { data: profile } = useProfile()
  const { data: pending = [] } = usePendingApprovals()
  const own = pending.filter((one) => one.id !== after && standingOf(one, profile) === 'mayApprove')
  const [next] = own
  if (next === undefined) return <Link href="/approvals">{t('approvals.toInbox')}</Link>
  return <Link href={`/approvals/${next.id}`}>{t('approvals.next', { count: own.length })}</Link>
}

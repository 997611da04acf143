import type { SingleWithdrawal } from '@sluice/client'
import { useReview } from '../../data/withdrawals.ts'
import { Facts } from '../../parts/facts.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Card } from '../../parts/page.tsx'
import { messageOf, Skeleton } from '../../parts/states.tsx'
import { t } from '../../text/text.ts'
import { costFacts } from '../withdrawals/cost-facts.tsx'
import { useNative } from '../withdrawals/transactions.tsx'
import { Warnings } from '../withdrawals/warnings.tsx'

/** The warnings, before the decision. */
export function Checks({ withdrawal }: { withdrawal: SingleWithdrawal }) {
  return (
    <Card title={t('warning.title')}>
      <WarningsOf withdrawal={withdrawal} />
    </Card>
  )
}

/** The warnings of a withdrawal, or why they are not known. */
export function WarningsOf({ withdrawal }: { withdrawal: SingleWithdrawal }) {
  const { data, error } = useReview(withdrawal.id)
  if (data !== undefined)
    return <Warnings warnings={data.warnings} recipient={withdrawal.recipient} />
  if (error === null) return <Skeleton lines={2} />
  return (
    <Notice tone="warning" title={t('warning.unknown')}>
      <p>{messageOf(error)}</p>
    </Notice>
  )
}

/** The fee of a withdrawal, and the balance with and without it. */
export function CostFacts({ withdrawal }: { withdrawal: SingleWithdrawal }) {
  const { id, chainId, Token: token } = withdrawal
  const native = useNative(chainId)
  const { data, error } = useReview(id)
  if (data === undefined || native === null) return error === null && <Skeleton lines={2} />
  const { fee, available } = data
  if (fee === null || available === null) return null
  return <Facts facts={costFacts({ fee, available }, { token, native })} />
}

import type { SingleWithdrawal } from '@sluice/client'
import { useParams } from 'wouter'
import { formatAmount } from '../../data/amounts.ts'
import { useChainName } from '../../data/catalogue.ts'
import { useProfile } from '../../data/profile.ts'
import { useWithdrawal } from '../../data/withdrawals.ts'
import { Stale } from '../../parts/list.tsx'
import { Card, Columns, Page } from '../../parts/page.tsx'
import { t } from '../../text/text.ts'
import { Unread } from '../withdrawals/unread.tsx'
import { ApprovalsCard } from '../withdrawals/approvals-card.tsx'
import { PaymentFacts } from '../withdrawals/payment.tsx'
import { RecordFacts } from '../withdrawals/record-facts.tsx'
import { Checks, CostFacts } from './checks.tsx'
import { Decide } from './decide.tsx'
import { HashCard } from './hash-card.tsx'
import { Outcome } from './outcome.tsx'
import { standingOf } from './standing.ts'

const BACK = { href: '/approvals', text: t('approvals.title') }

/** Everything that a person must see before an approval, and the decision at its end. */
export function ApprovalReview() {
  const { id } = useParams<{ id: string }>()
  const { data, error, refetch } = useWithdrawal(id)
  const retry = () => void refetch()
  if (data === undefined) {
    return (
      <Page title={t('approvals.review')} back={BACK}>
        <Unread error={error} onRetry={() => void refetch()} />
      </Page>
    )
  }
  return (
    <>
      {error !== null && <Stale error={error} onRetry={retry} />}
      <Review key={id} withdrawal={data} />
    </>
  )
}

function Review({ withdrawal }: { withdrawal: SingleWithdrawal }) {
  const { amount, chainId, Token: token } = withdrawal
  const { data: profile } = useProfile()
  const chain = useChainName(chainId)
  const standing = standingOf(withdrawal, profile)
  const payment = t('approvals.paymentOn', { amount: formatAmount(amount, token), chain })
  return (
    <Page
      title={t('approvals.reviewOf', { payment })}
      {...(standing === 'mayApprove' && { lead: t('approvals.reviewLead') })}
      back={BACK}
    >
      <Outcome withdrawal={withdrawal} standing={standing} />
      <Card title={t('approvals.paid')}>
        <PaymentFacts payment={withdrawal} token={token} />
      </Card>
      {standing !== 'over' && <Checks withdrawal={withdrawal} />}
      <Columns>
        <Card title={t('approvals.context')}>
          <RecordFacts withdrawal={withdrawal} />
          {standing !== 'over' && <CostFacts withdrawal={withdrawal} />}
        </Card>
        <ApprovalsCard withdrawal={withdrawal} />
      </Columns>
      <HashCard withdrawal={withdrawal} />
      {standing === 'mayApprove' && <Decide withdrawal={withdrawal} payment={payment} />}
    </Page>
  )
}

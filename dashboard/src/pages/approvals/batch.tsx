import type { SingleWithdrawal } from '@sluice/client'
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useSearch } from 'wouter'
import { useProfile } from '../../data/profile.ts'
import { type ApprovedMany, singleWithdrawal } from '../../data/withdrawals.ts'
import { Card, Page } from '../../parts/page.tsx'
import { Empty, Failure, Skeleton } from '../../parts/states.tsx'
import { t } from '../../text/text.ts'
import { BATCH_MAX } from './approvals.tsx'
import { BatchDecision } from './batch-decision.tsx'
import { BatchLine } from './batch-line.tsx'
import { BatchResult } from './batch-result.tsx'
import { BatchSums } from './batch-sums.tsx'
import { idsIn, standingOf } from './standing.ts'

const BACK = { href: '/approvals', text: t('approvals.title') }

/** Several withdrawals with every line in full, approved with one code. */
export function BatchApproval() {
  const ids = idsIn(useSearch()).slice(0, BATCH_MAX)
  const { data: profile } = useProfile()
  const [result, setResult] = useState<ApprovedMany | null>(null)
  const queries = useQueries({ queries: ids.map((id) => singleWithdrawal(id)) })
  const found = queries.flatMap(({ data }) => (data === undefined ? [] : [data]))
  const failed = queries.find(({ error, data }) => error !== null && data === undefined)
  const isLoading = profile === undefined || queries.some(({ isPending }) => isPending)
  const retry = () => queries.forEach((query) => void (query.error && query.refetch()))
  return (
    <Page
      title={t('batch.title', { count: ids.length })}
      lead={t(result === null ? 'batch.lead' : 'batch.leadAfter')}
      back={BACK}
    >
      {ids.length === 0 && <NoLine />}
      {result !== null && <BatchResult result={result} withdrawals={found} />}
      {failed !== undefined && <Failure error={failed.error} onRetry={retry} />}
      {ids.length > 0 && result === null && isLoading && failed === undefined && <Loading />}
      {result === null && !isLoading && found.length > 0 && (
        <Lines
          withdrawals={found}
          ready={found.filter((one) => standingOf(one, profile) === 'mayApprove')}
          onResult={setResult}
        />
      )}
    </Page>
  )
}

function Loading() {
  return (
    <Card>
      <Skeleton />
    </Card>
  )
}

function NoLine() {
  return (
    <Card>
      <Empty
        title={t('batch.empty')}
        action={<Link href="/approvals">{t('approvals.toInbox')}</Link>}
      />
    </Card>
  )
}

function Lines({
  withdrawals,
  ready,
  onResult,
}: {
  withdrawals: readonly SingleWithdrawal[]
  ready: readonly SingleWithdrawal[]
  onResult: (result: ApprovedMany) => void
}) {
  const { data: profile } = useProfile()
  return (
    <>
      {withdrawals.map((withdrawal, index) => (
        <BatchLine
          key={withdrawal.id}
          withdrawal={withdrawal}
          standing={standingOf(withdrawal, profile)}
          title={t('batch.line', { line: index + 1, count: withdrawals.length })}
        />
      ))}
      <BatchSums withdrawals={ready} />
      {ready.length > 0 && <BatchDecision withdrawals={ready} onResult={onResult} />}
    </>
  )
}

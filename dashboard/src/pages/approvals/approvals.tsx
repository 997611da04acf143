import type { Withdrawal } from '@sluice/client'
import { useState } from 'react'
import { Link } from 'wouter'
import { useProfile } from '../../data/profile.ts'
import { usePendingApprovals } from '../../data/withdrawals.ts'
import { Button, LinkButton } from '../../parts/button.tsx'
import { Stale } from '../../parts/list.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { Empty, Failure, Skeleton } from '../../parts/states.tsx'
import { Table } from '../../parts/table.tsx'
import { t } from '../../text/text.ts'
import styles from './approvals.module.css'
import { columnsOf } from './columns.tsx'
import { standingOf } from './standing.ts'

/** Rows that are shown at first, and more at each request. */
const ROWS = 100
/** Withdrawals that one code approves at most. */
export const BATCH_MAX = 100

/** The withdrawals that need approvals, oldest first: of this person, then of others. */
export function Approvals() {
  const query = usePendingApprovals()
  const { data: profile } = useProfile()
  const retry = () => void query.refetch()
  return (
    <Page title={t('approvals.title')} lead={t('approvals.lead')}>
      {query.data === undefined || profile === undefined ? (
        <Card>{query.error ? <Failure error={query.error} onRetry={retry} /> : <Skeleton />}</Card>
      ) : (
        <>
          {query.error !== null && <Stale error={query.error} onRetry={retry} />}
          <Inbox
            own={query.data.filter((one) => standingOf(one, profile) === 'mayApprove')}
            others={query.data.filter((one) => standingOf(one, profile) !== 'mayApprove')}
          />
        </>
      )}
    </Page>
  )
}

function Inbox({ own, others }: { own: readonly Withdrawal[]; others: readonly Withdrawal[] }) {
  if (own.length + others.length === 0) {
    return (
      <Card>
        <Empty
          title={t('approvals.empty')}
          action={<Link href="/withdrawals">{t('approvals.emptyLink')}</Link>}
        >
          {t('approvals.emptyWhy')}
        </Empty>
      </Card>
    )
  }
  return (
    <>
      {own.length === 0 ? <p>{t('approvals.noneForYou')}</p> : <OwnCard withdrawals={own} />}
      {others.length > 0 && (
        <Card title={t('approvals.forOthers', { count: others.length })} isFlush>
          <Rows caption={t('approvals.forOthersCaption')} withdrawals={others} />
        </Card>
      )}
    </>
  )
}

function OwnCard({ withdrawals }: { withdrawals: readonly Withdrawal[] }) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  // Some may have been decided by others since they were chosen.
  const ids = withdrawals.map(({ id }) => id).filter((id) => chosen.has(id))
  const toggle = (id: string) => setChosen((before) => toggled(before, id))
  const all = withdrawals.slice(0, BATCH_MAX).map(({ id }) => id)
  return (
    <Card
      title={t('approvals.forYou', { count: withdrawals.length })}
      isFlush
      actions={
        <span className={styles['actions']}>
          <Button look="quiet" onClick={() => setChosen(new Set(ids.length > 0 ? [] : all))}>
            {ids.length > 0 ? t('approvals.chooseNone') : t('approvals.chooseAll')}
          </Button>
          {ids.length > BATCH_MAX && (
            <span role="status">{t('approvals.tooMany', { count: BATCH_MAX })}</span>
          )}
          {ids.length > 0 && ids.length <= BATCH_MAX && (
            <LinkButton href={`/approvals/batch?ids=${ids.join(',')}`}>
              {t('approvals.reviewChosen', { count: ids.length })}
            </LinkButton>
          )}
        </span>
      }
    >
      <Rows
        caption={t('approvals.forYouCaption')}
        withdrawals={withdrawals}
        choice={{ chosen, toggle }}
      />
    </Card>
  )
}

function toggled(before: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(before)
  if (!next.delete(id)) next.add(id)
  return next
}

function Rows({
  caption,
  withdrawals,
  choice,
}: {
  caption: string
  withdrawals: readonly Withdrawal[]
  choice?: { chosen: ReadonlySet<string>; toggle: (id: string) => void }
}) {
  const [shown, setShown] = useState(ROWS)
  return (
    <>
      <Table
        caption={caption}
        columns={columnsOf(choice)}
        rows={withdrawals.slice(0, shown)}
        keyOf={({ id }) => id}
      />
      {withdrawals.length > shown && (
        <div className={styles['more']}>
          <span>{t('approvals.shown', { shown, count: withdrawals.length })}</span>
          <Button onClick={() => setShown(shown + ROWS)}>{t('approvals.more')}</Button>
        </div>
      )}
    </>
  )
}

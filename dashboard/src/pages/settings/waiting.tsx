import type { Withdrawal } from '@sluice/client'
import { Link } from 'wouter'
import { useTokens } from '../../data/catalogue.ts'
import { useWaitingWithdrawals } from '../../data/organization.ts'
import { Amount } from '../../parts/amount.tsx'
import { Card } from '../../parts/page.tsx'
import { Failure, Skeleton } from '../../parts/states.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'
import { Approvals } from '../withdrawals/status.tsx'
import styles from './settings.module.css'

/** The withdrawals that wait for approvals; they keep the numbers of their creation. */
export function Waiting() {
  const { data, error, refetch } = useWaitingWithdrawals()
  return (
    <Card title={t('settings.waiting')} isFlush>
      <p className={styles['note']}>
        {t('settings.waitingWhy')}{' '}
        <Link href="/withdrawals?status=PendingApproval">{t('settings.allWaiting')}</Link>
      </p>
      {data === undefined && error === null && <Skeleton lines={3} />}
      {data === undefined && error !== null && (
        <Failure error={error} onRetry={() => void refetch()} />
      )}
      {data?.items.length === 0 && <p className={styles['note']}>{t('settings.noneWaiting')}</p>}
      {data !== undefined && data.items.length > 0 && (
        <Table
          caption={t('settings.waiting')}
          columns={COLUMNS}
          rows={data.items}
          keyOf={({ id }) => id}
        />
      )}
    </Card>
  )
}

const COLUMNS: readonly Column<Withdrawal>[] = [
  {
    header: t('settings.reference'),
    cell: ({ id, reference }) => (
      <Link href={`/withdrawals/${id}`}>
        <bdi>{reference}</bdi>
      </Link>
    ),
  },
  {
    header: t('settings.amount'),
    isNumber: true,
    cell: (withdrawal) => <Paid withdrawal={withdrawal} />,
  },
  { header: t('settings.createdAt'), cell: ({ createdAt }) => <Time iso={createdAt} /> },
  {
    header: t('settings.given'),
    isNumber: true,
    cell: (withdrawal) => <Approvals withdrawal={withdrawal} />,
  },
  {
    header: t('settings.ofPeople'),
    isNumber: true,
    cell: ({ requiredHumans }) => requiredHumans,
  },
]

function Paid({ withdrawal: { amount, tokenId } }: { withdrawal: Withdrawal }) {
  const token = useTokens().get(tokenId)
  return token === undefined ? tokenId : <Amount baseUnits={amount} unit={token} />
}

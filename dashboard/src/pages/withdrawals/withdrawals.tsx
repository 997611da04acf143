import type { Withdrawal } from '@sluice/client'
import { Link } from 'wouter'
import { client } from '../../data/client.ts'
import { useFilters } from '../../data/filters.ts'
import { useChainOptions, useTokenOptions } from '../../data/options.ts'
import { useMay } from '../../data/profile.ts'
import { formatAge } from '../../data/times.ts'
import {
  queryOf,
  useWithdrawals,
  WITHDRAWAL_FILTERS,
  type WithdrawalFilter,
} from '../../data/withdrawals.ts'
import { Short } from '../../parts/address.tsx'
import { LinkButton } from '../../parts/button.tsx'
import { ChainName } from '../../parts/chain-name.tsx'
import { ExportButton } from '../../parts/export-button.tsx'
import { FilterBar, type FilterField } from '../../parts/filter-bar.tsx'
import { List } from '../../parts/list.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import type { Column } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'
import { WithdrawalStatus } from './status.tsx'
import { TokenAmount } from './token-amount.tsx'
import styles from './withdrawals.module.css'

const STATUSES = [
  'PendingApproval',
  'Pending',
  'Processing',
  'Completed',
  'Failed',
  'Cancelled',
] as const

const COLUMNS: readonly Column<Withdrawal>[] = [
  {
    header: t('withdrawals.created'),
    cell: ({ id, createdAt }) => (
      <span className={styles['lines']}>
        <Link href={`/withdrawals/${id}`}>
          <Time iso={createdAt} />
        </Link>
        <span className={styles['muted']}>{formatAge(createdAt, Date.now())}</span>
      </span>
    ),
  },
  {
    header: t('withdrawals.status'),
    cell: (withdrawal) => <WithdrawalStatus withdrawal={withdrawal} />,
  },
  {
    header: t('withdrawals.amount'),
    cell: ({ tokenId, amount, chainId }) => (
      <span className={styles['lines']}>
        <TokenAmount tokenId={tokenId} amount={amount} />
        <span className={styles['muted']}>
          <ChainName chainId={chainId} />
        </span>
      </span>
    ),
    isNumber: true,
  },
  {
    header: t('withdrawals.recipient'),
    cell: ({ recipient }) => <Short value={recipient} what={t('withdrawals.recipient')} />,
  },
  {
    header: t('withdrawals.referenceAndUser'),
    cell: ({ reference, externalUserId }) => (
      <span className={styles['lines']}>
        <span>
          <Clipped text={reference} />
        </span>
        <span className={styles['muted']}>
          <Clipped text={externalUserId ?? ''} />
        </span>
      </span>
    ),
  },
]

/** A text of the organization's own, which may be long and of any direction. */
function Clipped({ text }: { text: string }) {
  return (
    <bdi className={styles['clipped']} title={text}>
      {text}
    </bdi>
  )
}

/** Every withdrawal, newest first. */
export function Withdrawals() {
  const filters = useFilters(WITHDRAWAL_FILTERS)
  const query = useWithdrawals(filters.values, filters.cursor)
  const fields = useFields(filters.values)
  const mayCreate = useMay('createWithdrawals')
  const create = mayCreate && (
    <LinkButton href="/withdrawals/new" look="primary">
      {t('withdrawals.new')}
    </LinkButton>
  )
  return (
    <Page title={t('withdrawals.title')} lead={t('withdrawals.lead')} actions={create}>
      <Card isFlush>
        <FilterBar filters={filters} fields={fields}>
          <ExportButton
            fileName="withdrawals"
            start={(format) => client.withdrawals.export(format, queryOf(filters.values))}
          />
        </FilterBar>
        <List
          caption={t('withdrawals.title')}
          query={query}
          filters={filters}
          columns={COLUMNS}
          keyOf={({ id }) => id}
          empty={
            <Empty title={t('withdrawals.empty')} action={create}>
              {t('withdrawals.emptyWhy')}
            </Empty>
          }
        />
      </Card>
    </Page>
  )
}

type Name = (typeof WITHDRAWAL_FILTERS)[number]

function useFields({ chainId, tokenId }: WithdrawalFilter): FilterField<Name>[] {
  const chains = useChainOptions(chainId)
  const tokens = useTokenOptions(chainId, tokenId)
  return [
    { name: 'q', label: t('withdrawals.search'), kind: 'search' },
    {
      name: 'status',
      label: t('withdrawals.status'),
      options: STATUSES.map((status) => [status, t(`withdrawal.status.${status}`)] as const),
      isMultiple: true,
    },
    { name: 'chainId', label: t('withdrawals.chain'), options: chains },
    { name: 'tokenId', label: t('withdrawals.token'), options: tokens },
    { name: 'recipient', label: t('withdrawals.recipient') },
    { name: 'reference', label: t('withdrawals.reference') },
    { name: 'externalUserId', label: t('withdrawals.user') },
    { name: 'from', label: t('withdrawals.from'), kind: 'date' },
    { name: 'to', label: t('withdrawals.to'), kind: 'date' },
  ]
}

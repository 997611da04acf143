import type { Deposit } from '@sluice/client'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import {
  DEPOSIT_FILTERS,
  DEPOSIT_STATUSES,
  type DepositFilters,
  exportDeposits,
  useDeposits,
  useProgress,
} from '../../data/deposits.ts'
import { type Filters, useFilters } from '../../data/filters.ts'
import { useChainOptions, useTokenOptions } from '../../data/options.ts'
import { readPasted, traceHref } from '../../data/pasted.ts'
import type { Progress } from '../../data/progress.ts'
import { AmountOn } from '../../parts/amount-on.tsx'
import { LinkButton } from '../../parts/button.tsx'
import { ExportButton } from '../../parts/export-button.tsx'
import { FilterBar, type FilterField } from '../../parts/filter-bar.tsx'
import { List } from '../../parts/list.tsx'
import { PaidBy } from '../../parts/on-chain.tsx'
import { Empty } from '../../parts/states.tsx'
import type { Column } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { UserLink } from '../../parts/user-link.tsx'
import { t } from '../../text/text.ts'
import { DepositStatus } from './deposit-status.tsx'

type Name = (typeof DEPOSIT_FILTERS)[number]

/** The deposits of the filters in the address; of one end user if `userId` is given. */
export function DepositList({ userId, empty }: { userId?: string; empty: ReactNode }) {
  const filters = useFilters(DEPOSIT_FILTERS)
  const values: DepositFilters = { ...filters.values, ...(userId !== undefined && { userId }) }
  const query = useDeposits(values, filters.cursor)
  const traced = traceHref(readPasted(values.q ?? values.txnHash ?? ''))
  const progress = useProgress(query.data?.items ?? NO_DEPOSITS)
  return (
    <>
      <FilterBar filters={filters} fields={useFields(filters, userId !== undefined)}>
        <ExportButton fileName="deposits" start={exportDeposits(values)} />
      </FilterBar>
      <List
        caption={t('deposits.title')}
        query={query}
        filters={filters}
        columns={columnsOf(progress, userId === undefined)}
        keyOf={({ id }) => id}
        empty={empty}
        noMatch={traced !== null && <TraceInstead href={traced} />}
      />
    </>
  )
}

/** The way on if no deposit has a transaction or address: the chains may know it. */
function TraceInstead({ href }: { href: string }) {
  return (
    <Empty
      title={t('states.noMatch')}
      action={<LinkButton href={href}>{t('trace.instead')}</LinkButton>}
    >
      {t('trace.insteadWhy')}
    </Empty>
  )
}

const NO_DEPOSITS: readonly Deposit[] = []

function useFields({ values }: Filters<Name>, isOfUser: boolean): readonly FilterField<Name>[] {
  const chains = useChainOptions(values.chainId)
  const tokens = useTokenOptions(values.chainId, values.tokenId)
  const fields: readonly FilterField<Name>[] = [
    {
      name: 'q',
      label: t('deposits.filter.q'),
      kind: 'search',
      placeholder: t(isOfUser ? 'deposits.filter.qOfUser' : 'deposits.filter.qExample'),
    },
    {
      name: 'status',
      label: t('record.status'),
      options: DEPOSIT_STATUSES.map((status) => [status, t(`deposits.status.${status}`)]),
    },
    { name: 'chainId', label: t('record.chain'), options: chains },
    { name: 'tokenId', label: t('record.token'), options: tokens },
    { name: 'userId', label: t('record.user'), kind: 'text' },
    { name: 'txnHash', label: t('record.transaction'), kind: 'text' },
    { name: 'from', label: t('record.from'), kind: 'date' },
    { name: 'to', label: t('record.to'), kind: 'date' },
  ]
  return isOfUser ? fields.filter(({ name }) => name !== 'userId') : fields
}

function columnsOf(
  progress: ReadonlyMap<string, Progress>,
  hasUser: boolean,
): readonly Column<Deposit>[] {
  const user: readonly Column<Deposit>[] = [
    {
      header: t('record.user'),
      cell: ({ externalUserId }) => <UserLink userId={externalUserId} />,
    },
  ]
  return [
    {
      header: t('deposits.detected'),
      cell: ({ id, createdAt }) => (
        <Link href={`/deposits/${id}`}>
          <Time iso={createdAt} />
        </Link>
      ),
    },
    {
      header: t('record.status'),
      cell: ({ id, status }) => <DepositStatus status={status} progress={progress.get(id)} />,
    },
    {
      header: t('deposits.amount'),
      isNumber: true,
      cell: ({ amount, Token, chainId }) => (
        <AmountOn baseUnits={amount} unit={Token} chainId={chainId} />
      ),
    },
    ...(hasUser ? user : []),
    { header: t('deposits.transaction'), cell: (deposit) => <PaidBy payment={deposit} /> },
  ]
}

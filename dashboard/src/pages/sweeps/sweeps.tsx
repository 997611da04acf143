import type { Sweep } from '@sluice/client'
import { useFilters } from '../../data/filters.ts'
import { useChainOptions, useTokenOptions } from '../../data/options.ts'
import { exportSweeps, SWEEP_FILTERS, SWEEP_STATUSES, useSweeps } from '../../data/sweeps.ts'
import { AmountOn } from '../../parts/amount-on.tsx'
import { ExportButton } from '../../parts/export-button.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { List } from '../../parts/list.tsx'
import { OnChain } from '../../parts/on-chain.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import type { Column } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'
import { SweepFee, SweepStatus } from './sweep-status.tsx'

/** Transfers from deposit addresses to the settlement addresses. */
export function Sweeps() {
  const filters = useFilters(SWEEP_FILTERS)
  const { values, cursor } = filters
  const query = useSweeps(values, cursor)
  const chains = useChainOptions(values.chainId)
  const tokens = useTokenOptions(values.chainId, values.tokenId)
  return (
    <Page title={t('sweeps.title')} lead={t('sweeps.lead')}>
      <Card isFlush>
        <FilterBar
          filters={filters}
          fields={[
            {
              name: 'status',
              label: t('record.status'),
              options: SWEEP_STATUSES.map((status) => [status, t(`sweeps.status.${status}`)]),
            },
            { name: 'chainId', label: t('record.chain'), options: chains },
            { name: 'tokenId', label: t('record.token'), options: tokens },
            { name: 'from', label: t('record.from'), kind: 'date' },
            { name: 'to', label: t('record.to'), kind: 'date' },
          ]}
        >
          <ExportButton fileName="sweeps" start={exportSweeps(values)} />
        </FilterBar>
        <List
          caption={t('sweeps.title')}
          query={query}
          filters={filters}
          columns={COLUMNS}
          keyOf={({ id }) => id}
          empty={<Empty title={t('sweeps.empty')}>{t('sweeps.emptyWhy')}</Empty>}
        />
      </Card>
    </Page>
  )
}

const COLUMNS: readonly Column<Sweep>[] = [
  { header: t('sweeps.planned'), cell: ({ createdAt }) => <Time iso={createdAt} /> },
  {
    header: t('record.status'),
    cell: (sweep) => <SweepStatus sweep={sweep} />,
  },
  {
    header: t('deposits.amount'),
    isNumber: true,
    cell: ({ amount, Token, chainId }) => (
      <AmountOn baseUnits={amount} unit={Token} chainId={chainId} />
    ),
  },
  {
    header: t('sweeps.fee'),
    isNumber: true,
    cell: (sweep) => <SweepFee sweep={sweep} />,
  },
  {
    header: t('sweeps.address'),
    cell: ({ chainId, address }) => (
      <OnChain chainId={chainId} kind="address" value={address} what={t('sweeps.address')} />
    ),
  },
  {
    header: t('record.transaction'),
    cell: ({ chainId, txnHash }) =>
      txnHash === null ? (
        t('record.none')
      ) : (
        <OnChain chainId={chainId} kind="tx" value={txnHash} what={t('record.transaction')} />
      ),
  },
]

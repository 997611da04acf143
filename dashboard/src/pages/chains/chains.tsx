import { Link } from 'wouter'
import {
  type ChainRow,
  confirmationsOf,
  healthOf,
  HEALTHS,
  isTroubled,
} from '../../data/chain-health.ts'
import { exportChains, useChainRows, useChainsPage } from '../../data/chains.ts'
import { USES } from '../../data/decisions.ts'
import { useFilters } from '../../data/filters.ts'
import { formatAge } from '../../data/times.ts'
import { ExportButton } from '../../parts/export-button.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { List } from '../../parts/list.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { Stack } from '../../parts/stack.tsx'
import { Empty } from '../../parts/states.tsx'
import type { Column } from '../../parts/table.tsx'
import { t } from '../../text/text.ts'
import { blocks, HealthChip, RunningChip, shortSpan } from './chain-chips.tsx'
import styles from './chains.module.css'
import { Trouble } from './trouble.tsx'

/** The chains of the service with their state. */
export function Chains() {
  const filters = useFilters(['q', 'health', 'use'])
  const query = useChainsPage(filters.values, filters.cursor)
  const { data: rows = NO_ROWS } = useChainRows()
  return (
    <Page title={t('chains.title')} lead={t('chains.lead')}>
      {rows.filter(isTroubled).map((row) => (
        <Trouble key={row.chain.id} row={row} isLinked />
      ))}
      <Card isFlush>
        <FilterBar
          filters={filters}
          fields={[
            { name: 'q', label: t('chains.search'), kind: 'search' },
            {
              name: 'health',
              label: t('chains.condition'),
              options: HEALTHS.map((health) => [health, t(`chains.health.${health}`)]),
            },
            {
              name: 'use',
              label: t('use.label'),
              options: USES.map((use) => [use, t(`use.${use}`)]),
            },
          ]}
        >
          <ExportButton fileName="chains" start={() => exportChains(filters.values)} />
        </FilterBar>
        <List
          caption={t('chains.title')}
          query={query}
          filters={filters}
          columns={COLUMNS}
          keyOf={({ chain }) => chain.id}
          empty={<Empty title={t('chains.empty')}>{t('chains.emptyWhy')}</Empty>}
        />
      </Card>
    </Page>
  )
}

const NO_ROWS: readonly ChainRow[] = []

const COLUMNS: readonly Column<ChainRow>[] = [
  { header: t('record.chain'), cell: ({ chain }) => <Name chain={chain} /> },
  { header: t('chains.condition'), cell: (row) => <HealthChip health={healthOf(row)} /> },
  { header: t('chains.runs'), cell: (row) => <RunningChip row={row} /> },
  { header: t('chains.tip'), cell: ({ status }) => <Tip status={status} />, isNumber: true },
  { header: t('chains.lag'), cell: ({ status }) => <Lag status={status} />, isNumber: true },
  { header: t('chains.nodes'), cell: ({ status }) => <Nodes status={status} />, isNumber: true },
  { header: t('chains.lastReorg'), cell: ({ status }) => <LastReorg status={status} /> },
]

function Name({ chain }: Pick<ChainRow, 'chain'>) {
  const count = confirmationsOf(chain)
  const confirmations = count === null ? '' : t('chains.confirmed', { count })
  const network = chain.isTestnet
    ? t(count === null ? 'chain.testnet' : 'chains.testnetWith', { confirmations })
    : confirmations
  return (
    <Stack minor={network}>
      <Link href={`/chains/${chain.id}`} className={styles['name']}>
        {chain.name}
      </Link>
    </Stack>
  )
}

type Part = Pick<ChainRow, 'status'>

function Tip({ status }: Part) {
  if (!status?.tip) return t('record.none')
  const { tip, lag } = status
  const minor = lag === null ? undefined : t('chains.age', { time: shortSpan(lag.seconds) })
  return <Stack minor={minor}>{blocks(tip.height)}</Stack>
}

function Lag({ status }: Part) {
  if (!status?.lag) return t('record.none')
  const { blocks: count, seconds } = status.lag
  if (count === 0) return <span className={styles['number']}>{t('chains.lagNone')}</span>
  return (
    <Stack minor={shortSpan(seconds)}>
      <span className={styles['number']}>{t('chains.blocks', { count })}</span>
    </Stack>
  )
}

function Nodes({ status }: Part) {
  if (!status?.nodes) return t('record.none')
  const { nodes, head } = status
  const minor = head === null ? undefined : t('chains.headAt', { block: blocks(head) })
  return (
    <span className={styles['number']}>
      <Stack minor={minor}>{t('chains.nodesOf', nodes)}</Stack>
    </span>
  )
}

function LastReorg({ status }: Part) {
  if (status === null) return t('record.none')
  if (status.lastReorg === null) return t('chains.noReorg')
  const { depth, at } = status.lastReorg
  return <Stack minor={formatAge(at, Date.now())}>{t('chains.blocks', { count: depth })}</Stack>
}

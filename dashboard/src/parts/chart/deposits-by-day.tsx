import { formatCount } from '../../data/amounts.ts'
import { useChains, useTokens } from '../../data/catalogue.ts'
import { depositColumns, depositedOf, heightOf } from '../../data/day-charts.ts'
import { dayName } from '../../data/months.ts'
import type { DayStats } from '../../data/reports.ts'
import { t } from '../../text/text.ts'
import { Amount } from '../amount.tsx'
import { Table } from '../table.tsx'
import { Figure } from './figure.tsx'
import { StackedBars } from './stacked-bars.tsx'

/** Credited deposits by day, stacked by token; the table also has their amounts. */
export function DepositsByDay({
  title,
  stats,
  days,
}: {
  title: string
  stats: readonly DayStats[]
  days: readonly string[]
}) {
  const nameOf = useTokenNames()
  const { series, columns } = depositColumns(stats, {
    days,
    nameOf,
    others: t('chart.others'),
  })
  const count = columns.reduce((sum, column) => sum + heightOf(column), 0)
  if (count === 0) return <p>{t('chart.deposits.none')}</p>
  const most = columns.reduce((best, one) => (heightOf(one) > heightOf(best) ? one : best))
  const summary = t('chart.deposits.summary', {
    count,
    shown: formatCount(count),
    days: days.length,
    day: dayName(most.label),
    most: formatCount(heightOf(most)),
  })
  return (
    <Figure
      title={title}
      summary={summary}
      note={t('chart.deposits.note')}
      chart={<StackedBars label={summary} series={series} columns={columns} nameOf={dayName} />}
      table={<Deposits stats={stats} nameOf={nameOf} />}
    />
  )
}

/** A function that names tokens with their chains, because different tokens share symbols. */
function useTokenNames(): (tokenId: string) => string {
  const tokens = useTokens()
  const chains = useChains()
  return (tokenId) => {
    const token = tokens.get(tokenId)
    if (token === undefined) return tokenId
    return `${token.symbol} · ${chains.get(token.chainId)?.name ?? token.chainId}`
  }
}

interface Row {
  key: string
  day: string
  name: string
  count: number
  amount: string
  token: DayStats['Token']
}

function Deposits({
  stats,
  nameOf,
}: {
  stats: readonly DayStats[]
  nameOf: (tokenId: string) => string
}) {
  const days = stats
    .filter(({ depositCount }) => depositCount > 0)
    .map(
      ({ day, tokenId, depositCount, deposits, Token: token }): Row => ({
        key: `${day} ${tokenId}`,
        day,
        name: nameOf(tokenId),
        count: depositCount,
        amount: deposits,
        token,
      }),
    )
    .toReversed()
  const totals = depositedOf(stats).map(
    ({ tokenId, ...of }): Row => ({
      ...of,
      key: `total ${tokenId}`,
      day: t('chart.total'),
      name: nameOf(tokenId),
    }),
  )
  return (
    <Table
      caption={t('chart.deposits.caption')}
      rows={[...days, ...totals]}
      keyOf={({ key }) => key}
      columns={[
        { header: t('chart.day'), cell: ({ day }) => day },
        { header: t('chart.deposits.token'), cell: ({ name }) => name },
        { header: t('chart.deposits.count'), cell: ({ count }) => count, isNumber: true },
        {
          header: t('chart.deposits.amount'),
          cell: ({ amount, token }) => <Amount baseUnits={amount} unit={token} />,
          isNumber: true,
        },
      ]}
    />
  )
}

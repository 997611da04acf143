import { useMemo } from 'react'
import { formatAmount } from '../../data/amounts.ts'
import { useChains } from '../../data/catalogue.ts'
import { type BalanceLine as Line, balanceLines } from '../../data/day-charts.ts'
import { useAreBalancesHidden } from '../../data/hidden-balances.ts'
import { useStats } from '../../data/money.ts'
import { dayName, lastDays } from '../../data/months.ts'
import { Amount } from '../../parts/amount.tsx'
import { BalanceLine } from '../../parts/chart/balance-line.tsx'
import { Figure } from '../../parts/chart/figure.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Card } from '../../parts/page.tsx'
import { Table } from '../../parts/table.tsx'
import { t } from '../../text/text.ts'
import styles from './portfolio.module.css'

const DAYS = 30

/** The balance of each token over the last days, each on its scale. */
export function BalanceHistory({ filter }: { filter: { chainId?: string; tokenId?: string } }) {
  const days = useMemo(() => lastDays(DAYS, Date.now()), [])
  const query = useStats({ from: days[0] ?? '', to: days.at(-1) ?? '', ...filter })
  const isHidden = useAreBalancesHidden()
  return (
    <Card title={t('portfolio.history')}>
      {isHidden ? (
        <p>{t('chart.balances.hidden')}</p>
      ) : (
        <Loaded query={query} lines={4}>
          {(stats) => <Lines lines={balanceLines(stats, days)} />}
        </Loaded>
      )}
    </Card>
  )
}

function Lines({ lines }: { lines: readonly Line[] }) {
  const chains = useChains()
  if (lines.length === 0) return <p>{t('chart.balances.none')}</p>
  const nameOf = ({ chainId, token }: Line) =>
    `${token.symbol} · ${chains.get(chainId)?.name ?? chainId}`
  return (
    <Figure
      title={t('portfolio.history')}
      summary={t('chart.balances.summary', { count: lines.length })}
      note={t('chart.utc')}
      chart={
        <div className={styles['lines']}>
          {lines.map((line) => (
            <div key={line.tokenId} className={styles['line']}>
              <div className={styles['lineHead']}>
                <h3>{nameOf(line)}</h3>
                <Amount baseUnits={line.points.at(-1)?.balance ?? '0'} unit={line.token} />
              </div>
              <BalanceLine label={labelOf(line, nameOf(line))} points={line.points} />
            </div>
          ))}
        </div>
      }
      table={<AsTable lines={lines} nameOf={nameOf} />}
    />
  )
}

function labelOf({ token, points }: Line, name: string): string {
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined) return name
  return t('chart.balances.label', {
    token: name,
    first: formatAmount(first.balance, token),
    from: dayName(first.day),
    last: formatAmount(last.balance, token),
    to: dayName(last.day),
  })
}

function AsTable({ lines, nameOf }: { lines: readonly Line[]; nameOf: (line: Line) => string }) {
  const days = (lines[0]?.points ?? []).map(({ day }, at) => ({ day, at })).toReversed()
  return (
    <Table
      caption={t('chart.balances.caption')}
      rows={days}
      keyOf={({ day }) => day}
      columns={[
        { header: t('chart.day'), cell: ({ day }) => day },
        ...lines.map((line) => ({
          header: nameOf(line),
          cell: ({ at }: { at: number }) => (
            <Amount baseUnits={line.points[at]?.balance ?? '0'} unit={line.token} />
          ),
          isNumber: true,
        })),
      ]}
    />
  )
}

import { Link } from 'wouter'
import { useChains } from '../../data/catalogue.ts'
import { client } from '../../data/client.ts'
import { useStats } from '../../data/money.ts'
import { daysBetween } from '../../data/months.ts'
import { daysOf, type DayStats, type ReportFilter, statsQuery } from '../../data/reports.ts'
import { Amount } from '../../parts/amount.tsx'
import { Balance } from '../../parts/balance.tsx'
import { DepositsByDay } from '../../parts/chart/deposits-by-day.tsx'
import { ExportButton } from '../../parts/export-button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Card } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { Table } from '../../parts/table.tsx'
import { t } from '../../text/text.ts'
import styles from './reports.module.css'

/** The days of a month: a chart of the deposits, and a table of all sums. */
export function Days({ report }: { report: ReportFilter }) {
  const days = daysOf(report)
  const query = useStats(days)
  return (
    <>
      <Card title={t('reports.depositsByDay')}>
        <Loaded query={query} lines={5}>
          {(stats) => (
            <DepositsByDay
              title={t('reports.depositsByDay')}
              stats={stats}
              days={daysBetween(days.from, days.to)}
            />
          )}
        </Loaded>
      </Card>
      <Card
        title={t('reports.days')}
        isFlush
        actions={
          <ExportButton
            fileName={`days-${report.month}`}
            text={t('reports.daysCsv')}
            start={(format) => client.reports.exportStats(format, statsQuery(days))}
          />
        }
      >
        <Loaded query={query}>
          {(stats) =>
            stats.length === 0 ? (
              <Empty title={t('reports.noDays')}>{t('reports.noDaysWhy')}</Empty>
            ) : (
              <Sums stats={stats} />
            )
          }
        </Loaded>
      </Card>
    </>
  )
}

function Sums({ stats }: { stats: readonly DayStats[] }) {
  const chains = useChains()
  return (
    <Table
      caption={t('reports.days')}
      rows={stats.toReversed()}
      keyOf={({ day, tokenId }) => `${day} ${tokenId}`}
      columns={[
        {
          header: t('reports.day'),
          cell: ({ day, chainId, tokenId, Token: token }) => (
            <span className={styles['stack']}>
              <Link href={entriesOf(day, tokenId)}>{day}</Link>
              <span className={styles['count']}>
                {token.symbol} · {chains.get(chainId)?.name ?? chainId}
              </span>
            </span>
          ),
        },
        {
          header: t('reports.deposits'),
          cell: (day) => <Counted amount={day.deposits} count={day.depositCount} day={day} />,
          isNumber: true,
        },
        {
          header: t('reports.withdrawals'),
          cell: (day) => <Counted amount={day.withdrawals} count={day.withdrawalCount} day={day} />,
          isNumber: true,
        },
        {
          header: t('reports.fees'),
          cell: ({ fees, Token: token }) => <Amount baseUnits={fees} unit={token} />,
          isNumber: true,
        },
        {
          header: t('reports.closing'),
          cell: ({ closing, Token: token }) => <Balance baseUnits={closing} unit={token} />,
          isNumber: true,
        },
      ]}
    />
  )
}

function Counted({
  amount,
  count,
  day: { Token: token },
}: {
  amount: string
  count: number
  day: DayStats
}) {
  return (
    <span className={styles['stack']}>
      <Amount baseUnits={amount} unit={token} />
      {count > 0 && <span className={styles['count']}>{t('reports.count', { count })}</span>}
    </span>
  )
}

/** The entries of a token on a UTC day. */
function entriesOf(day: string, tokenId: string): string {
  const { from, to } = { from: `${day}T00:00:00.000Z`, to: `${day}T23:59:59.999Z` }
  return `/ledger?tokenId=${encodeURIComponent(tokenId)}&from=${from}&to=${to}`
}

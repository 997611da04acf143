import { formatCount } from '../../data/amounts.ts'
import { useChains } from '../../data/catalogue.ts'
import {
  type Bucket,
  type ConfirmationTime,
  histogramOf,
  quantile,
  timesOf,
} from '../../data/confirmation-times.ts'
import { timesOfMonth } from '../../data/months.ts'
import { DEPOSITS_MAX, useConfirmedDeposits } from '../../data/overview.ts'
import type { ReportFilter } from '../../data/reports.ts'
import { Figure } from '../../parts/chart/figure.tsx'
import { StackedBars } from '../../parts/chart/stacked-bars.tsx'
import { StackedTable } from '../../parts/chart/stacked-table.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Card } from '../../parts/page.tsx'
import { t } from '../../text/text.ts'

const HALF = 0.5
const MOST = 0.95

/** How long the deposits of a month took to be credited, as a histogram. */
export function ConfirmationTimes({ report: { month, ...filter } }: { report: ReportFilter }) {
  const query = useConfirmedDeposits({ ...timesOfMonth(month), ...filter })
  return (
    <Card title={t('reports.confirmationTimes')}>
      <Loaded query={query} lines={5}>
        {({ items, nextCursor }) => (
          <Histogram times={timesOf(items)} isCut={nextCursor !== null} />
        )}
      </Loaded>
    </Card>
  )
}

function Histogram({ times, isCut }: { times: readonly ConfirmationTime[]; isCut: boolean }) {
  const chains = useChains()
  const half = quantile(times, HALF)
  const most = quantile(times, MOST)
  if (half === null || most === null) return <p>{t('chart.confirmations.none')}</p>
  const { series, columns } = histogramOf(times, {
    labelOf: bucketName,
    nameOf: (chainId) => chains.get(chainId)?.name ?? chainId,
    others: t('chart.otherChains'),
  })
  const summary = t('chart.confirmations.summary', {
    count: times.length,
    shown: formatCount(times.length),
    half: durationOf(half),
    most: durationOf(most),
  })
  return (
    <Figure
      title={t('reports.confirmationTimes')}
      summary={summary}
      note={t(isCut ? 'chart.confirmations.noteMany' : 'chart.confirmations.note', {
        max: DEPOSITS_MAX,
      })}
      chart={<StackedBars label={summary} series={series} columns={columns} />}
      table={
        <StackedTable
          caption={t('chart.confirmations.caption')}
          header={t('chart.confirmations.time')}
          series={series}
          columns={columns}
        />
      }
    />
  )
}

function bucketName({ from, to }: Bucket): string {
  return Number.isFinite(to)
    ? t('chart.confirmations.upTo', { to: durationOf(to) })
    : t('chart.confirmations.above', { from: durationOf(from) })
}

/** A time of whole seconds, in the largest unit that has no fraction or at most one digit of it. */
function durationOf(seconds: number): string {
  if (seconds < 60) return t('chart.seconds', { count: seconds })
  if (seconds < 3600) return t('chart.minutes', { count: Math.round(seconds / 6) / 10 })
  return t('chart.hours', { count: Math.round(seconds / 360) / 10 })
}

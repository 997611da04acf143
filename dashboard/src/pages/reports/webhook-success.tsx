import { formatCount } from '../../data/amounts.ts'
import { dayName, daysBetween } from '../../data/months.ts'
import { EVENTS_MAX, useDeliveries } from '../../data/overview.ts'
import {
  DELIVERY_STATES,
  deliveryColumns,
  deliveryCounts,
  type Delivered,
  type DeliveryState,
  successOf,
} from '../../data/webhook-days.ts'
import { statsQuery } from '../../data/reports.ts'
import { Figure } from '../../parts/chart/figure.tsx'
import { StackedBars } from '../../parts/chart/stacked-bars.tsx'
import { StackedTable } from '../../parts/chart/stacked-table.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Card } from '../../parts/page.tsx'
import { t, type TextKey } from '../../text/text.ts'

const NAMES: Readonly<Record<DeliveryState, TextKey>> = {
  delivered: 'chart.webhooks.delivered',
  pending: 'chart.webhooks.waiting',
  failed: 'chart.webhooks.failed',
  none: 'chart.webhooks.noUrl',
}

/** The events of a month by day and state of their delivery. */
export function WebhookSuccess({ month }: { month: { from: string; to: string } }) {
  const days = daysBetween(month.from, month.to)
  return (
    <Card title={t('reports.webhookSuccess')}>
      <Loaded query={useDeliveries(statsQuery(month))} lines={5}>
        {(events) => <Deliveries events={events} days={days} />}
      </Loaded>
    </Card>
  )
}

function Deliveries({ events, days }: { events: readonly Delivered[]; days: readonly string[] }) {
  if (events.length === 0) return <p>{t('chart.webhooks.none')}</p>
  const counts = deliveryCounts(events)
  const percent = successOf(counts)
  const series = DELIVERY_STATES.filter((state) => counts[state] > 0).map((key) => ({
    key,
    name: t(NAMES[key]),
  }))
  const columns = deliveryColumns(events, days)
  const params = {
    count: events.length,
    shown: formatCount(events.length),
    percent: percent ?? '',
    failed: formatCount(counts.failed),
  }
  const summary = t(percent === null ? 'chart.webhooks.pending' : 'chart.webhooks.summary', params)
  const isCut = events.length >= EVENTS_MAX
  return (
    <Figure
      title={t('reports.webhookSuccess')}
      summary={summary}
      note={t(isCut ? 'chart.webhooks.noteMany' : 'chart.webhooks.note', { max: EVENTS_MAX })}
      chart={<StackedBars label={summary} series={series} columns={columns} nameOf={dayName} />}
      table={
        <StackedTable
          caption={t('chart.webhooks.caption')}
          header={t('chart.day')}
          series={series}
          columns={columns.filter(({ values }) => Object.keys(values).length > 0).toReversed()}
        />
      }
    />
  )
}

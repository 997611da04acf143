import type { RecordedEvent } from '@sluice/client'
import type { Column } from './day-charts.ts'

/** The states of deliveries, in the order of the stack. */
export const DELIVERY_STATES = ['delivered', 'pending', 'failed', 'none'] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]

/** The time of an event, and its delivery. */
export type Delivered = Pick<RecordedEvent, 'timestamp' | 'delivery'>

/** Events by UTC day, stacked by the state of their delivery. */
export function deliveryColumns(events: readonly Delivered[], days: readonly string[]): Column[] {
  const columns = new Map(days.map((day): [string, Record<string, number>] => [day, {}]))
  for (const { timestamp, delivery } of events) {
    const values = columns.get(timestamp.slice(0, 10))
    if (values !== undefined) values[delivery.state] = (values[delivery.state] ?? 0) + 1
  }
  return [...columns].map(([label, values]) => ({ label, values }))
}

/** How many events are in each state. */
export function deliveryCounts(events: readonly Delivered[]): Record<DeliveryState, number> {
  const counts = { delivered: 0, pending: 0, failed: 0, none: 0 }
  for (const { delivery } of events) counts[delivery.state] += 1
  return counts
}

/**
 * The share of events that were delivered, of those whose delivery has ended: per cent with one
 * decimal, rounded down so that 100 means all. Null before the first end.
 */
export function successOf({ delivered, failed }: Record<DeliveryState, number>): string | null {
  const ended = delivered + failed
  return ended === 0 ? null : String(Math.floor((delivered * 1000) / ended) / 10)
}

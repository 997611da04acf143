import { expect, test } from 'vitest'
import { deliveryColumns, deliveryCounts, type DeliveryState, successOf } from './webhook-days.ts'

function event(timestamp: string, state: DeliveryState) {
  const delivery = {
    state,
    attemptCount: 1,
    lastStatus: null,
    lastError: '',
    nextAttemptAt: null,
    finishedAt: null,
  }
  return { timestamp, delivery }
}

const EVENTS = [
  event('2026-01-02T23:59:59.999Z', 'delivered'),
  event('2026-01-02T00:00:00.000Z', 'failed'),
  event('2026-01-01T12:00:00.000Z', 'delivered'),
  event('2025-12-31T12:00:00.000Z', 'pending'),
]

test('events are counted by the UTC day and the state of their delivery', () => {
  expect(deliveryColumns(EVENTS, ['2026-01-01', '2026-01-02', '2026-01-03'])).toEqual([
    { label: '2026-01-01', values: { delivered: 1 } },
    { label: '2026-01-02', values: { delivered: 1, failed: 1 } },
    { label: '2026-01-03', values: {} },
  ])
})

test('only ended deliveries count for the success', () => {
  const counts = deliveryCounts(EVENTS)
  expect(counts).toEqual({ delivered: 2, pending: 1, failed: 1, none: 0 })
  expect(successOf(counts)).toBe('66.6')
})

test('the success is 100 only if nothing failed, and unknown without an end', () => {
  const none = { pending: 0, none: 0 }
  expect(successOf({ ...none, delivered: 9_999, failed: 1 })).toBe('99.9')
  expect(successOf({ ...none, delivered: 3, failed: 0 })).toBe('100')
  expect(successOf({ pending: 5, none: 2, delivered: 0, failed: 0 })).toBeNull()
})

import type { WebhookEndpoint } from '@sluice/client'
import { expect, test } from 'vitest'
import { changeOf, conditionOf, hostOf, matching } from './endpoints.ts'

const AT = '2026-01-01T00:00:00.000Z'
const ENDPOINT: WebhookEndpoint = {
  id: '019ab4f0-7777-7000-8000-000000000007',
  isDefault: false,
  url: 'https://shop.example:8443/hooks?kind=1',
  eventTypes: null,
  state: 'active',
  pausedAt: null,
  pendingDeliveries: 0,
  lastSuccessAt: null,
  lastFailureAt: null,
  failingSince: null,
  createdAt: AT,
  updatedAt: AT,
}

test.each([
  [{}, 'active'],
  [{ failingSince: AT }, 'failing'],
  [{ url: '' }, 'unset'],
  [{ state: 'paused', failingSince: AT }, 'paused'],
  [{ state: 'tampered', url: '' }, 'tampered'],
] as const)('an endpoint with %j is %s', (change, condition) => {
  expect(conditionOf({ ...ENDPOINT, ...change })).toBe(condition)
})

test.each([
  [{}, 1],
  [{ q: 'SHOP' }, 1],
  [{ q: '7777' }, 1],
  [{ q: 'bank' }, 0],
  [{ state: 'active' }, 1],
  [{ state: 'failing' }, 0],
])('the filter %j matches %i endpoints', (filter, count) => {
  expect(matching([ENDPOINT], filter)).toHaveLength(count)
})

test('the host of a URL names an endpoint', () => {
  expect(hostOf(ENDPOINT.url)).toBe('shop.example:8443')
  expect(hostOf('')).toBe('No URL yet')
})

const [A, B] = ['https://a.example', 'https://b.example']

test.each([
  [{ url: A, eventTypes: null }, {}],
  [{ url: B, eventTypes: null }, { url: B }],
  [{ url: A, eventTypes: ['gas.low'] }, { eventTypes: ['gas.low'] }],
])('only what differs is changed: %j', (after, change) => {
  expect(changeOf({ ...ENDPOINT, url: A }, after)).toEqual(change)
})

test('the URL of a tampered endpoint is set again', () => {
  const terms = { url: A, eventTypes: null }
  expect(changeOf({ ...ENDPOINT, url: A, state: 'tampered' }, terms)).toEqual({ url: A })
})

test('the order of event types is no change', () => {
  const before = { ...ENDPOINT, url: A, eventTypes: ['gas.low', 'chain.frozen'] }
  expect(changeOf(before, { url: A, eventTypes: ['chain.frozen', 'gas.low'] })).toEqual({})
  expect(changeOf(before, { url: A, eventTypes: null })).toEqual({ eventTypes: null })
})

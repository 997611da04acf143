import type { DeliveryAttempt, RecordedEvent } from '@sluice/client'
import { expect, test } from 'vitest'
import { bytesOf, failedStepOf, prettyOf, resendOf, subjectOf } from './event-facts.ts'

const ID = '019ab4f0-7777-7000-8000-000000000007'

test.each([
  ['deposit.confirmed', {}, 'deposit', `/deposits/${ID}`],
  ['withdrawal.failed', {}, 'withdrawal', `/withdrawals/${ID}`],
  ['account.created', { externalUserId: 'user/7' }, 'account', '/accounts/user%2F7'],
  ['balance.updated', { reason: 'deposit' }, 'deposit', `/deposits/${ID}`],
  ['balance.updated', { reason: 'reversal' }, 'deposit', `/deposits/${ID}`],
  ['balance.updated', { reason: 'withdrawal' }, 'withdrawal', `/withdrawals/${ID}`],
  ['balance.updated', { reason: 'sweep' }, 'sweep', null],
  ['balance.updated', { reason: 'gas' }, 'transaction', null],
  ['gas.low', {}, 'chain', '/chains'],
  ['settings.changed', {}, 'settings', '/settings'],
  ['webhook.test', {}, 'webhook', '/webhooks'],
])('the subject of %s with %j is a %s at %s', (type, payload, kind, href) => {
  const event = { type, payload, subjectId: ID } as RecordedEvent
  expect(subjectOf(event)).toEqual({ kind, href })
})

const SIGNED = { 'x-webhook-signature': 'ab' }
const ATTEMPT: DeliveryAttempt = {
  endpointId: ID,
  number: 1,
  startedAt: '2026-01-01T00:00:00.000Z',
  finishedAt: '2026-01-01T00:00:01.000Z',
  durationMs: 1000,
  request: { method: 'POST', url: 'https://a.example', headers: SIGNED, body: '{}' },
  response: null,
  error: '',
}

test.each([
  [204, '', null],
  [500, 'answered 500', 'status'],
  [302, 'answered 302: redirects are not followed', 'status'],
  [200, 'other side closed', 'response'],
  [null, 'name service: no address', 'nameResolution'],
  [null, 'connect: ECONNREFUSED', 'connection'],
  [null, 'TLS: CERT_HAS_EXPIRED', 'tls'],
  [null, 'The webhook URL must lead to a public address', 'check'],
  [null, 'no answer within 30 s', 'response'],
])('an attempt with status %s and error %j failed in step %s', (status, error, step) => {
  const response = status === null ? null : { status, headers: {}, body: '' }
  expect(failedStepOf({ ...ATTEMPT, response, error })).toBe(step)
})

test('an attempt that was not signed failed in the check', () => {
  const request = { ...ATTEMPT.request, headers: {} }
  expect(failedStepOf({ ...ATTEMPT, request, error: 'no secret' })).toBe('check')
})

test('a resend takes the conditions of the list, and needs one besides the endpoint', () => {
  expect(resendOf({ delivery: 'failed', endpointId: ID })).toEqual({
    delivery: 'failed',
    endpointId: ID,
  })
  expect(resendOf({ endpointId: ID })).toEqual({ after: 0, endpointId: ID })
  expect(resendOf({})).toEqual({ after: 0 })
  expect(resendOf({ to: '2026-01-01T00:00:00.000Z' })).toEqual({ to: '2026-01-01T00:00:00.000Z' })
})

test('bytes are counted in UTF-8', () => {
  expect(bytesOf('aé€😀')).toBe(10)
})

test('JSON is indented, and other text is left as it is', () => {
  expect(prettyOf('{"a":["1"]}')).toBe('{\n  "a": [\n    "1"\n  ]\n}')
  expect(prettyOf('<html>')).toBe('<html>')
})

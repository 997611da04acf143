import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  type ScriptedServer,
  type Step,
  patientClient,
  refusal,
  startScript,
} from '../test/scripted-server.ts'
import { createClient } from './client.ts'
import { SluiceAnswerError, SluiceError, SluiceNetworkError, isSluiceError } from './errors.ts'
import type { RequestReport } from './transport.ts'

let service: ScriptedServer

beforeEach(async () => {
  service = await startScript()
})
afterEach(() => service.close())

const fine: Step = { status: 200, body: { id: 'org', payments: [] } }
const busy = refusal(503, 'SERVICE_UNAVAILABLE', {}, { 'retry-after': '3' })
const withdrawal = { chainId: 'c', tokenId: 't', amount: '5', recipient: 'r', reference: 'x' }
const caught = (error: unknown) => error

describe('a refusal', () => {
  test('is a SluiceError with code, status, details, request id and page', async () => {
    const details = { available: '1', required: '5' }
    service.will(refusal(422, 'INSUFFICIENT_BALANCE', details))
    const { client } = patientClient(`${service.baseUrl}/at`)
    const error = await client.withdrawals.create(withdrawal).catch(caught)
    expect(error).toBeInstanceOf(SluiceError)
    expect(error).toMatchObject({
      name: 'SluiceError',
      code: 'INSUFFICIENT_BALANCE',
      status: 422,
      message: 'INSUFFICIENT_BALANCE: This is INSUFFICIENT_BALANCE.',
      details,
      requestId: 'request-1',
      docUrl: `${service.baseUrl}/at/docs/errors#INSUFFICIENT_BALANCE`,
      retryAfterSeconds: null,
    })
    expect(service.asked).toHaveLength(1)
  })

  test('has the request id of its body, else that of its header', async () => {
    const { client } = patientClient(service.baseUrl)
    service.will(refusal(422, 'INVALID_CHAIN', {}, { 'x-request-id': 'other' }))
    expect(await client.chains.get('x').catch(caught)).toMatchObject({ requestId: 'request-1' })
    const body = { error: 'INVALID_CHAIN', message: 'no', statusCode: 422 }
    service.will({ status: 422, body, headers: { 'x-request-id': 'other' } })
    const bare = await client.chains.get('x').catch(caught)
    expect(bare).toMatchObject({ requestId: 'other', docUrl: null, details: {} })
  })

  test('has typed details by its code', async () => {
    service.will(refusal(422, 'INVALID_CHAIN', { supportedChains: ['eip155:1'] }))
    const error = await patientClient(service.baseUrl).client.chains.get('x').catch(caught)
    expect(isSluiceError(error)).toBe(true)
    expect(isSluiceError(error, 'INVALID_TOKEN')).toBe(false)
    expect(isSluiceError(error, 'INVALID_TOKEN', 'INVALID_CHAIN')).toBe(true)
    expect(isSluiceError(new Error('INVALID_CHAIN'), 'INVALID_CHAIN')).toBe(false)
    if (!isSluiceError(error, 'INVALID_CHAIN')) throw error
    expect(error.details.supportedChains.join()).toBe('eip155:1')
  })
})

describe('retries', () => {
  test.each<[string, Step]>([
    ['an outage', refusal(503, 'SERVICE_UNAVAILABLE')],
    ['a failure of the service', refusal(500, 'INTERNAL_ERROR')],
    ['a limit', refusal(429, 'RATE_LIMIT_EXCEEDED')],
    ['a broken connection', 'cut'],
    ['half an answer', 'half'],
    ["a proxy's page", { status: 502, text: '<html>Bad Gateway</html>' }],
  ])('%s is retried', async (_what, step) => {
    service.will(step, step, fine)
    const { client, waits } = patientClient(service.baseUrl)
    expect(await client.organisation.get()).toMatchObject({ id: 'org' })
    expect(service.asked).toHaveLength(3)
    expect(waits).toEqual([125, 250])
  })

  test('are bounded, and the last error is thrown', async () => {
    service.will(busy)
    const { client, waits } = patientClient(service.baseUrl)
    const error = await client.organisation.get().catch(caught)
    expect(isSluiceError(error, 'SERVICE_UNAVAILABLE')).toBe(true)
    expect(service.asked).toHaveLength(3)
    expect(waits).toEqual([3_125, 3_250])
  })

  test('can be disabled, and set for one call', async () => {
    service.will('cut')
    const { client } = patientClient(service.baseUrl, { retries: 0 })
    await expect(client.organisation.get()).rejects.toThrow(SluiceNetworkError)
    expect(service.asked).toHaveLength(1)
    await expect(client.organisation.get({ retries: 4 })).rejects.toThrow(SluiceNetworkError)
    expect(service.asked).toHaveLength(6)
  })

  test.each([
    { timeoutMs: Number.POSITIVE_INFINITY },
    { timeoutMs: 2 ** 31 },
    { timeoutMs: 0 },
    { timeoutMs: Number.NaN },
    { retries: Number.POSITIVE_INFINITY },
    { retries: 0.5 },
    { retries: -1 },
  ])(
    'and timeouts are refused before a request when they are out of range: %o',
    async (options) => {
      const { client } = patientClient(service.baseUrl)
      await expect(client.withdrawals.create(withdrawal, options)).rejects.toThrow(RangeError)
      expect(service.asked).toEqual([])
    },
  )

  test('wait exponentially longer with jitter, at most 8 seconds', async () => {
    service.will('cut')
    const full = patientClient(service.baseUrl, { retries: 7, random: () => 1 })
    await full.client.organisation.get().catch(caught)
    expect(full.waits).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 8_000])
    const least = patientClient(service.baseUrl, { retries: 3, random: () => 0 })
    await least.client.organisation.get().catch(caught)
    expect(least.waits).toEqual([0, 0, 0])
  })

  test('follow a Retry-After with a date', async () => {
    const at = new Date(Date.now() + 30_000).toUTCString()
    service.will(refusal(503, 'SERVICE_UNAVAILABLE', {}, { 'retry-after': at }), fine)
    const { client, waits } = patientClient(service.baseUrl, { random: () => 0 })
    await client.organisation.get()
    expect(waits).toHaveLength(1)
    expect(waits[0]).toBeGreaterThan(20_000)
    expect(waits[0]).toBeLessThanOrEqual(30_000)
  })

  test('end when the service requests a wait of more than a minute', async () => {
    service.will(refusal(429, 'RATE_LIMIT_EXCEEDED', {}, { 'retry-after': '900' }))
    const { client } = patientClient(service.baseUrl)
    const error = await client.organisation.get().catch(caught)
    expect(error).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', retryAfterSeconds: 900 })
    expect(service.asked).toHaveLength(1)
  })

  test.each<[string, Step]>([
    ['a refusal', refusal(422, 'INVALID_CHAIN')],
    ['a tampered record', refusal(500, 'INTERNAL_ERROR', { reason: 'tampered' })],
    ['a missing page', { status: 404, text: 'not here' }],
    ['a page of something else', { status: 200, text: '<html>hello</html>' }],
  ])('%s is final', async (_what, step) => {
    service.will(step)
    await expect(patientClient(service.baseUrl).client.organisation.get()).rejects.toThrow()
    expect(service.asked).toHaveLength(1)
  })
})

describe('operations without retries', () => {
  const { client } = patientClient('http://127.0.0.1:9')
  const credentials = { username: 'u', password: 'p', totpCode: '1' }
  type Call = (sluice: typeof client) => Promise<unknown>

  test.each<[string, Call]>([
    ['a sign-in', ({ auth }) => auth.login(credentials)],
    ['an approval', ({ withdrawals }) => withdrawals.approve('w', '1')],
    ['several approvals', ({ withdrawals }) => withdrawals.approveMany(['w'], '1')],
    ['a rejection', ({ withdrawals }) => withdrawals.reject('w', { totpCode: '1' })],
    ['a new API key', ({ organisation }) => organisation.rotateApiKey()],
    ['a redelivery', ({ events }) => events.redeliver('e')],
    ['many redeliveries', ({ events }) => events.redeliverAll({ after: 0 })],
    ['a test event', ({ organisation }) => organisation.sendTestEvent()],
    ['a new signing secret', ({ organisation }) => organisation.rotateSigningSecret()],
  ])('%s is not retried after any failure', async (_what, call) => {
    const steps: Step[] = ['cut', busy, refusal(429, 'RATE_LIMIT_EXCEEDED')]
    for (const step of steps) {
      service.will(step)
      const before = service.asked.length
      await expect(call(patientClient(service.baseUrl).client)).rejects.toThrow()
      expect(service.asked.length - before).toBe(1)
    }
  })

  test.each<[string, Call]>([
    ['the webhook', ({ organisation }) => organisation.setWebhook('https://a.b')],
    ['the signers', ({ organisation }) => organisation.setMinWithdrawalSigners(2)],
  ])('%s is retried because it is idempotent', async (_what, call) => {
    service.will('cut', fine)
    await call(patientClient(service.baseUrl).client)
    expect(service.asked).toHaveLength(2)
  })
})

describe('an invalid answer', () => {
  test('a redirect is not followed, so the key is not sent elsewhere', async () => {
    const other = await startScript()
    service.will({ status: 307, headers: { location: `${other.baseUrl}/organisation` } })
    const error = await patientClient(service.baseUrl).client.organisation.get().catch(caught)
    expect(error).toBeInstanceOf(SluiceAnswerError)
    expect(error).toMatchObject({ status: 307 })
    expect(other.asked).toEqual([])
    await other.close()
  })

  test('is quoted in part by the error', async () => {
    service.will({ status: 200, text: `<html>${'x'.repeat(5_000)}` })
    const error = await patientClient(service.baseUrl).client.organisation.get().catch(caught)
    expect(error).toBeInstanceOf(SluiceAnswerError)
    expect(error).toMatchObject({ status: 200, excerpt: expect.stringMatching(/^<html>x{194}$/) })
  })

  test('a failed connection is a SluiceNetworkError without the credential', async () => {
    await service.close()
    const error = await patientClient(service.baseUrl).client.organisation.get().catch(caught)
    expect(error).toBeInstanceOf(SluiceNetworkError)
    expect(error).toMatchObject({ reason: 'network', cause: expect.any(Error) })
    expect(String(error)).toContain('/organisation')
    expect(String(error)).not.toContain('slk_test')
  })
})

describe('timeouts and signals', () => {
  test('an attempt that takes too long fails with a SluiceNetworkError', async () => {
    service.will('hang')
    const { client } = patientClient(service.baseUrl)
    const error = await client.organisation.get({ timeoutMs: 1_000, retries: 1 }).catch(caught)
    expect(error).toMatchObject({ name: 'SluiceNetworkError', reason: 'timeout' })
    expect(service.asked).toHaveLength(2)
  })

  test('the timeout begins after the wait that a request asks for', async () => {
    service.will('hang')
    const { client } = patientClient(service.baseUrl)
    const limits = { timeoutMs: 50, retries: 0 }
    const error = await client.events.list({ after: 7, wait: 1 }, limits).catch(caught)
    expect(error).toMatchObject({ reason: 'timeout' })
    expect(String(error)).toContain('no answer within 1050 ms')
  })

  test('a signal ends a running request without a retry', async () => {
    const stop = new AbortController()
    service.will(() => {
      stop.abort(new Error('enough'))
      return 'hang'
    })
    const { client } = patientClient(service.baseUrl)
    await expect(client.organisation.get({ signal: stop.signal })).rejects.toThrow('enough')
    expect(service.asked).toHaveLength(1)
  })

  test('a signal ends a wait between attempts', async () => {
    const stop = new AbortController()
    const reports: RequestReport[] = []
    service.will(refusal(503, 'SERVICE_UNAVAILABLE', {}, { 'retry-after': '50' }))
    const client = createClient({
      baseUrl: service.baseUrl,
      onRequest: (report) => {
        reports.push(report)
        setTimeout(() => stop.abort(new Error('enough')), 5)
      },
    })
    await expect(client.organisation.get({ signal: stop.signal })).rejects.toThrow('enough')
    expect(reports).toHaveLength(1)
  })

  test('an aborted signal prevents the request', async () => {
    const { client } = patientClient(service.baseUrl)
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(client.organisation.get({ signal })).rejects.toThrow('enough')
    expect(service.asked).toEqual([])
  })

  test.each([
    ['comes', async () => 'slk_test'],
    ['does not come', () => Promise.reject(new Error('no key'))],
  ])(
    'a signal that is aborted before the credential %s prevents the request',
    async (_what, end) => {
      const stop = new AbortController()
      const apiKey = () => {
        stop.abort(new Error('enough'))
        return end()
      }
      const client = createClient({ baseUrl: service.baseUrl, apiKey })
      const { signal } = stop
      await expect(client.withdrawals.create(withdrawal, { signal })).rejects.toThrow('enough')
      expect(service.asked).toEqual([])
    },
  )
})

describe('onRequest', () => {
  test('receives every attempt, and its errors do not change the answer', async () => {
    const reports: RequestReport[] = []
    const onRequest = (report: RequestReport) => {
      reports.push(report)
      throw new Error('my log is full')
    }
    service.will('cut', busy, { ...fine, headers: { 'x-request-id': 'abc' } })
    const { client } = patientClient(service.baseUrl, { onRequest })
    await client.payments.list({ userId: 'u' })
    const url = `${service.baseUrl}/payments?userId=u&limit=100`
    const same = { operation: 'getPayments', method: 'GET', url, durationMs: expect.any(Number) }
    expect(reports).toEqual([
      { ...same, attempt: 0, status: null, requestId: null },
      { ...same, attempt: 1, status: 503, requestId: 'request-1' },
      { ...same, attempt: 2, status: 200, requestId: 'abc' },
    ])
  })
})

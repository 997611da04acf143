import { createHmac, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import {
  type VerifyOptions,
  type WebhookHeaders,
  WebhookVerificationError,
  verifyWebhook,
} from './webhook.ts'

const ID = '01936f5e-0000-7000-8000-000000000001'
const NOW = 1_780_000_000_000
const EVENT = { id: ID, type: 'deposit.confirmed', sequence: 7, payload: { amount: '25' } }
const BODY = JSON.stringify(EVENT)

/** Of a receiver that goes by `x-webhook-signature` alone. */
const UNTIMED = { requireTimestamp: false }

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`
const secret = newSecret()

/** The headers of a delivery, made by the published library and by hand. */
function signed(
  body: string,
  { at = NOW, secrets = [secret] }: { at?: number; secrets?: string[] } = {},
) {
  const signatures = secrets.map((one) => new Webhook(one).sign(ID, new Date(at), body))
  return {
    'webhook-id': ID,
    'webhook-timestamp': String(Math.floor(at / 1_000)),
    'webhook-signature': signatures.join(' '),
    'x-webhook-signature': hexOf(body, secrets[0] ?? ''),
  }
}

function hexOf(body: string, key: string): string {
  return createHmac('sha256', key).update(body).digest('hex')
}

async function reasonOf(
  body: string,
  headers: WebhookHeaders,
  options: VerifyOptions & { secret?: string | string[] } = {},
): Promise<string> {
  const { secret: used = secret, ...rest } = options
  const error = await verifyWebhook(body, headers, used, { now: NOW, ...rest }).catch(
    (thrown: unknown) => thrown,
  )
  return error instanceof WebhookVerificationError ? error.reason : `not refused: ${String(error)}`
}

describe('a delivery', () => {
  test('random payloads signed by the published library are verified [H07]', async () => {
    const payload = fc.record({ note: fc.string({ unit: 'binary' }), more: fc.jsonValue() })
    await fc.assert(
      fc.asyncProperty(payload, async (value) => {
        const body = JSON.stringify({ ...EVENT, payload: value })
        const event = await verifyWebhook(body, signed(body), secret, { now: NOW })
        expect(event).toEqual(JSON.parse(body))
      }),
      { numRuns: 300 },
    )
  })

  test('is refused under each type of signature when one byte was changed [H07]', async () => {
    const body = '{"type":"deposit.detected","payload":{"user":"Žofie 日本"}}'
    const headers = signed(body)
    const hex = { 'x-webhook-signature': headers['x-webhook-signature'] }
    const bytes = Buffer.from(body)
    for (const at of bytes.keys()) {
      const raw = Buffer.from(bytes)
      raw[at] = (raw[at] ?? 0) ^ 1
      for (const each of [headers, hex]) {
        const verdict = verifyWebhook(raw, each, secret, { now: NOW, ...UNTIMED })
        await expect(verdict).rejects.toMatchObject({ reason: 'NO_MATCHING_SIGNATURE' })
      }
    }
    expect(await verifyWebhook(bytes, hex, secret, UNTIMED)).toEqual(JSON.parse(body))
  })

  test.each<[string, (headers: Record<string, string>) => WebhookHeaders]>([
    ['an object of lower case', (headers) => headers],
    ['a Headers', (headers) => new Headers(headers)],
    ['a Map', (headers) => new MapOfHeaders(headers)],
    ['an object of upper case', (headers) => renamed(headers, (name) => name.toUpperCase())],
    ['lists of one', (headers) => listed(headers)],
  ])('is verified with headers as %s', async (_what, make) => {
    expect(await verifyWebhook(BODY, make(signed(BODY)), secret, { now: NOW })).toEqual(EVENT)
    const hex = make({ 'x-webhook-signature': hexOf(BODY, secret) })
    expect(await verifyWebhook(BODY, hex, secret, UNTIMED)).toEqual(EVENT)
  })

  test('is verified as text, as bytes, and as part of a larger buffer', async () => {
    const bytes = new TextEncoder().encode(BODY)
    const larger = Buffer.concat([Buffer.from('before'), bytes, Buffer.from('after')])
    const part = larger.subarray(6, 6 + bytes.length)
    const whole = Uint8Array.from(bytes).buffer
    for (const body of [BODY, bytes, part, Buffer.from(bytes), whole])
      expect(await verifyWebhook(body, signed(BODY), secret, { now: NOW })).toEqual(EVENT)
  })

  test('is refused with a TypeError when it was parsed before', async () => {
    const args: unknown[] = [EVENT, signed(BODY), secret]
    const call = Reflect.apply(verifyWebhook, null, args as Parameters<typeof verifyWebhook>)
    await expect(call).rejects.toThrow(TypeError)
  })

  test('is verified with the old and the new secret in either order [H09]', async () => {
    const [older, newer] = [newSecret(), newSecret()]
    for (const secrets of [
      [newer, older],
      [older, newer],
    ]) {
      const headers = signed(BODY, { secrets })
      for (const one of secrets)
        expect(await verifyWebhook(BODY, headers, one, { now: NOW })).toEqual(EVENT)
    }
    const alone = signed(BODY, { secrets: [newer] })
    expect(await reasonOf(BODY, alone, { secret: older })).toBe('NO_MATCHING_SIGNATURE')
    expect(await verifyWebhook(BODY, alone, [older, newer], { now: NOW })).toEqual(EVENT)
    expect(await reasonOf(BODY, alone, { secret: [] })).toBe('NO_MATCHING_SIGNATURE')
  })

  test('is refused with the secret of another organization [H07]', async () => {
    const headers = signed(BODY)
    const other = newSecret()
    expect(await reasonOf(BODY, headers, { secret: other })).toBe('NO_MATCHING_SIGNATURE')
    const hex = { 'x-webhook-signature': headers['x-webhook-signature'] }
    const wrong = { secret: other, ...UNTIMED }
    expect(await reasonOf(BODY, hex, wrong)).toBe('NO_MATCHING_SIGNATURE')
  })

  test('is verified when signatures of other versions and invalid ones are present', async () => {
    const { 'webhook-signature': right, ...rest } = signed(BODY)
    const with_ = (signature: string) => ({ ...rest, 'webhook-signature': signature })
    const mixed = with_(`v1a,AAAA v1,%%% v1, v2,${right.slice(3)} ${right}`)
    expect(await verifyWebhook(BODY, mixed, secret, { now: NOW })).toEqual(EVENT)
    const foreign = [`v2,${right.slice(3)}`, right.slice(3), `v1,${right.slice(3, -8)}`, 'v1,', ',']
    for (const signature of foreign)
      expect(await reasonOf(BODY, with_(signature))).toBe('NO_MATCHING_SIGNATURE')
  })

  test.each([
    [300, null],
    [301, 'TIMESTAMP_TOO_OLD'],
    [-300, null],
    [-301, 'TIMESTAMP_TOO_NEW'],
  ])('sent %i seconds ago: %s [H08]', async (ageSeconds, reason) => {
    const headers = signed(BODY, { at: NOW - ageSeconds * 1_000 })
    const verdict = await reasonOf(BODY, headers)
    if (reason === null) expect(verdict).toContain('not refused')
    else expect(verdict).toBe(reason)
  })

  test('is verified with the tolerance and the clock of the options', async () => {
    const headers = signed(BODY, { at: NOW - 3_600_000 })
    expect(await reasonOf(BODY, headers, { toleranceSeconds: 3_599 })).toBe('TIMESTAMP_TOO_OLD')
    for (const toleranceSeconds of [3_600, Number.POSITIVE_INFINITY])
      expect(await reasonOf(BODY, headers, { toleranceSeconds })).toContain('not refused')
    expect(await reasonOf(BODY, headers, { now: new Date(NOW - 3_600_000) })).toContain(
      'not refused',
    )
    const wrong = verifyWebhook(BODY, headers, secret, { toleranceSeconds: Number.NaN })
    await expect(wrong).rejects.toThrow(RangeError)
  })

  test('is verified with the clock of the machine by default', async () => {
    const now = signed(BODY, { at: Date.now() })
    expect(await verifyWebhook(BODY, now, secret)).toEqual(EVENT)
    const old = verifyWebhook(BODY, signed(BODY, { at: Date.now() - 400_000 }), secret)
    await expect(old).rejects.toMatchObject({ reason: 'TIMESTAMP_TOO_OLD' })
  })

  test.each(['', 'abc', '1e9', '-1', '1.5', '0x1', ' 1780000000', '9'.repeat(13)])(
    'a timestamp of %j is none',
    async (timestamp) => {
      const headers = { ...signed(BODY), 'webhook-timestamp': timestamp }
      const reason = timestamp === '' ? 'MISSING_HEADER' : 'MALFORMED_TIMESTAMP'
      expect(await reasonOf(BODY, headers)).toBe(reason)
    },
  )

  test('is refused when its time or id was changed', async () => {
    const headers = signed(BODY)
    const seconds = Number(headers['webhook-timestamp']) + 1
    const later = { ...headers, 'webhook-timestamp': String(seconds) }
    expect(await reasonOf(BODY, later)).toBe('NO_MATCHING_SIGNATURE')
    const renumbered = { ...headers, 'webhook-id': 'another' }
    expect(await reasonOf(BODY, renumbered)).toBe('NO_MATCHING_SIGNATURE')
  })

  test('is refused when one of the three headers is missing [H08]', async () => {
    const headers = signed(BODY, { at: NOW - 400_000 })
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const) {
      const fewer = Object.fromEntries(Object.entries(headers).filter(([one]) => one !== name))
      expect(await reasonOf(BODY, fewer)).toBe('MISSING_HEADER')
    }
    const { 'x-webhook-signature': digest } = headers
    expect(await reasonOf(BODY, { 'x-webhook-signature': digest })).toBe('MISSING_HEADER')
  })

  test('is verified by its digest alone when the receiver requires no timestamp', async () => {
    const hex = { 'x-webhook-signature': hexOf(BODY, secret) }
    expect(await verifyWebhook(BODY, hex, secret, UNTIMED)).toEqual(EVENT)
    const upper = { 'x-webhook-signature': hexOf(BODY, secret).toUpperCase() }
    expect(await verifyWebhook(BODY, upper, secret, UNTIMED)).toEqual(EVENT)
    expect(await reasonOf(BODY, {}, UNTIMED)).toBe('MISSING_HEADER')
    for (const digest of ['abc', 'zz', hexOf(BODY, secret).slice(2), `0x${hexOf(BODY, secret)}`]) {
      const wrong = { 'x-webhook-signature': digest }
      expect(await reasonOf(BODY, wrong, UNTIMED)).toBe('NO_MATCHING_SIGNATURE')
    }
  })

  test.each(['', 'whsec_', 'whsec_%%%', 'not base64!'])(
    'is refused with the malformed secret %j',
    async (wrong) => {
      expect(await reasonOf(BODY, signed(BODY), { secret: wrong })).toBe('MALFORMED_SECRET')
    },
  )

  test.each(['', 'null', '[]', '1', '"deposit.confirmed"', '{}', '{"type":1,"payload":{}}', '{'])(
    'a signed body of %j is no event',
    async (body) => {
      expect(await reasonOf(body, signed(body))).toBe('MALFORMED_BODY')
    },
  )

  test('returns an event typed by its type', async () => {
    const event = await verifyWebhook(BODY, signed(BODY), secret, { now: NOW })
    if (event.type !== 'deposit.confirmed') throw new Error(event.type)
    const confirmed: { amount: string; confirmedAt: string } = event.payload
    expect(confirmed.amount).toBe('25')
  })
})

class MapOfHeaders {
  readonly #map: ReadonlyMap<string, string>

  constructor(headers: Record<string, string>) {
    this.#map = new Map(Object.entries(headers))
  }

  get(name: string): string | null {
    return this.#map.get(name) ?? null
  }
}

function renamed(headers: Record<string, string>, rename: (name: string) => string) {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [rename(name), value]))
}

function listed(headers: Record<string, string>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]))
}

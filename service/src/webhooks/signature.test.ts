import { randomBytes } from 'node:crypto'
import { verifyWebhook } from '@sluice/simulator'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { Secret } from '../base/secret.ts'
import { signDelivery } from './signature.ts'
import type { SigningKey } from './signature.ts'

const EVENT_ID = '01936f5e-0000-7000-8000-000000000001'
const now = () => Date.now()

describe('the signature of a delivery', () => {
  test('two other programs verify 1,000 random payloads, Unicode included [H07]', () => {
    const { text, key } = newKey()
    const standard = new Webhook(text)
    const payload = fc.record({ note: fc.string({ unit: 'binary' }), more: fc.jsonValue() })
    fc.assert(
      fc.property(payload, (value) => {
        const body = Buffer.from(JSON.stringify({ type: 'deposit.detected', payload: value }))
        const headers = signDelivery({ eventId: EVENT_ID, body, at: now(), keys: [key] })
        expect(standard.verify(body, headers)).toEqual(JSON.parse(body.toString()))
        expect(verifyWebhook({ headers, raw: body }, text, { now: now() })).toBeNull()
      }),
      { numRuns: 1_000 },
    )
  })

  test('one changed byte in the body invalidates both signatures [H07]', () => {
    const { text, key } = newKey()
    const standard = new Webhook(text)
    const body = Buffer.from('{"type":"deposit.detected","payload":{"user":"Žofie 日本 🪙"}}')
    const headers = signDelivery({ eventId: EVENT_ID, body, at: now(), keys: [key] })
    for (const at of body.keys()) {
      const raw = Buffer.from(body)
      raw[at] = (raw[at] ?? 0) ^ 1
      expect(() => standard.verify(raw, headers)).toThrow('No matching signature found')
      expect(verifyWebhook({ headers, raw }, text)).toBe('WRONG_SIGNATURE')
      const onlyHex = signDelivery({ eventId: EVENT_ID, body: raw, at: now(), keys: [key] })
      const mixed = { ...onlyHex, 'x-webhook-signature': headers['x-webhook-signature'] ?? '' }
      expect(verifyWebhook({ headers: mixed, raw }, text)).toBe('WRONG_HEX_SIGNATURE')
    }
  })

  test('the secret of another organization does not verify [H07]', () => {
    const body = Buffer.from('{}')
    const headers = signDelivery({ eventId: EVENT_ID, body, at: now(), keys: [newKey().key] })
    expect(verifyWebhook({ headers, raw: body }, newKey().text)).toBe('WRONG_SIGNATURE')
  })

  test('the hex digest is lower case and keyed with the whole text of the secret [H07]', () => {
    const key = { secret: new Secret(`whsec_${'AAECAwQF'.repeat(4)}`), current: true }
    const body = Buffer.from('{"a":1}')
    const headers = signDelivery({ eventId: EVENT_ID, body, at: 1_700_000_000_999, keys: [key] })
    expect(headers).toEqual({
      'x-webhook-signature': 'adb75e774f68ce288ee045bb793810807b5107c17f87aa741c1b740e5b8728c4',
      'webhook-id': EVENT_ID,
      'webhook-timestamp': '1700000000',
      'webhook-signature': 'v1,scKAtzbrfnLFQAj4crAL37bM9/zRtyh60vISG2z2fxQ=',
    })
  })

  test('two valid secrets both verify, and the hex digest uses the current one [H09]', () => {
    const older = newKey()
    const newer = newKey()
    const keys = [{ ...older.key, current: false }, newer.key]
    const body = Buffer.from('{"type":"account.created"}')
    const headers = signDelivery({ eventId: EVENT_ID, body, at: now(), keys })
    expect(new Webhook(older.text).verify(body, headers)).toEqual({ type: 'account.created' })
    expect(verifyWebhook({ headers, raw: body }, newer.text)).toBeNull()
    expect(verifyWebhook({ headers, raw: body }, older.text)).toBe('WRONG_HEX_SIGNATURE')
    const [first] = headers['webhook-signature']?.split(' ') ?? []
    const alone = signDelivery({ eventId: EVENT_ID, body, at: now(), keys: [newer.key] })
    expect(first).toBe(alone['webhook-signature'])
  })

  test('a receiver refuses a delivery replayed after five minutes [H08]', () => {
    const { text, key } = newKey()
    const body = Buffer.from('{}')
    const headers = signDelivery({ eventId: EVENT_ID, body, at: now() - 301_000, keys: [key] })
    expect(() => new Webhook(text).verify(body, headers)).toThrow('Message timestamp too old')
  })

  test('signing throws without a current secret or with a short one', () => {
    const { key } = newKey()
    const body = Buffer.from('{}')
    const sign = (keys: SigningKey[]) => signDelivery({ eventId: EVENT_ID, body, at: 0, keys })
    expect(() => sign([])).toThrow('without a current signing secret')
    expect(() => sign([{ ...key, current: false }])).toThrow('without a current signing secret')
    const short = new Secret(`whsec_${randomBytes(23).toString('base64')}`)
    expect(() => sign([{ secret: short, current: true }])).toThrow('malformed')
    expect(() => sign([{ secret: new Secret('sluice'), current: true }])).toThrow('malformed')
  })
})

function newKey(): { text: string; key: SigningKey } {
  const text = `whsec_${randomBytes(32).toString('base64')}`
  return { text, key: { secret: new Secret(text), current: true } }
}

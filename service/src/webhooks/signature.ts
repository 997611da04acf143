import { createHmac } from 'node:crypto'
import { assert } from '../base/assert.ts'
import type { Millis } from '../base/clock.ts'
import type { Secret } from '../base/secret.ts'

/** A signing secret of an organization, valid now: `whsec_` and the base64 of 24 bytes or more. */
export interface SigningKey {
  secret: Secret
  /** False for one that was rotated away and is still honoured. */
  current: boolean
}

const PREFIX = 'whsec_'
const KEY_BYTES_MIN = 24

/**
 * The headers that prove a delivery, over the exact bytes sent (interface, 6.4; decisions, 10;
 * engineering, 26): `x-webhook-signature`, lower-case hex keyed with the current secret's whole
 * text, and the three of Standard Webhooks, where all secrets valid at the moment sign, the current
 * one first.
 */
export function signDelivery(params: {
  eventId: string
  body: Uint8Array
  /** The start of this attempt; receivers refuse what is more than 300 s old. */
  at: Millis
  keys: readonly SigningKey[]
}): Record<string, string> {
  const { eventId, body, at } = params
  const keys = [...params.keys].sort((a, b) => Number(b.current) - Number(a.current))
  const [first] = keys
  assert(first?.current, 'a delivery without a current signing secret', { eventId })
  const seconds = String(Math.floor(at / 1_000))
  const signed = `${eventId}.${seconds}.`
  return {
    'x-webhook-signature': createHmac('sha256', first.secret.reveal()).update(body).digest('hex'),
    'webhook-id': eventId,
    'webhook-timestamp': seconds,
    'webhook-signature': keys.map((key) => `v1,${standardSignature(key, signed, body)}`).join(' '),
  }
}

/**
 * Standard Webhooks 1.0, "Signature scheme": base64 of HMAC-SHA256 over `id.timestamp.body`, the
 * key decoded.
 */
function standardSignature(key: SigningKey, signed: string, body: Uint8Array): string {
  return createHmac('sha256', decoded(key.secret)).update(signed).update(body).digest('base64')
}

function decoded(secret: Secret): Uint8Array {
  const text = secret.reveal()
  const bytes = Buffer.from(text.slice(PREFIX.length), 'base64')
  assert(text.startsWith(PREFIX) && bytes.length >= KEY_BYTES_MIN, 'a malformed signing secret')
  return bytes
}

import { createHmac, createSecretKey } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { assert } from '../base/assert.ts'
import type { Millis } from '../base/clock.ts'
import type { Secret } from '../base/secret.ts'

/** A valid signing secret of an organization: `whsec_` and the base64 of 24 bytes or more. */
export interface SigningKey {
  secret: Secret
  /** False for a rotated secret that is still valid. */
  current: boolean
}

/** The headers that authenticate a delivery. */
export type SignatureHeaders = Record<
  'x-webhook-signature' | 'webhook-id' | 'webhook-timestamp' | 'webhook-signature',
  string
>

const PREFIX = 'whsec_'
const KEY_BYTES_MIN = 24

/**
 * The headers that authenticate a delivery, over the exact bytes sent (interface, 6.4; decisions,
 * 10; engineering, 26): `x-webhook-signature`, lower-case hex keyed with the current secret's whole
 * text, and the three of Standard Webhooks, signed with all valid secrets, the current one first.
 */
export function signDelivery(params: {
  eventId: string
  body: Uint8Array
  /** The start of this attempt; receivers refuse timestamps older than 300 s. */
  at: Millis
  keys: readonly SigningKey[]
}): SignatureHeaders {
  const { eventId, body, at, keys } = params
  const { whole, decoded } = madeReady(keys, eventId)
  const seconds = String(Math.floor(at / 1_000))
  const signed = `${eventId}.${seconds}.`
  return {
    'x-webhook-signature': createHmac('sha256', whole).update(body).digest('hex'),
    'webhook-id': eventId,
    'webhook-timestamp': seconds,
    'webhook-signature': decoded.map((key) => `v1,${standardOf(key, signed, body)}`).join(' '),
  }
}

/**
 * Standard Webhooks 1.0, "Signature scheme": base64 of HMAC-SHA256 over `id.timestamp.body`, the
 * key decoded.
 */
function standardOf(key: KeyObject, signed: string, body: Uint8Array): string {
  return createHmac('sha256', key).update(signed).update(body).digest('base64')
}

/** Prepared signing keys of an organization. */
interface Ready {
  /** The current secret's whole text. */
  whole: KeyObject
  /** All secrets decoded, the current one first. */
  decoded: KeyObject[]
}

/** The deliveries of one lease share their keys, which are prepared once. */
const ready = new WeakMap<readonly SigningKey[], Ready>()

function madeReady(keys: readonly SigningKey[], eventId: string): Ready {
  const known = ready.get(keys)
  if (known) return known
  const sorted = [...keys].sort((a, b) => Number(b.current) - Number(a.current))
  const [first] = sorted
  assert(first?.current, 'a delivery without a current signing secret', { eventId })
  const whole = createSecretKey(Buffer.from(first.secret.reveal(), 'utf8'))
  const made = { whole, decoded: sorted.map(({ secret }) => createSecretKey(decode(secret))) }
  ready.set(keys, made)
  return made
}

function decode(secret: Secret): Buffer {
  const text = secret.reveal()
  const bytes = Buffer.from(text.slice(PREFIX.length), 'base64')
  assert(text.startsWith(PREFIX) && bytes.length >= KEY_BYTES_MIN, 'a malformed signing secret')
  return bytes
}

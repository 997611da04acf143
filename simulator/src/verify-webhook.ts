import { createHmac, timingSafeEqual } from 'node:crypto'

const TOLERANCE_SECONDS = 300
const PREFIX = 'whsec_'

/** A request as it arrived: header names in lower case, the body byte for byte. */
export interface WebhookRequest {
  headers: Record<string, string>
  raw: Uint8Array
}

export interface VerifyOptions {
  /** Milliseconds since 1970; if given, the timestamp header may differ by at most 300 s. */
  now?: number
}

/** Reason why a webhook is not authentic, or null if all signatures hold. */
export type Objection =
  | 'MISSING_HEADER'
  | 'TIMESTAMP_OUT_OF_TOLERANCE'
  | 'WRONG_SIGNATURE'
  | 'WRONG_HEX_SIGNATURE'

/**
 * Checks the headers `webhook-id`, `webhook-timestamp` and `webhook-signature` as the Standard
 * Webhooks specification has it (HMAC-SHA256 of "id.timestamp.body" keyed with the decoded secret,
 * base64, version v1, several separated by spaces), and `x-webhook-signature`: the hex HMAC-SHA256
 * of the body, keyed with the secret's whole text.
 */
export function verifyWebhook(
  request: WebhookRequest,
  secret: string,
  { now }: VerifyOptions = {},
): Objection | null {
  const id = request.headers['webhook-id']
  const timestamp = request.headers['webhook-timestamp']
  const signatures = request.headers['webhook-signature']
  const hex = request.headers['x-webhook-signature']
  if (!id || !timestamp || !signatures || !hex) return 'MISSING_HEADER'
  if (now !== undefined && !isNear(timestamp, now)) return 'TIMESTAMP_OUT_OF_TOLERANCE'
  const key = Buffer.from(
    secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret,
    'base64',
  )
  const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), request.raw])
  const expected = createHmac('sha256', key).update(signed).digest('base64')
  const candidates = signatures.split(' ').filter((text) => text.startsWith('v1,'))
  if (!candidates.some((text) => isSame(text.slice(3), expected))) return 'WRONG_SIGNATURE'
  const digest = createHmac('sha256', secret).update(request.raw).digest('hex')
  return isSame(hex, digest) ? null : 'WRONG_HEX_SIGNATURE'
}

function isNear(timestamp: string, now: number): boolean {
  const seconds = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN
  return Math.abs(now / 1_000 - seconds) <= TOLERANCE_SECONDS
}

function isSame(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
}

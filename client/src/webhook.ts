import type { WebhookEvent } from './events.ts'

/** Headers of a framework: a `Headers`, or an object with names in any case. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>

export interface VerifyOptions {
  /** The largest difference of `webhook-timestamp` from now; 300 by default. Infinity: any. */
  toleranceSeconds?: number
  /** The current time in milliseconds since 1970; by default the clock of the machine. */
  now?: number | Date
  /**
   * Whether a delivery without the Standard Webhooks headers is refused; true by default, since the
   * service always sends them. If false, such a delivery is verified by `x-webhook-signature`
   * alone, which does not cover the time: a captured delivery can be replayed at any time, and you
   * must detect it by its event id.
   */
  requireTimestamp?: boolean
}

/** The reason why a delivery is refused. */
export type WebhookProblem =
  | 'MISSING_HEADER'
  | 'MALFORMED_TIMESTAMP'
  | 'TIMESTAMP_TOO_OLD'
  | 'TIMESTAMP_TOO_NEW'
  | 'NO_MATCHING_SIGNATURE'
  | 'MALFORMED_SECRET'
  | 'MALFORMED_BODY'

/** The delivery is not from the service, or is a replay; answer it with 401. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
  readonly reason: WebhookProblem

  constructor(reason: WebhookProblem, message: string) {
    super(message)
    this.reason = reason
  }
}

const TOLERANCE_SECONDS = 300
const SECRET_PREFIX = 'whsec_'
/** More than a rotation has at once; further signatures are ignored. */
const SIGNATURES_MAX = 32
const HMAC = { name: 'HMAC', hash: 'SHA-256' }
const encoder = new TextEncoder()

/**
 * Verifies a delivery over its unparsed bytes and returns its event, typed by `type`.
 *
 * Checks the Standard Webhooks headers; one valid signature of several is enough, so that a secret
 * can be rotated without a gap. Checks `x-webhook-signature` only if these headers are missing and
 * `requireTimestamp` is false. `secret` is the organization's `webhookSigningSecret`, or several
 * during a rotation. Compares in constant time. Throws a WebhookVerificationError with a `reason`,
 * and a TypeError if `rawBody` was parsed.
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): Promise<WebhookEvent> {
  const body = bytesOf(rawBody)
  const secrets = typeof secret === 'string' ? [secret] : secret
  const id = header(headers, 'webhook-id')
  const timestamp = header(headers, 'webhook-timestamp')
  const signature = header(headers, 'webhook-signature')
  const isStandard = [id, timestamp, signature].some((text) => text !== null)
  if (isStandard || options.requireTimestamp !== false) {
    await checkStandard({ id, timestamp, signature }, { body, secrets, options })
  } else {
    await checkHex(header(headers, 'x-webhook-signature'), { body, secrets })
  }
  return parseEvent(body)
}

interface Signed {
  body: Uint8Array<ArrayBuffer>
  secrets: readonly string[]
}

/** Standard Webhooks 1.0: base64 of HMAC-SHA256 over `id.timestamp.body`, the secret decoded. */
async function checkStandard(
  named: { id: string | null; timestamp: string | null; signature: string | null },
  { body, secrets, options }: Signed & { options: VerifyOptions },
): Promise<void> {
  const { id, timestamp, signature } = named
  if (id === null || timestamp === null || signature === null)
    throw refusal('MISSING_HEADER', 'webhook-id, webhook-timestamp or webhook-signature is missing')
  checkTimestamp(timestamp, options)
  const signed = joined(encoder.encode(`${id}.${timestamp}.`), body)
  const signatures = signature
    .split(' ')
    .filter((text) => text.startsWith('v1,'))
    .flatMap((text) => base64(text.slice('v1,'.length)) ?? [])
    .slice(0, SIGNATURES_MAX)
  for (const secret of secrets) {
    const key = await keyOf(decodeSecret(secret))
    for (const one of signatures) if (await crypto.subtle.verify(HMAC, key, one, signed)) return
  }
  throw refusal('NO_MATCHING_SIGNATURE', 'webhook-signature has no valid signature')
}

/** Section 6.4 of the interface: lower-case hex over the body, keyed with the secret's text. */
async function checkHex(digest: string | null, { body, secrets }: Signed): Promise<void> {
  if (digest === null) throw refusal('MISSING_HEADER', 'the signature header is missing')
  const signature = hex(digest)
  for (const secret of signature === null ? [] : secrets) {
    const key = await keyOf(encoder.encode(secret))
    if (signature !== null && (await crypto.subtle.verify(HMAC, key, signature, body))) return
  }
  throw refusal('NO_MATCHING_SIGNATURE', 'x-webhook-signature is not valid')
}

function checkTimestamp(text: string, options: VerifyOptions): void {
  const { toleranceSeconds = TOLERANCE_SECONDS, now = Date.now() } = options
  if (Number.isNaN(toleranceSeconds) || toleranceSeconds < 0)
    throw new RangeError('toleranceSeconds must be zero or more')
  if (!/^[0-9]{1,12}$/.test(text))
    throw refusal('MALFORMED_TIMESTAMP', 'webhook-timestamp is not a number of seconds')
  const age = Math.floor(Number(now) / 1_000) - Number(text)
  if (Number.isNaN(age)) throw new RangeError('now is not a valid time')
  if (age > toleranceSeconds) throw refusal('TIMESTAMP_TOO_OLD', `sent ${age} s ago`)
  if (-age > toleranceSeconds) throw refusal('TIMESTAMP_TOO_NEW', `sent in ${-age} s from now`)
}

/** A signed body is an event; unknown types are returned unchanged. */
function parseEvent(body: Uint8Array): WebhookEvent {
  const event = parseJson(new TextDecoder().decode(body))
  if (isRecord(event) && typeof event['type'] === 'string' && isRecord(event['payload']))
    return event as unknown as WebhookEvent
  throw refusal('MALFORMED_BODY', 'the body is not an event')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw refusal('MALFORMED_BODY', 'the body is not JSON')
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function bytesOf(rawBody: string | Uint8Array | ArrayBuffer): Uint8Array<ArrayBuffer> {
  if (typeof rawBody === 'string') return encoder.encode(rawBody)
  // Not instanceof: the bytes may come from another realm, as in test runners.
  if (ArrayBuffer.isView(rawBody)) {
    const { buffer, byteOffset, byteLength } = rawBody
    return new Uint8Array(new Uint8Array(buffer, byteOffset, byteLength))
  }
  if (Object.prototype.toString.call(rawBody) === '[object ArrayBuffer]')
    return new Uint8Array(rawBody)
  throw new TypeError('rawBody must be the unparsed body: a string or bytes')
}

/** A header with its name in any case; null if it is missing or empty. */
function header(headers: WebhookHeaders, name: string): string | null {
  const found = isGetter(headers) ? headers.get(name) : lookUp(headers, name)
  return typeof found === 'string' && found !== '' ? found : null
}

function isGetter(headers: WebhookHeaders): headers is { get(name: string): string | null } {
  return typeof headers.get === 'function'
}

function lookUp(
  headers: Exclude<WebhookHeaders, { get(name: string): string | null }>,
  name: string,
) {
  const key =
    name in headers ? name : Object.keys(headers).find((one) => one.toLowerCase() === name)
  const value = key === undefined ? undefined : headers[key]
  return Array.isArray(value) && value.length === 1 ? value[0] : value
}

function keyOf(bytes: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  if (bytes.length === 0) throw refusal('MALFORMED_SECRET', 'the secret is empty')
  return crypto.subtle.importKey('raw', bytes, HMAC, false, ['verify'])
}

function decodeSecret(secret: string): Uint8Array<ArrayBuffer> {
  const text = secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret
  const bytes = base64(text)
  if (bytes === null)
    throw refusal('MALFORMED_SECRET', 'the secret is not whsec_ followed by base64')
  return bytes
}

function base64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  } catch {
    return null
  }
}

function hex(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^([0-9a-f]{2})+$/i.test(text)) return null
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

function joined(head: Uint8Array, tail: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(head.length + tail.length)
  all.set(head)
  all.set(tail, head.length)
  return all
}

function refusal(reason: WebhookProblem, message: string): WebhookVerificationError {
  return new WebhookVerificationError(reason, message)
}

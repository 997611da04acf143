import type { WebhookEvent } from './events.ts'

/** Headers as frameworks hand them over: a `Headers`, or an object of any spelling. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>

export interface VerifyOptions {
  /**
   * How far `webhook-timestamp` may be from now, either way; 300 by default. Infinity looks at no
   * clock.
   */
  toleranceSeconds?: number
  /** Now, in milliseconds since 1970; by default the clock of the machine. */
  now?: number | Date
  /**
   * Whether a delivery without the Standard Webhooks headers is refused; true by default, since the
   * service always sends them. With false it is verified by `x-webhook-signature` alone, which
   * covers no time: whoever has seen a delivery can send it again at any time without these
   * headers, and that is then left to your memory of event ids.
   */
  requireTimestamp?: boolean
}

/** Why a delivery is not to be believed. */
export type WebhookProblem =
  | 'MISSING_HEADER'
  | 'MALFORMED_TIMESTAMP'
  | 'TIMESTAMP_TOO_OLD'
  | 'TIMESTAMP_TOO_NEW'
  | 'NO_MATCHING_SIGNATURE'
  | 'MALFORMED_SECRET'
  | 'MALFORMED_BODY'

/** A delivery that is not what the service sent, or not now; answer it with 401. */
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
/** More than any rotation leaves valid at once; what stands behind them is not looked at. */
const SIGNATURES_MAX = 32
const HMAC = { name: 'HMAC', hash: 'SHA-256' }
const encoder = new TextEncoder()

/**
 * Verifies a delivery over the bytes as they arrived and gives its event, typed by `type`.
 *
 * Looks at the Standard Webhooks headers, and any of several signatures will do, so that a secret
 * can be rotated without a gap; at `x-webhook-signature` only where they are missing and
 * `requireTimestamp` is false. `secret` is the organization's `webhookSigningSecret`, or several
 * while yours is being replaced. Signatures are compared in constant time. Throws a
 * WebhookVerificationError whose `reason` says why not, and a TypeError where `rawBody` has been
 * parsed already.
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

interface Given {
  body: Uint8Array<ArrayBuffer>
  secrets: readonly string[]
}

/** Standard Webhooks 1.0: base64 of HMAC-SHA256 over `id.timestamp.body`, the secret decoded. */
async function checkStandard(
  named: { id: string | null; timestamp: string | null; signature: string | null },
  { body, secrets, options }: Given & { options: VerifyOptions },
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
  throw refusal('NO_MATCHING_SIGNATURE', 'no signature of webhook-signature is right')
}

/** Section 6.4 of the interface: lower-case hex over the body, keyed with the secret's text. */
async function checkHex(digest: string | null, { body, secrets }: Given): Promise<void> {
  if (digest === null) throw refusal('MISSING_HEADER', 'there is no header with a signature')
  const signature = hex(digest)
  for (const secret of signature === null ? [] : secrets) {
    const key = await keyOf(encoder.encode(secret))
    if (signature !== null && (await crypto.subtle.verify(HMAC, key, signature, body))) return
  }
  throw refusal('NO_MATCHING_SIGNATURE', 'x-webhook-signature is not right')
}

function checkTimestamp(text: string, options: VerifyOptions): void {
  const { toleranceSeconds = TOLERANCE_SECONDS, now = Date.now() } = options
  if (Number.isNaN(toleranceSeconds) || toleranceSeconds < 0)
    throw new RangeError('toleranceSeconds is zero or more')
  if (!/^[0-9]{1,12}$/.test(text))
    throw refusal('MALFORMED_TIMESTAMP', 'webhook-timestamp is no count of seconds')
  const age = Math.floor(Number(now) / 1_000) - Number(text)
  if (Number.isNaN(age)) throw new RangeError('now is no time')
  if (age > toleranceSeconds) throw refusal('TIMESTAMP_TOO_OLD', `sent ${age} s ago`)
  if (-age > toleranceSeconds) throw refusal('TIMESTAMP_TOO_NEW', `sent in ${-age} s from now`)
}

/** What is signed is an event; types that this version does not know are handed on as they are. */
function parseEvent(body: Uint8Array): WebhookEvent {
  const event = parseJson(new TextDecoder().decode(body))
  if (isRecord(event) && typeof event['type'] === 'string' && isRecord(event['payload']))
    return event as unknown as WebhookEvent
  throw refusal('MALFORMED_BODY', 'the body is no event')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw refusal('MALFORMED_BODY', 'the body is no JSON')
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
  throw new TypeError(
    'rawBody is the body as it arrived, a string or bytes, before anything has parsed it',
  )
}

/** A header in any spelling; null where it is missing or empty. */
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
  if (bytes === null) throw refusal('MALFORMED_SECRET', 'the secret is no whsec_ and base64')
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

import { isIP } from 'node:net'
import { Outage, Refusal } from '../base/fault.ts'
import { isPublicAddress } from './public-address.ts'
import { isRefusedName, isRefusedPort } from './refused-names.ts'

/** Exceptions from public HTTPS, for development only (decisions, 10). */
export interface TargetRules {
  allowHttp: boolean
  /** Private and loopback addresses, and names of private networks. */
  allowPrivate: boolean
  /** Exact origins (`http://127.0.0.1:8091`) that bypass the other rules. */
  devOrigins: readonly string[]
}

/**
 * The addresses of a host name, IPv4 and IPv6 as text. Throws an Outage if it does not resolve.
 * `orgId`, of a lookup that a request causes: its concurrent lookups are limited, and further ones
 * refused with RATE_LIMIT_EXCEEDED.
 */
export type Resolve = (host: string, orgId?: string) => Promise<readonly string[]>

/** Why a URL is refused: the value of `details.reason`. */
export type TargetReason =
  | 'TOO_LONG'
  | 'MALFORMED'
  | 'NOT_HTTPS'
  | 'CREDENTIALS'
  | 'PORT'
  | 'NOT_A_PUBLIC_NAME'
  | 'NOT_A_PUBLIC_ADDRESS'

const URL_LENGTH_MAX = 2_048

const SAYS: Record<TargetReason, string> = {
  TOO_LONG: `The webhook URL may have at most ${URL_LENGTH_MAX} characters.`,
  MALFORMED: 'The webhook URL must be an https:// URL, without spaces, backslashes or controls.',
  NOT_HTTPS: 'The webhook URL must begin with https://.',
  CREDENTIALS: 'The webhook URL may not carry a user name or password.',
  PORT: 'The port of the webhook URL belongs to a service that does not speak HTTPS.',
  NOT_A_PUBLIC_NAME: 'The host of the webhook URL is no name of the public internet.',
  NOT_A_PUBLIC_ADDRESS:
    'The webhook URL must lead to a public address, not to a private, local or special one.',
}

/**
 * The check when a webhook URL is set. Refuses with INVALID_WEBHOOK_URL (`details.reason` is a
 * `TargetReason`), and as `resolve` does. A name that does not resolve is accepted here and checked
 * at each connection (engineering, 26).
 */
export async function checkTarget(
  text: string,
  rules: TargetRules,
  resolve: Resolve,
): Promise<void> {
  const url = parseTarget(text, rules)
  if (!isGuarded(url.origin, rules)) return
  const host = hostOf(url)
  if (isIP(host) !== 0) return
  const addresses = await resolve(host).catch((error: unknown) => {
    if (error instanceof Refusal) throw error
    return []
  })
  if (!addresses.every(isPublicAddress)) throw refusal('NOT_A_PUBLIC_ADDRESS')
}

/**
 * Checks a URL without network access. Refuses with INVALID_WEBHOOK_URL. Returns the URL as the
 * parser of the connection reads it, for example 127.0.0.1 for `0x7f.1` and `127。0。0。1`.
 */
export function parseTarget(text: string, rules: TargetRules): URL {
  if (text.length > URL_LENGTH_MAX) throw refusal('TOO_LONG')
  const url = isPlain(text) && URL.canParse(text) ? new URL(text) : null
  if (url === null || !['http:', 'https:'].includes(url.protocol)) throw refusal('MALFORMED')
  if (url.username !== '' || url.password !== '' || authorityOf(text).includes('@'))
    throw refusal('CREDENTIALS')
  if (isDevOrigin(url.origin, rules)) return url
  if (url.protocol !== 'https:' && !rules.allowHttp) throw refusal('NOT_HTTPS')
  if (isRefusedPort(url.port)) throw refusal('PORT')
  if (rules.allowPrivate) return url
  const host = hostOf(url)
  if (isIP(host) === 0 && isRefusedName(host)) throw refusal('NOT_A_PUBLIC_NAME')
  if (isIP(host) !== 0 && !isPublicAddress(host)) throw refusal('NOT_A_PUBLIC_ADDRESS')
  return url
}

/** Whether connections to an origin must go to public addresses. */
export function isGuarded(origin: string, rules: TargetRules): boolean {
  return !rules.allowPrivate && !isDevOrigin(origin, rules)
}

/** The addresses of a host; the host itself if it is one. Throws an Outage without an address. */
export async function addressesOf(host: string, resolve: Resolve): Promise<readonly string[]> {
  const addresses = isIP(host) === 0 ? await resolve(host) : [host]
  if (addresses.length === 0) throw new Outage('name service', `${host} has no address`)
  return addresses
}

/**
 * Like `addressesOf`, and requires all to be public, because the client chooses among them. Refuses
 * with INVALID_WEBHOOK_URL; throws an Outage without an address.
 */
export async function publicAddressesOf(
  host: string,
  resolve: Resolve,
): Promise<readonly string[]> {
  const addresses = await addressesOf(host, resolve)
  if (!addresses.every(isPublicAddress)) throw refusal('NOT_A_PUBLIC_ADDRESS')
  return addresses
}

function isDevOrigin(origin: string, rules: TargetRules): boolean {
  return rules.devOrigins.includes(origin)
}

/**
 * The parser drops tabs and line breaks, turns backslashes into slashes, adds missing ones and
 * replaces lone surrogates; such URLs are refused.
 */
function isPlain(text: string): boolean {
  return /^https?:\/\/[^/?#]/i.test(text) && !/[\s\\\p{Cc}\p{Cf}\p{Cs}]/u.test(text)
}

function authorityOf(text: string): string {
  return text.split('://')[1]?.split(/[/?#]/)[0] ?? ''
}

/** Without the brackets of an IPv6 literal. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1')
}

function refusal(reason: TargetReason): Refusal {
  return new Refusal('INVALID_WEBHOOK_URL', { reason }, SAYS[reason])
}

import type { Input, QueryValue } from './operation.ts'

/** Without the slash at its end. Throws a TypeError for anything but an http or https address. */
export function readBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new TypeError('baseUrl must be an http or https address')
  // The parser drops an empty query or fragment, which would contain every appended path.
  if (url.username !== '' || url.password !== '' || /[?#]/.test(text))
    throw new TypeError('baseUrl must not have credentials, a query or a fragment')
  return url.href.replace(/\/+$/, '')
}

/**
 * Puts the address of a request together. Throws a RangeError for what a path cannot say ("", ".",
 * "..") and a URIError for half a surrogate pair, which no address can carry.
 */
export function urlOf(baseUrl: string, template: string, { path = {}, query = {} }: Input): string {
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => segment(name, path[name]))
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(told(value))}`],
  )
  return `${baseUrl}${filled}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`
}

function segment(name: string, value: string | undefined): string {
  if (value === undefined || /^\.{0,2}$/.test(value))
    throw new RangeError(`${name} cannot be ${JSON.stringify(value)}`)
  return encodeURIComponent(value)
}

function told(value: Exclude<QueryValue, undefined>): string {
  return value instanceof Date ? value.toISOString() : String(value)
}

/** The body of a request as JSON, amounts as text wherever they are bigints. */
export function bodyOf(body: unknown): string {
  return JSON.stringify(body, (_, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  )
}

/** A credential as a header may carry it. Throws a TypeError that does not repeat it. */
export function checkCredential(kind: string, value: string): string {
  if (typeof value === 'string' && /^[\x21-\x7e]+$/.test(value)) return value
  throw new TypeError(`${kind} has characters that a header cannot contain`)
}

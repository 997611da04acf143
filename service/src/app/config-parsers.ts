import { isIP } from 'node:net'
import { parseNetwork } from '../orgs/network.ts'
import { type CrashAt, parseCrashAt } from './crash-at.ts'

/** Parses the text of a setting, or returns what is wrong with it. */
export type Parse<T> = (input: string) => { value: T } | { wrong: string }

/** Any text. */
export const text: Parse<string> = (input) => ({ value: input })

/** Text that is not empty. */
export const someText: Parse<string> = (input) =>
  input.trim() === '' ? { wrong: 'must not be empty' } : { value: input }

/** The URL of a PostgreSQL database, or "". */
export const postgresUrl: Parse<string> = (input) =>
  input === '' || isPostgresUrl(input) ? { value: input } : { wrong: 'must be a PostgreSQL URL' }

function isPostgresUrl(input: string): boolean {
  // A URL with a socket path may have an empty host after the user.
  const named = input.replace('@/', '@localhost/')
  return /^postgres(ql)?:\/\//.test(named) && URL.canParse(named)
}

/** One of some words. */
export const oneOf =
  <const T extends string>(...values: readonly T[]): Parse<T> =>
  (input) => {
    const value = values.find((one) => one === input)
    return value === undefined ? { wrong: `must be ${values.join(' or ')}` } : { value }
  }

/** A whole number within bounds, both included. */
export const whole =
  (from: number, to: number): Parse<number> =>
  (input) => {
    const value = Number(input)
    const fits = /^[0-9]{1,12}$/.test(input) && value >= from && value <= to
    return fits ? { value } : { wrong: `must be a whole number from ${from} to ${to}` }
  }

/** true or false. */
export const yesOrNo: Parse<boolean> = (input) =>
  input === 'true' || input === 'false'
    ? { value: input === 'true' }
    : { wrong: 'must be true or false' }

/** true, false, or null for "". */
export const yesNoOrUnset: Parse<boolean | null> = (input) =>
  input === '' ? { value: null } : yesOrNo(input)

/** Parts between commas, without spaces around them and without empty ones. */
export const list: Parse<readonly string[]> = (input) => ({
  value: input
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
})

/** An HTTP URL, or "". */
export const httpUrlOrEmpty: Parse<string> = (input) =>
  input === '' || (URL.canParse(input) && /^https?:$/.test(new URL(input).protocol))
    ? { value: input }
    : { wrong: 'must be an HTTP URL' }

/** Browsers allow passkeys on HTTPS and on localhost, never on the address of a machine. */
export const publicUrlOrEmpty: Parse<string> = (input) =>
  input === '' || isSite(input)
    ? { value: input }
    : { wrong: 'must be an HTTPS URL with a host name, or an HTTP URL of localhost' }

function isSite(input: string): boolean {
  if (!URL.canParse(input)) return false
  const { protocol, hostname, username } = new URL(input)
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  const isName = isIP(hostname.replaceAll(/[[\]]/g, '')) === 0 && username === ''
  return isName && (protocol === 'https:' || (isLocal && protocol === 'http:'))
}

/** IP addresses or networks between commas. */
export const networks: Parse<readonly string[]> = (input) => {
  const read = list(input)
  const isRead = 'value' in read && read.value.every((one) => parseNetwork(one) !== null)
  return isRead ? read : { wrong: 'must be addresses or networks, separated by commas' }
}

/** IP addresses with optional ports between commas. */
export const nameServers: Parse<readonly string[]> = (input) => {
  const read = list(input)
  const isRead = 'value' in read && read.value.every(isNameServer)
  return isRead ? read : { wrong: 'must be IP addresses, each with an optional port' }
}

function isNameServer(server: string): boolean {
  const [, six, four] = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d{1,5})?$/.exec(server) ?? []
  return isIP(six ?? four ?? server) !== 0
}

/** A point of a step and its pass, or null for "". */
export const crashAt: Parse<CrashAt | null> = (input) => {
  const value = input === '' ? null : parseCrashAt(input)
  return input === '' || value !== null ? { value } : { wrong: 'must name a point and a pass' }
}

import { Outage } from '../../base/fault.ts'

/** A JSON object of unknown form. */
export type Json = Readonly<Record<string, unknown>>

const HASH = /^[0-9A-Fa-f]{64}$/
const DROPS = /^(0|[1-9][0-9]{0,18})$/
const UINT32_MAX = 0xff_ff_ff_ff

/** An answer that differs from the documentation or contradicts another answer. */
class MalformedAnswer extends Outage {}

/** The Outage for a malformed answer; `what` names the part. */
export function malformed(what: string): MalformedAnswer {
  return new MalformedAnswer('node answer', `malformed or inconsistent: ${what}`)
}

/** Throws an Outage unless the condition holds. */
export function demand(condition: boolean, what: string): asserts condition {
  if (!condition) throw malformed(what)
}

/** An object, not null and not a list. */
export function parseJson(value: unknown, what: string): Json {
  if (!isJson(value)) throw malformed(what)
  return value
}

/** Whether it is an object, not null and not a list. */
export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A list of any values. */
export function parseList(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw malformed(what)
  return value
}

/** Any text. */
export function parseText(value: unknown, what: string): string {
  if (typeof value !== 'string') throw malformed(what)
  return value
}

/** 32 bytes, in upper-case digits. */
export function parseHash(value: unknown, what: string): string {
  if (typeof value !== 'string' || !HASH.test(value)) throw malformed(what)
  return value.toUpperCase()
}

/** Whole bytes. */
export function parseBytes(value: unknown, what: string): Buffer {
  if (typeof value !== 'string') throw malformed(what)
  const bytes = Buffer.from(value, 'hex')
  // Reading ends at the first character that is not a digit.
  demand(bytes.length * 2 === value.length, what)
  return bytes
}

/** Drops: nodes write them as text, since no JSON number could hold them all. */
export function parseDrops(value: unknown, what: string): bigint {
  if (typeof value !== 'string' || !DROPS.test(value)) throw malformed(what)
  return BigInt(value)
}

/** An unsigned 32-bit number, as a number or, from old servers, as text. */
export function parseUint32(value: unknown, what: string): number {
  const number = typeof value === 'string' && DROPS.test(value) ? Number(value) : value
  const isUint32 = typeof number === 'number' && Number.isInteger(number)
  if (!isUint32 || number < 0 || number > UINT32_MAX) throw malformed(what)
  return number
}

/** The same; null if missing. */
export function uint32OrNull(value: unknown, what: string): number | null {
  return isMissing(value) ? null : parseUint32(value, what)
}

/** Nodes omit missing fields or return null. */
export function isMissing(value: unknown): value is null | undefined {
  return value === null || value === undefined
}

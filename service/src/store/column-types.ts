import { types } from 'pg'
import type { CustomTypesConfig } from 'pg'
import { assert } from '../base/assert.ts'
import type { Millis } from '../base/clock.ts'

/** OIDs of the types that are not parsed by the driver. */
const OID = {
  bytea: 17,
  int8: 20,
  numeric: 1700,
  timestamptz: 1184,
  byteas: 1001,
  texts: 1009,
  int8s: 1016,
  numerics: 1231,
  timestamptzs: 1185,
} as const

type Parse = (text: string) => unknown

const readDate: Parse = types.getTypeParser(types.builtins.TIMESTAMPTZ)
const readBytes: Parse = types.getTypeParser(types.builtins.BYTEA)
const readTexts: Parse = otherwise(OID.texts)

const PARSERS = new Map<number, Parse>([
  [OID.int8, parseInt8],
  [OID.numeric, parseNumeric],
  [OID.timestamptz, parseTimestamp],
  [OID.bytea, parseBytes],
  [OID.int8s, listOf(parseInt8)],
  [OID.numerics, listOf(parseNumeric)],
  [OID.timestamptzs, listOf(parseTimestamp)],
  [OID.byteas, listOf(parseBytes)],
])

/**
 * Parses columns: int8 as a number, numeric as a bigint, timestamptz as `Millis`, bytea as a
 * `Uint8Array`, json parsed, and lists of these. Other types are parsed by the driver.
 */
export const columnTypes: CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    format === 'binary' ? types.getTypeParser(oid, format) : (PARSERS.get(oid) ?? otherwise(oid)),
}

function otherwise(oid: number): Parse {
  return types.getTypeParser(oid, 'text')
}

/** An int8 is a count, a height or a key, and must be a safe integer. */
function parseInt8(text: string): number {
  const value = Number(text)
  assert(Number.isSafeInteger(value), 'an int8 too large for a number', { text })
  return value
}

/** A numeric is an amount or a sum: an integer of any size. */
function parseNumeric(text: string): bigint {
  assert(/^-?[0-9]+$/.test(text), 'a numeric that is not whole', { text })
  return BigInt(text)
}

function parseTimestamp(text: string): Millis {
  const at = readDate(text)
  assert(at instanceof Date && Number.isFinite(at.getTime()), 'an invalid timestamp', { text })
  return at.getTime()
}

function parseBytes(text: string): Uint8Array {
  const bytes = readBytes(text)
  assert(bytes instanceof Uint8Array, 'invalid bytes', {})
  return new Uint8Array(bytes)
}

/** Parses a list with the driver's parser of text lists. */
function listOf(parse: (text: string) => unknown): Parse {
  return (text) => {
    const parts = readTexts(text)
    assert(Array.isArray(parts), 'an invalid list', { text })
    return parts.map((part: unknown) => (typeof part === 'string' ? parse(part) : null))
  }
}

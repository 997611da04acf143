import fc from 'fast-check'
import { type Decoded, Undecodable } from '../src/decode/decoded.ts'

type Decode = (body: Uint8Array) => Decoded

const BYTE_VALUES = 256

/** The effect of bytes by a decoder, as comparable text; null if it throws Undecodable. */
export function effectOf(decode: Decode, body: Uint8Array): string | null {
  try {
    return textOf(decode(body))
  } catch (error) {
    if (error instanceof Undecodable) return null
    throw error
  }
}

/** A value with bigints as comparable text. */
export function textOf(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part))
}

/**
 * Of changed bodies, those that are other bytes and decode: whether they have the effect of the
 * body, and whether they agree with it in the fields that `bound` returns.
 */
export function decodableChanges(
  decode: Decode,
  body: Uint8Array,
  changed: readonly Uint8Array[],
  bound: (body: Uint8Array) => string,
): { hasSameEffect: boolean; isBoundSame: boolean }[] {
  const effect = textOf(decode(body))
  return changed
    .filter((bytes) => Buffer.compare(bytes, body) !== 0)
    .flatMap((bytes) => {
      const changedEffect = effectOf(decode, bytes)
      if (changedEffect === null) return []
      return [
        { hasSameEffect: changedEffect === effect, isBoundSame: bound(bytes) === bound(body) },
      ]
    })
}

/** The positions at which some other byte leaves the effect of a body as it is. */
export function freePositions(decode: Decode, body: Uint8Array): number[] {
  const effect = textOf(decode(body))
  const values = Array.from({ length: BYTE_VALUES }, (_, value) => value)
  return [...body.keys()].filter((position) =>
    values.some((value) => {
      const changed = body.with(position, value)
      return value !== body[position] && effectOf(decode, changed) === effect
    }),
  )
}

/** The lengths at which a truncated body decodes. */
export function decodableLengths(decode: Decode, body: Uint8Array): number[] {
  return [...body.keys()].filter((length) => effectOf(decode, body.subarray(0, length)) !== null)
}

/** The single bytes after which a body that one of them extends decodes. */
export function decodableExtensions(decode: Decode, body: Uint8Array): number[] {
  return Array.from({ length: BYTE_VALUES }, (_, value) => value).filter((value) =>
    [
      [...body, value],
      [value, ...body],
    ].some((bytes) => effectOf(decode, Uint8Array.from(bytes)) !== null),
  )
}

/** Changes of a body: of one byte, or by removing, inserting, repeating or swapping a part. */
export const changes: fc.Arbitrary<((body: Uint8Array) => Uint8Array)[]> = fc.array(
  fc
    .record({
      kind: fc.constantFrom(
        'byte',
        'byte',
        'bit',
        'bit',
        'cut',
        'remove',
        'insert',
        'repeat',
        'swap',
      ),
      position: fc.noBias(fc.nat(2 ** 20)),
      length: fc.integer({ min: 1, max: 40 }),
      value: fc.integer({ min: 1, max: BYTE_VALUES - 1 }),
      inserted: fc.uint8Array({ minLength: 1, maxLength: 8 }),
    })
    .map(({ kind, position, length, value, inserted }) => (body) => {
      const start = position % body.length
      const [before, part, after] = [
        [...body.subarray(0, start)],
        [...body.subarray(start, start + length)],
        [...body.subarray(start + length)],
      ]
      const [first = 0, ...rest] = part
      const parts = {
        byte: [...before, first ^ value, ...rest, ...after],
        bit: [...before, first ^ (1 << (value % 8)), ...rest, ...after],
        cut: before,
        remove: [...before, ...after],
        insert: [...before, ...inserted, ...part, ...after],
        repeat: [...before, ...part, ...part, ...after],
        swap: [...part, ...before, ...after],
      }
      return Uint8Array.from(parts[kind])
    }),
  { minLength: 20, maxLength: 20 },
)

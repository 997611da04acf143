import { assert } from '../base/assert.ts'

/** A field of a frame. Amounts and ids are passed as text. */
export type Field = string | number | null

const TAGS = { null: 0, number: 1, string: 2 } as const
const HEAD_BYTES = 5

/**
 * Encodes fields unambiguously: their count, then for each field a type tag, its length (32 bits,
 * big-endian) and its UTF-8 text. Throws a Bug for an unsafe integer or a lone surrogate.
 */
export function frame(fields: readonly Field[]): Uint8Array {
  const count = Buffer.alloc(4)
  count.writeUInt32BE(fields.length)
  return new Uint8Array(Buffer.concat([count, ...fields.map(frameOne)]))
}

function frameOne(field: Field): Buffer {
  const text = Buffer.from(textOf(field), 'utf8')
  const head = Buffer.alloc(HEAD_BYTES)
  head.writeUInt8(tagOf(field))
  head.writeUInt32BE(text.length, 1)
  return Buffer.concat([head, text])
}

function tagOf(field: Field): number {
  if (field === null) return TAGS.null
  return typeof field === 'number' ? TAGS.number : TAGS.string
}

function textOf(field: Field): string {
  if (field === null) return ''
  if (typeof field === 'string') {
    // A lone surrogate would be encoded as U+FFFD, so that two texts would be equal.
    assert(!/\p{Surrogate}/u.test(field), 'a framed text with a lone surrogate')
    return field
  }
  assert(Number.isSafeInteger(field), 'a framed number that is not a safe integer')
  return String(field)
}

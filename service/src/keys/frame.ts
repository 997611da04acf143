import { assert } from '../base/assert.ts'

/** What a frame can hold. Amounts and ids go in as text. */
export type Field = string | number | null

const TAGS = { null: 0, number: 1, string: 2 } as const
const HEAD_BYTES = 5

/**
 * Writes fields as one run of bytes that no other list of fields gives: their count, then for each
 * a tag for its type, its length (32 bits, big-endian) and its UTF-8 text. Throws a Bug on a number
 * that is no safe integer and on text that UTF-8 cannot carry.
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
    // Half a surrogate pair would be written as U+FFFD, and two different texts would look alike.
    assert(!/\p{Surrogate}/u.test(field), 'a framed text that UTF-8 cannot carry')
    return field
  }
  assert(Number.isSafeInteger(field), 'a framed number that is no safe integer')
  return String(field)
}

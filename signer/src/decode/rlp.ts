import { concatBytes } from '@noble/hashes/utils.js'
import { ByteReader, fromBigEndian, isEqual, toBigEndian } from './bytes.ts'
import { demand } from './decoded.ts'

/**
 * Recursive Length Prefix (Ethereum Yellow Paper, appendix B), as far as transactions need it: a
 * list whose items are byte strings or, written null, empty lists.
 */
export type RlpItem = Uint8Array | null

const SHORT_MAX = 55
const STRING = 0x80
const LIST = 0xc0
/** Lengths of 4 bytes are enough for any transaction. */
const LENGTH_BYTES_MAX = 4

/** Writes a list in its one canonical encoding. */
export function encodeList(items: readonly RlpItem[]): Uint8Array {
  const payload = concatBytes(...items.map(encodeItem))
  return concatBytes(head(LIST, payload.length), payload)
}

/**
 * Reads a list that takes all bytes. Throws Undecodable for other bytes, for an encoding that is
 * not canonical, and for items that are lists with content.
 */
export function decodeList(bytes: Uint8Array): RlpItem[] {
  const outer = new ByteReader(bytes)
  const first = outer.byte()
  demand(first >= LIST, 'the transaction is not an RLP list')
  const reader = new ByteReader(outer.take(readLength(outer, first - LIST)))
  demand(outer.left === 0, 'bytes after the transaction')
  const items: RlpItem[] = []
  while (reader.left > 0) items.push(readItem(reader))
  demand(isEqual(encodeList(items), bytes), 'the encoding is not canonical')
  return items
}

function readItem(reader: ByteReader): RlpItem {
  const first = reader.byte()
  if (first < STRING) return Uint8Array.of(first)
  demand(first <= LIST, 'the transaction contains a list with content')
  return first === LIST ? null : reader.take(readLength(reader, first - STRING))
}

/** The length behind a first byte, of which `code` is the part without the type. */
function readLength(reader: ByteReader, code: number): number {
  if (code <= SHORT_MAX) return code
  const width = code - SHORT_MAX
  demand(width <= LENGTH_BYTES_MAX, 'an RLP length of more than 4 bytes')
  return Number(fromBigEndian(reader.take(width)))
}

function encodeItem(item: RlpItem): Uint8Array {
  if (item === null) return Uint8Array.of(LIST)
  const [first = STRING] = item
  if (item.length === 1 && first < STRING) return item
  return concatBytes(head(STRING, item.length), item)
}

function head(type: number, length: number): Uint8Array {
  if (length <= SHORT_MAX) return Uint8Array.of(type + length)
  const bytes = toBigEndian(BigInt(length))
  return Uint8Array.of(type + SHORT_MAX + bytes.length, ...bytes)
}

import { bigEndian, concat } from './hex.ts'

/** RLP content: bytes, or a list of items. */
export type RlpItem = Uint8Array | readonly RlpItem[]

/** Recursive Length Prefix encoding (Yellow Paper, appendix B). */
export function rlp(item: RlpItem): Uint8Array {
  if (item instanceof Uint8Array) return encodeBytes(item)
  const payload = concat(item.map(rlp))
  return concat([prefix(payload.length, 0xc0), payload])
}

/** The item of an RLP encoding. Throws if bytes are missing or left over. */
export function unrlp(bytes: Uint8Array): RlpItem {
  const [item, end] = readItem(bytes, 0)
  if (end !== bytes.length) throw new Error('bytes left over after the RLP item')
  return item
}

function encodeBytes(bytes: Uint8Array): Uint8Array {
  const first = bytes[0]
  if (bytes.length === 1 && first !== undefined && first < 0x80) return bytes
  return concat([prefix(bytes.length, 0x80), bytes])
}

function prefix(length: number, offset: number): Uint8Array {
  if (length <= 55) return Uint8Array.of(offset + length)
  const size = bigEndian(length)
  return concat([Uint8Array.of(offset + 55 + size.length), size])
}

function readItem(bytes: Uint8Array, at: number): [RlpItem, number] {
  const first = bytes[at]
  if (first === undefined) throw new Error('RLP ends early')
  if (first < 0x80) return [bytes.subarray(at, at + 1), at + 1]
  const [start, end] = readSpan(bytes, at, first < 0xc0 ? first - 0x80 : first - 0xc0)
  if (first < 0xc0) return [bytes.subarray(start, end), end]
  const items: RlpItem[] = []
  let next = start
  while (next < end) {
    const [item, after] = readItem(bytes, next)
    items.push(item)
    next = after
  }
  if (next !== end) throw new Error('an RLP list ends inside an item')
  return [items, end]
}

function readSpan(bytes: Uint8Array, at: number, short: number): [number, number] {
  const sizeBytes = Math.max(short - 55, 0)
  const start = at + 1 + sizeBytes
  const length =
    sizeBytes === 0 ? short : Number.parseInt(hexOf(bytes.subarray(at + 1, start)) || '0', 16)
  if (start + length > bytes.length) throw new Error('RLP ends early')
  return [start, start + length]
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}

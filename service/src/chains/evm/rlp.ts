/** An item of RLP: bytes, or a list of items. */
export type RlpItem = Uint8Array | readonly RlpItem[]

const SHORT_MAX = 55

/** Recursive Length Prefix (Ethereum yellow paper, appendix B). */
export function rlpEncode(item: RlpItem): Uint8Array {
  const out = new Uint8Array(lengthOf(item))
  write(item, out, 0)
  return out
}

/** A whole number in RLP: big-endian bytes without leading zeros, empty for zero. */
export function rlpNumber(value: bigint | number): Uint8Array {
  if (BigInt(value) === 0n) return new Uint8Array(0)
  const hex = value.toString(16)
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
}

function lengthOf(item: RlpItem): number {
  if (item instanceof Uint8Array && isItsOwnEncoding(item)) return 1
  const payload = payloadLength(item)
  return prefixLength(payload) + payload
}

function payloadLength(item: RlpItem): number {
  if (item instanceof Uint8Array) return item.length
  let length = 0
  for (const part of item) length += lengthOf(part)
  return length
}

/** A single byte below 0x80 is its own encoding, without a prefix. */
function isItsOwnEncoding(bytes: Uint8Array): boolean {
  return bytes.length === 1 && (bytes[0] ?? 0) < 0x80
}

function prefixLength(payload: number): number {
  return payload <= SHORT_MAX ? 1 : 1 + bytesIn(payload)
}

/** The number of bytes of a length; at most four. */
function bytesIn(length: number): number {
  if (length < 0x100) return 1
  if (length < 0x10000) return 2
  return length < 0x1000000 ? 3 : 4
}

/** Writes the encoding at an offset and returns the offset behind it. */
function write(item: RlpItem, out: Uint8Array, at: number): number {
  if (item instanceof Uint8Array) {
    const start = isItsOwnEncoding(item) ? at : writePrefix(item.length, 0x80, out, at)
    out.set(item, start)
    return start + item.length
  }
  let end = writePrefix(payloadLength(item), 0xc0, out, at)
  for (const part of item) end = write(part, out, end)
  return end
}

function writePrefix(payload: number, base: number, out: Uint8Array, at: number): number {
  if (payload <= SHORT_MAX) {
    out[at] = base + payload
    return at + 1
  }
  const bytes = bytesIn(payload)
  out[at] = base + SHORT_MAX + bytes
  for (let byte = 1; byte <= bytes; byte += 1) out[at + byte] = payload >>> (8 * (bytes - byte))
  return at + 1 + bytes
}

/** Element types with a binary encoding. */
export const LISTED_TYPES = ['text', 'bigint'] as const
export type ListedType = (typeof LISTED_TYPES)[number]

const INT8_BYTES = 8
const WORD = 2 ** 32
/** Dimensions, null flag, element type, length, lower bound. */
const HEAD_BYTES = 20
const LENGTH_BYTES = 4
const NULL_LENGTH = -1

/** The OID of an element type and its encoding. */
interface ElementType {
  oid: number
  /** Bytes of an element; null if it is not of the type. */
  sizeOf: (element: unknown) => number | null
  /** Writes an element and returns its length. */
  write: (element: unknown, to: Buffer, at: number) => number
}

const ELEMENT_TYPES: Record<ListedType, ElementType> = {
  text: {
    oid: 25,
    sizeOf: (element) => (typeof element === 'string' ? Buffer.byteLength(element) : null),
    write: (element, to, at) => to.write(String(element), at),
  },
  bigint: {
    oid: 20,
    sizeOf: (element) => (Number.isSafeInteger(element) ? INT8_BYTES : null),
    write: (element, to, at) => {
      const value = Number(element)
      to.writeInt32BE(Math.floor(value / WORD), at)
      to.writeInt32BE(value | 0, at + 4)
      return INT8_BYTES
    },
  },
}

/**
 * Encodes a list in PostgreSQL's binary format (`array_recv`), which needs no escaping. Returns
 * null if an element is neither null nor of the type.
 */
export function binaryList(type: ListedType, list: readonly unknown[]): Buffer | null {
  const { oid, write } = ELEMENT_TYPES[type]
  const size = sizeOfAll(type, list)
  if (size === null) return null
  const bytes = Buffer.allocUnsafe(size)
  bytes.writeInt32BE(1, 0)
  bytes.writeInt32BE(list.includes(null) ? 1 : 0, 4)
  bytes.writeInt32BE(oid, 8)
  bytes.writeInt32BE(list.length, 12)
  bytes.writeInt32BE(1, 16)
  let at = HEAD_BYTES
  for (const element of list) {
    const place = at + LENGTH_BYTES
    const written = element === null ? 0 : write(element, bytes, place)
    bytes.writeInt32BE(element === null ? NULL_LENGTH : written, at)
    at = place + written
  }
  return bytes
}

/** Total bytes, computed without a list of sizes, since catch-up encodes many lists. */
function sizeOfAll(type: ListedType, list: readonly unknown[]): number | null {
  const { sizeOf } = ELEMENT_TYPES[type]
  let total = HEAD_BYTES + list.length * LENGTH_BYTES
  for (const element of list) {
    const size = element === null ? 0 : sizeOf(element)
    if (size === null) return null
    total += size
  }
  return total
}

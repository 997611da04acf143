/** Types of which a list can be written so. */
export const LISTED_TYPES = ['text', 'bigint'] as const
export type ListedType = (typeof LISTED_TYPES)[number]

const INT8_BYTES = 8
const WORD = 2 ** 32
/** Dimensions, whether some are null, the elements' type, how many, and the first one's number. */
const HEAD_BYTES = 20
const LENGTH_BYTES = 4
const NULL_LENGTH = -1

/** How the elements of a list are sent: the catalog's fixed number of their type, and each one. */
interface ElementType {
  oid: number
  /** Bytes of an element; null where it is none of the type. */
  sizeOf: (element: unknown) => number | null
  /** Writes an element, and answers with its bytes. */
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
 * A list as PostgreSQL itself writes it in binary (`array_recv`): each element with its length
 * before it, so that neither side looks at every character for what must be escaped. Null where
 * some element is not of the type, and nothing else may be in it but null.
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

/** Bytes of the whole; no list of sizes is kept, of which a catch-up would make many. */
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

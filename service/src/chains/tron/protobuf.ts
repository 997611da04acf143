/**
 * The part of Protocol Buffers (proto3) that TRON's transactions need: varints and bytes. Strangers
 * can put unknown fields into a transaction, and java-tron keeps them: fields that protobuf-java
 * skips or truncates are skipped or truncated here. Input that it refuses is null, never a guess.
 */

/** The values of each field, in order; null is one of a type that no field of TRON has. */
export type Message = ReadonlyMap<number, readonly (bigint | Uint8Array | null)[]>

/** A field to write: its number and value. Zero and empty values are omitted. */
export type Field = readonly [number: number, value: bigint | Uint8Array]

const VARINT = 0
const FIXED64 = 1
const BYTES = 2
const GROUP = 3
const GROUP_END = 4
const FIXED32 = 5
const VARINT_BITS = 64
const VARINT_BYTES = 10
/** Bytes of a varint below 31 bits. */
const SHORT_BYTES = 4
const LENGTH_BITS = 32
const LIMIT = 1n << BigInt(VARINT_BITS)
const SHORT_LIMIT = 1n << 28n

/** Writes a message, with fields in this order. */
export function writeMessage(fields: readonly Field[]): Uint8Array {
  return new Uint8Array(
    Buffer.concat(fields.flatMap(([number, value]) => writeField(number, value))),
  )
}

/**
 * Reads a message; null if the bytes are invalid. Integers are read as signed, of 64 bits; more
 * bits are cut off. Groups are skipped.
 */
export function readMessage(bytes: Uint8Array): Message | null {
  const message = new Map<number, (bigint | Uint8Array | null)[]>()
  let at = 0
  while (at < bytes.length) {
    const tag = readTag(bytes, at)
    const found = tag === null ? null : readValue(bytes, tag.next, tag.value)
    if (tag === null || found === null) return null
    const { number } = tag.value
    const values = message.get(number) ?? []
    values.push(found.value)
    message.set(number, values)
    at = found.next
  }
  return message
}

/** The bytes of a field, of which the last value counts; empty without one. */
export function bytesOf(message: Message, number: number): Uint8Array {
  const values = message.get(number) ?? []
  return values.findLast((value) => value instanceof Uint8Array) ?? new Uint8Array()
}

/** The integer of a field, of which the last value counts; zero without one. */
export function integerOf(message: Message, number: number): bigint {
  const values = message.get(number) ?? []
  return values.findLast((value) => typeof value === 'bigint') ?? 0n
}

/** The message in a field; null if it is invalid. */
export function messageOf(message: Message, number: number): Message | null {
  return readMessage(bytesOf(message, number))
}

interface Read<T> {
  value: T
  next: number
}

interface Tag {
  number: number
  kind: number
}

/** A tag has 32 bits in any encoding; field number zero is invalid. */
function readTag(bytes: Uint8Array, at: number): Read<Tag> | null {
  const found = readInt32(bytes, at)
  if (found === null) return null
  const number = found.value >>> 3
  return number === 0 ? null : { value: { number, kind: found.value & 7 }, next: found.next }
}

function readValue(
  bytes: Uint8Array,
  at: number,
  { number, kind }: Tag,
): Read<bigint | Uint8Array | null> | null {
  if (kind === VARINT) return readVarint(bytes, at)
  const next = kind === GROUP ? endOfGroup(bytes, at, number) : endOfValue(bytes, at, kind)
  if (next === null) return null
  return { value: kind === BYTES ? bytesBetween(bytes, at, next) : null, next }
}

function bytesBetween(bytes: Uint8Array, at: number, end: number): Uint8Array {
  return bytes.subarray(readInt32(bytes, at)?.next ?? end, end)
}

/** The end of a value that is not a group; null if it is truncated or of an unknown type. */
function endOfValue(bytes: Uint8Array, at: number, kind: number): number | null {
  if (kind === VARINT) return readInt32(bytes, at)?.next ?? null
  const from = kind === BYTES ? readInt32(bytes, at) : { value: widthOf(kind), next: at }
  if (from === null || from.value === null) return null
  const size = from.value
  return size < 0 || size > bytes.length - from.next ? null : from.next + size
}

/** Groups may be nested: each ends with its own number. */
function endOfGroup(bytes: Uint8Array, start: number, number: number): number | null {
  const open = [number]
  let at = start
  while (open.length > 0) {
    const tag = readTag(bytes, at)
    if (tag === null) return null
    if (tag.value.kind === GROUP_END && open.pop() !== tag.value.number) return null
    if (tag.value.kind === GROUP) open.push(tag.value.number)
    const isEdge = tag.value.kind === GROUP || tag.value.kind === GROUP_END
    const next = isEdge ? tag.next : endOfValue(bytes, tag.next, tag.value.kind)
    if (next === null) return null
    at = next
  }
  return at
}

function widthOf(kind: number): number | null {
  if (kind === FIXED64) return 8
  return kind === FIXED32 ? 4 : null
}

/** Tags and lengths are read as 32 bits, signed. */
function readInt32(bytes: Uint8Array, start: number): Read<number> | null {
  const found = readShort(bytes, start)
  if (found !== null) return found
  const long = readLong(bytes, start)
  return long && { value: Number(BigInt.asIntN(LENGTH_BITS, long.value)), next: long.next }
}

function readVarint(bytes: Uint8Array, start: number): Read<bigint> | null {
  const found = readShort(bytes, start)
  return found === null ? readLong(bytes, start) : { ...found, value: BigInt(found.value) }
}

/** Nearly all are short and need no BigInt; null if one is longer. */
function readShort(bytes: Uint8Array, start: number): Read<number> | null {
  let value = 0
  for (let count = 0; count < SHORT_BYTES; count += 1) {
    const byte = bytes[start + count] ?? 0xff
    value |= (byte & 0x7f) << (7 * count)
    if (byte < 0x80) return { value, next: start + count + 1 }
  }
  return null
}

function readLong(bytes: Uint8Array, start: number): Read<bigint> | null {
  let value = 0n
  for (let count = 0; count < VARINT_BYTES; count += 1) {
    const byte = bytes[start + count]
    if (byte === undefined) return null
    value |= BigInt(byte & 0x7f) << BigInt(7 * count)
    if (byte < 0x80) return { value: BigInt.asIntN(VARINT_BITS, value), next: start + count + 1 }
  }
  return null
}

function writeField(number: number, value: Field[1]): Uint8Array[] {
  if (typeof value === 'bigint') {
    if (value === 0n) return []
    return [writeShort(number << 3), writeVarint(value < 0n ? value + LIMIT : value)]
  }
  if (value.length === 0) return []
  return [writeShort((number << 3) | BYTES), writeShort(value.length), value]
}

function writeVarint(value: bigint): Uint8Array {
  const bytes: number[] = []
  let rest = value
  for (; rest >= SHORT_LIMIT; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80)
  return Uint8Array.from([...bytes, ...writeShort(Number(rest))])
}

/** A number of less than 31 bits. */
function writeShort(value: number): Uint8Array {
  if (value < 0x80) return Uint8Array.of(value)
  const bytes: number[] = []
  let rest = value
  for (; rest >= 0x80; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80)
  return Uint8Array.from([...bytes, rest])
}

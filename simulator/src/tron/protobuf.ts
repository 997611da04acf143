import { concat } from '../hex.ts'

/** One field of a message: its number, and what it holds. */
export type Field = readonly [number: number, value: bigint | number | string | Uint8Array]

/** A message of Protocol Buffers as it was read: of each field the values in their order. */
export type Message = ReadonlyMap<number, readonly (bigint | Uint8Array)[]>

const VARINT = 0
const BYTES = 2
const INT64_LIMIT = 2n ** 64n
const INT64_HALF = 2n ** 63n

/** Writes fields in the order given. Zeros and empty values are left out, as proto3 does. */
export function encode(fields: readonly Field[]): Uint8Array {
  return concat(fields.flatMap(([number, value]) => encodeField(number, value)))
}

/** Reads a message. Throws for what is none, and for kinds of fields that TRON does not use. */
export function decode(bytes: Uint8Array): Message {
  const message = new Map<number, (bigint | Uint8Array)[]>()
  let at = 0
  const varint = () => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at]
      if (byte === undefined || shift > 63n) throw new Error('a varint without an end')
      at += 1
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value % INT64_LIMIT
    }
  }
  while (at < bytes.length) {
    const key = Number(varint())
    const values = message.get(key >> 3) ?? []
    message.set(key >> 3, values)
    if ((key & 7) === VARINT) {
      const value = varint()
      values.push(value >= INT64_HALF ? value - INT64_LIMIT : value)
      continue
    }
    if ((key & 7) !== BYTES) throw new Error(`a field of kind ${key & 7}`)
    const length = Number(varint())
    if (at + length > bytes.length) throw new Error('a field that is cut off')
    values.push(bytes.slice(at, at + length))
    at += length
  }
  return message
}

/** The bytes of a field; empty if missing. */
export function bytesIn(message: Message, number: number): Uint8Array {
  const value = message.get(number)?.at(-1)
  return value instanceof Uint8Array ? value : new Uint8Array()
}

/** The integer of a field; zero if missing. */
export function intIn(message: Message, number: number): bigint {
  const value = message.get(number)?.at(-1)
  return typeof value === 'bigint' ? value : 0n
}

function encodeField(number: number, value: Field[1]): Uint8Array[] {
  if (typeof value === 'bigint' || typeof value === 'number') {
    const whole = BigInt(value)
    if (whole === 0n) return []
    return [varintOf(BigInt(number << 3)), varintOf(whole < 0n ? whole + INT64_LIMIT : whole)]
  }
  const bytes = typeof value === 'string' ? new Uint8Array(Buffer.from(value, 'utf8')) : value
  if (bytes.length === 0) return []
  return [varintOf(BigInt((number << 3) | BYTES)), varintOf(BigInt(bytes.length)), bytes]
}

function varintOf(value: bigint): Uint8Array {
  const bytes: number[] = []
  for (let rest = value; ; rest >>= 7n) {
    const low = Number(rest & 0x7fn)
    if (rest < 0x80n) return new Uint8Array([...bytes, low])
    bytes.push(low | 0x80)
  }
}

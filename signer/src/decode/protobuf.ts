import { concatBytes } from '@noble/hashes/utils.js'
import { ByteReader, isEqual } from './bytes.ts'
import { demand } from './decoded.ts'

/**
 * Protocol Buffers (proto3), as far as TRON's transactions need it: numbers of 63 bits and byte
 * strings, each field at most once. A shape lists the fields of a message in ascending order.
 */
export type Shape = Readonly<Record<string, readonly [number: number, type: 'integer' | 'bytes']>>

/** The values of the fields of a shape; 0 and empty for fields that are not written. */
export type Values<S extends Shape> = {
  -readonly [Name in keyof S]: S[Name][1] extends 'integer' ? bigint : Uint8Array
}

const WIRE_TYPES = { integer: 0, bytes: 2 }
const VARINT_BYTES_MAX = 9

/**
 * Reads a message of a shape. Throws Undecodable for fields that the shape lacks, and for every
 * encoding but the one that writes each field with a value once, in ascending order.
 */
export function readMessage<S extends Shape>(bytes: Uint8Array, shape: S): Values<S> {
  const values: Record<string, bigint | Uint8Array> = {}
  for (const [name, [, type]] of Object.entries(shape)) {
    values[name] = type === 'integer' ? 0n : new Uint8Array()
  }
  const reader = new ByteReader(bytes)
  while (reader.left > 0) {
    const tag = readVarint(reader)
    const [name, type] = fieldOf(shape, tag)
    values[name] = type === 'integer' ? readVarint(reader) : reader.take(Number(readVarint(reader)))
  }
  demand(isEqual(writeMessage(values, shape), bytes), 'the encoding is not canonical')
  return values as Values<S>
}

function fieldOf(shape: Shape, tag: bigint): [name: string, type: 'integer' | 'bytes'] {
  for (const [name, [number, type]] of Object.entries(shape)) {
    if (tag === tagOf(number, type)) return [name, type]
  }
  demand(false, `an unknown field: number ${tag >> 3n}, type ${tag & 7n}`)
}

function tagOf(number: number, type: 'integer' | 'bytes'): bigint {
  return BigInt(number * 8 + WIRE_TYPES[type])
}

function writeMessage(values: Record<string, bigint | Uint8Array>, shape: Shape): Uint8Array {
  const fields = Object.entries(shape).flatMap(([name, [number, type]]) => {
    const value = values[name] ?? 0n
    const tag = writeVarint(tagOf(number, type))
    if (typeof value === 'bigint') return value === 0n ? [] : [tag, writeVarint(value)]
    return value.length === 0 ? [] : [tag, writeVarint(BigInt(value.length)), value]
  })
  return concatBytes(...fields)
}

/** Seven bits in a byte, lowest first; the high bit says that more follow. */
function readVarint(reader: ByteReader): bigint {
  let value = 0n
  for (let index = 0; index < VARINT_BYTES_MAX; index += 1) {
    const byte = reader.byte()
    value |= BigInt(byte & 0x7f) << BigInt(7 * index)
    if (byte < 0x80) return value
  }
  demand(false, 'a number is negative or has more than 63 bits')
}

function writeVarint(value: bigint): Uint8Array {
  const bytes: number[] = []
  let rest = value
  for (; rest >= 0x80n; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80)
  return Uint8Array.of(...bytes, Number(rest))
}

import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { demand } from './decoded.ts'

/** Reads bytes from first to last. Throws Undecodable if fewer are left than a call reads. */
export class ByteReader {
  readonly #bytes: Uint8Array
  #position = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  /** Number of bytes that are left. */
  get left(): number {
    return this.#bytes.length - this.#position
  }

  take(count: number): Uint8Array {
    demand(count <= this.left, 'the bytes end inside a field')
    this.#position += count
    return this.#bytes.subarray(this.#position - count, this.#position)
  }

  byte(): number {
    const [byte = 0] = this.take(1)
    return byte
  }

  /** Whether the next bytes are these; reads them if so. */
  skip(expected: Uint8Array): boolean {
    const end = this.#position + expected.length
    if (!isEqual(this.#bytes.subarray(this.#position, end), expected)) return false
    this.#position = end
    return true
  }
}

/** Whether two byte strings are the same. */
export function isEqual(left: Uint8Array, right: Uint8Array): boolean {
  return Buffer.compare(left, right) === 0
}

/** The unsigned number of big-endian bytes; 0 for no bytes. */
export function fromBigEndian(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${bytesToHex(bytes)}`)
}

/** The unsigned number of little-endian bytes. */
export function fromLittleEndian(bytes: Uint8Array): bigint {
  return fromBigEndian(bytes.toReversed())
}

/** Big-endian bytes of a number without leading zeros; no bytes for 0. */
export function toBigEndian(value: bigint): Uint8Array {
  if (value === 0n) return new Uint8Array()
  const digits = value.toString(16)
  return hexToBytes(digits.length % 2 === 0 ? digits : `0${digits}`)
}

/** Little-endian bytes of a number that fits in `width` bytes. */
export function toLittleEndian(value: bigint, width: number): Uint8Array {
  return Uint8Array.from({ length: width }, (_, index) =>
    Number((value >> BigInt(8 * index)) & 0xffn),
  )
}

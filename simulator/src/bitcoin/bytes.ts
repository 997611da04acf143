import { createHash } from 'node:crypto'
import { ripemd160 } from '@noble/hashes/legacy.js'

/** SHA-256 of SHA-256. */
export function hash256(bytes: Uint8Array): Buffer {
  return sha256(sha256(bytes))
}

/** SHA-256. */
export function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest()
}

/** RIPEMD-160 of SHA-256. */
export function hash160(bytes: Uint8Array): Buffer {
  return Buffer.from(ripemd160(sha256(bytes)))
}

/** A hash as it is shown: backwards. */
export function shown(hash: Uint8Array): string {
  return Buffer.from(hash).reverse().toString('hex')
}

/** The bytes of a hash that is shown. */
export function hidden(text: string): Buffer {
  return Buffer.from(text, 'hex').reverse()
}

/** Four bytes, the lowest first. */
export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value >>> 0)
  return bytes
}

/** Eight bytes, the lowest first. */
export function uint64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return bytes
}

/** Bitcoin's CompactSize. */
export function compactSize(value: number): Buffer {
  if (value < 0xfd) return Buffer.of(value)
  if (value <= 0xffff) return Buffer.of(0xfd, value & 0xff, value >> 8)
  return Buffer.concat([Buffer.of(0xfe), uint32(value)])
}

/** Bytes with their length before them. */
export function withLength(bytes: Uint8Array): Buffer {
  return Buffer.concat([compactSize(bytes.length), bytes])
}

/** Reads bytes from the front; throws if they end too soon. */
export class Taker {
  #left: Buffer

  constructor(bytes: Uint8Array) {
    this.#left = Buffer.from(bytes)
  }

  get isEmpty(): boolean {
    return this.#left.length === 0
  }

  /** The byte so many places ahead, which stays. */
  ahead(places: number): number {
    return this.#left[places] ?? -1
  }

  bytes(count: number): Buffer {
    if (count > this.#left.length) throw new Error('the bytes end too soon')
    const taken = this.#left.subarray(0, count)
    this.#left = this.#left.subarray(count)
    return taken
  }

  uint32(): number {
    return this.bytes(4).readUInt32LE()
  }

  uint64(): bigint {
    return this.bytes(8).readBigUInt64LE()
  }

  compactSize(): number {
    const [first = 0] = this.bytes(1)
    if (first < 0xfd) return first
    if (first === 0xfd) return this.bytes(2).readUInt16LE()
    if (first === 0xfe) return this.uint32()
    throw new Error('a length beyond all blocks')
  }

  lengthy(): Buffer {
    return this.bytes(this.compactSize())
  }

  list<T>(take: () => T): T[] {
    return Array.from({ length: this.compactSize() }, take)
  }
}

import { Outage } from '../../base/fault.ts'

/** An answer that is not what the protocol's documents promise, or contradicts another. */
export class MalformedAnswer extends Outage {}

/** The Outage for an answer that makes no sense; `what` says which part. */
export function malformed(what: string): MalformedAnswer {
  return new MalformedAnswer('node answer', `malformed or inconsistent: ${what}`)
}

/** States what an answer must fulfil; an Outage where it does not. */
export function demand(condition: boolean, what: string): void {
  if (!condition) throw malformed(what)
}

/** Reads little-endian numbers and runs of bytes, one after the other; an Outage past the end. */
export class ByteReader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  /** How many bytes were read. */
  get position(): number {
    return this.#at
  }

  /** How many are left. */
  get left(): number {
    return this.#bytes.length - this.#at
  }

  /** The next bytes, lent and not copied. */
  take(length: number): Buffer {
    demand(length <= this.left, 'bytes that end too soon')
    this.#at += length
    return this.#bytes.subarray(this.#at - length, this.#at)
  }

  /** Passes over bytes. */
  skip(length: number): void {
    demand(length <= this.left, 'bytes that end too soon')
    this.#at += length
  }

  /** Bytes already read, from a position to here. */
  since(position: number): Buffer {
    return this.#bytes.subarray(position, this.#at)
  }

  /** The next byte, which stays unread; 0 at the end. */
  peek(ahead = 0): number {
    return this.#bytes[this.#at + ahead] ?? 0
  }

  uint32(): number {
    this.skip(4)
    return this.#bytes.readUInt32LE(this.#at - 4)
  }

  int32(): number {
    this.skip(4)
    return this.#bytes.readInt32LE(this.#at - 4)
  }

  uint64(): bigint {
    this.skip(8)
    return this.#bytes.readBigUInt64LE(this.#at - 8)
  }

  /** A CompactSize: how many of something follow, each of which takes a byte or more. */
  count(): number {
    this.skip(1)
    const first = this.#bytes[this.#at - 1] ?? 0
    const count = first < 0xfd ? first : this.#wideCount(first)
    demand(count <= this.left, 'a count of more than there is')
    return count
  }

  #wideCount(first: number): number {
    if (first === 0xfd) return minimal(this.take(2).readUInt16LE(), 0xfd)
    if (first === 0xfe) return minimal(this.take(4).readUInt32LE(), 0x10000)
    throw malformed('a count beyond all blocks')
  }

  /** A run of bytes with its length before it. */
  run(): Buffer {
    return this.take(this.count())
  }
}

/** Every count has one spelling only. */
function minimal(count: number, least: number): number {
  demand(count >= least, 'a count in a longer form than it needs')
  return count
}

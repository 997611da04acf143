import { Outage } from '../../base/fault.ts'

/** An answer that differs from the protocol's documents or contradicts another answer. */
export class MalformedAnswer extends Outage {}

/** The Outage for a malformed answer; `what` names the part. */
export function malformed(what: string): MalformedAnswer {
  return new MalformedAnswer('node answer', `malformed or inconsistent: ${what}`)
}

/** Throws an Outage unless the condition holds. */
export function demand(condition: boolean, what: string): void {
  if (!condition) throw malformed(what)
}

/** Reads little-endian numbers and runs of bytes in sequence; an Outage past the end. */
export class ByteReader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  /** The number of bytes read. */
  get position(): number {
    return this.#at
  }

  /** The number of bytes left. */
  get left(): number {
    return this.#bytes.length - this.#at
  }

  /** The next bytes, as a view. */
  take(length: number): Buffer {
    demand(length <= this.left, 'bytes that end too soon')
    this.#at += length
    return this.#bytes.subarray(this.#at - length, this.#at)
  }

  /** Skips bytes. */
  skip(length: number): void {
    demand(length <= this.left, 'bytes that end too soon')
    this.#at += length
  }

  /** The bytes from a position to the current one. */
  since(position: number): Buffer {
    return this.#bytes.subarray(position, this.#at)
  }

  /** The next byte, without reading it; 0 at the end. */
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

  /** A CompactSize: a count of items of at least one byte each. */
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

  /** A run of bytes after its length. */
  run(): Buffer {
    return this.take(this.count())
  }
}

/** Every count has only one valid encoding. */
function minimal(count: number, least: number): number {
  demand(count >= least, 'a count in a longer form than it needs')
  return count
}

import type { Address } from '../chains/port.ts'
import { WORDS, wordsOfBytes, wordsOfText } from '../chains/address-words.ts'

/** Words of 32 bits in a block: one line of a processor's cache, so that a question reads one. */
const BLOCK_WORDS = 16
const BLOCK_BITS = BLOCK_WORDS * 32
/** Bits set for an address; with `BITS_EACH`, some 2 in 1,000 strangers pass at the most. */
const PROBES = 8
const BITS_EACH = 16
const CAPACITY_MIN = 65_536

/** One stretch of memory, for as many addresses as it was made for. */
interface Segment {
  words: Uint32Array
  blocks: number
  room: number
}

/**
 * Addresses that may be asked for: what was added is always found, and of the others a few in a
 * thousand are found too (blocked Bloom filters). It takes 2 to 6 bytes an address and never
 * forgets one. An address is the same as text and as the bytes that it stands for
 * (`wordsOfText`).
 */
export class AddressSet {
  readonly #segments: Segment[] = []
  #size = 0
  /** The hash of the address asked for last: fields, since a pair would be an object each time. */
  #first = 0
  #second = 0

  /** Addresses that were added and not found at once: nearly all that are different. */
  get size(): number {
    return this.#size
  }

  /** Bytes taken. */
  get bytes(): number {
    return this.#segments.reduce((sum, { words }) => sum + words.byteLength, 0)
  }

  /** Makes room for so many more: in one stretch, where a question costs least. */
  reserve(count: number): void {
    const room = this.#segments.at(-1)?.room ?? 0
    if (count > room) this.#segments.push(segmentFor(Math.max(CAPACITY_MIN, count)))
  }

  has(address: Address | Uint8Array): boolean {
    const isText = typeof address === 'string'
    this.#scatter(isText ? wordsOfText(address, 0, address.length) : wordsOfBytes(address))
    return this.#isThere()
  }

  /** Adds an address, or the part of a longer text that is one. */
  add(text: string, from = 0, end = text.length): void {
    this.#scatter(wordsOfText(text, from, end))
    if (this.#isThere()) return
    // The more there are, the larger the next stretch: they stay few.
    if ((this.#segments.at(-1)?.room ?? 0) === 0) this.reserve(2 * this.#size + 1)
    const segment = this.#segments.at(-1)
    if (segment === undefined) return
    const { words } = segment
    const at = blockOf(segment, this.#first)
    const step = stepOf(this.#first)
    for (let probe = 0, bit = this.#second; probe < PROBES; probe += 1, bit += step) {
      const word = at + ((bit >>> 5) & (BLOCK_WORDS - 1))
      words[word] = (words[word] ?? 0) | (1 << (bit & 31))
    }
    segment.room -= 1
    this.#size += 1
  }

  #isThere(): boolean {
    for (const segment of this.#segments) if (this.#isIn(segment)) return true
    return false
  }

  #isIn(segment: Segment): boolean {
    const { words } = segment
    const at = blockOf(segment, this.#first)
    const step = stepOf(this.#first)
    for (let probe = 0, bit = this.#second; probe < PROBES; probe += 1, bit += step) {
      const word = words[at + ((bit >>> 5) & (BLOCK_WORDS - 1))] ?? 0
      if ((word & (1 << (bit & 31))) === 0) return false
    }
    return true
  }

  /** Hashes so many of WORDS. */
  #scatter(words: number): void {
    let first = 0x9e3779b9
    let second = 0x85ebca6b
    for (let at = 0; at < words; at += 1) {
      const word = WORDS[at] ?? 0
      first = Math.imul(first ^ word, 0x9e3779b1)
      first = (first << 15) | (first >>> 17)
      second = Math.imul(second ^ word, 0xc2b2ae35)
      second = (second << 13) | (second >>> 19)
    }
    this.#first = scatter(first)
    this.#second = scatter(second ^ this.#first)
  }
}

function segmentFor(room: number): Segment {
  const blocks = Math.ceil((room * BITS_EACH) / BLOCK_BITS)
  return { words: new Uint32Array(blocks * BLOCK_WORDS), blocks, room }
}

/** The first word of the block that a hash belongs to. */
function blockOf({ blocks }: Segment, first: number): number {
  return Math.floor(((first >>> 0) / 2 ** 32) * blocks) * BLOCK_WORDS
}

/** How far one bit of a block is from the next; odd, so that none is met twice. */
function stepOf(first: number): number {
  return (first & (BLOCK_BITS - 1)) | 1
}

/** Every bit of a number moves every other (MurmurHash3's last step). */
function scatter(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}

import type { Address } from '../chains/port.ts'
import { ADDRESS_WORDS, WORDS, wordsOfBytes, wordsOfText } from '../chains/address-words.ts'

/** Words of 32 bits in a block: one line of a processor's cache, so that a question reads one. */
const BLOCK_WORDS = 16
const BLOCK_BITS = BLOCK_WORDS * 32
/** Bits set for an address; with `BITS_EACH`, some 2 in 1,000 strangers pass at the most. */
const PROBES = 8
const BITS_EACH = 16
const CAPACITY_MIN = 65_536

/** One stretch of memory, for as many addresses as it was made for. */
interface Segment {
  words: Int32Array
  blocks: number
  room: number
}

/**
 * A set of addresses in blocked Bloom filters: finds every added address, and a few in a thousand
 * others. Takes 2 to 6 bytes for each address and removes none. An address as text equals its bytes
 * (`wordsOfText`).
 */
export class AddressSet {
  readonly #segments: Segment[] = []
  #size = 0

  /** Addresses that were added and not found at once: nearly all that are different. */
  get size(): number {
    return this.#size
  }

  /** Bytes taken. */
  get bytes(): number {
    return this.#segments.reduce((sum, { words }) => sum + words.byteLength, 0)
  }

  /** Reserves one block of memory for `count` more addresses, where a lookup is fastest. */
  reserve(count: number): void {
    const room = this.#segments.at(-1)?.room ?? 0
    if (count > room) this.#segments.push(segmentFor(Math.max(CAPACITY_MIN, count)))
  }

  has(address: Address | Uint8Array): boolean {
    const isText = typeof address === 'string'
    const words = isText ? wordsOfText(address, 0, address.length) : wordsOfBytes(address)
    hashInto(WORDS, { from: 0, words, hashes: HASHES, to: 0 })
    return this.#isThere()
  }

  /**
   * The same of many addresses, `ADDRESS_WORDS` words each: 1 or 0 for each, in their order. Memory
   * is asked for all of them before any answer is needed: one after the other, each would wait.
   */
  hasEach(words: Int32Array): Uint8Array {
    const answers = new Uint8Array(words.length / ADDRESS_WORDS)
    const hashes = new Int32Array(2 * answers.length)
    for (let at = 0; at < answers.length; at += 1) {
      hashInto(words, { from: at * ADDRESS_WORDS, words: ADDRESS_WORDS, hashes, to: 2 * at })
    }
    for (const segment of this.#segments) {
      const likely = firstProbes(segment, hashes)
      for (let at = 0; at < likely.length; at += 1) {
        if (likely[at] === 1 && isIn(segment, hashes, 2 * at)) answers[at] = 1
      }
    }
    return answers
  }

  /** Adds an address, given as text or as part of a longer text. */
  add(text: string, from = 0, end = text.length): void {
    hashInto(WORDS, { from: 0, words: wordsOfText(text, from, end), hashes: HASHES, to: 0 })
    if (this.#isThere()) return
    // The more there are, the larger the next stretch: they stay few.
    if ((this.#segments.at(-1)?.room ?? 0) === 0) this.reserve(2 * this.#size + 1)
    const segment = this.#segments.at(-1)
    if (segment === undefined) return
    const { words } = segment
    const [first = 0, second = 0] = HASHES
    const at = blockOf(segment, first)
    const step = stepOf(first)
    for (let probe = 0, bit = second; probe < PROBES; probe += 1, bit += step) {
      const word = at + wordOf(bit)
      words[word] = (words[word] ?? 0) | (1 << (bit & 31))
    }
    segment.room -= 1
    this.#size += 1
  }

  /** Of the address that was hashed last. */
  #isThere(): boolean {
    for (const segment of this.#segments) if (isIn(segment, HASHES, 0)) return true
    return false
  }
}

/** The two hashes of the address asked for last. */
const HASHES = new Int32Array(2)

/** Hashes so many words from one on; two numbers are written to a place. */
function hashInto(
  source: Int32Array,
  { from, words, hashes, to }: { from: number; words: number; hashes: Int32Array; to: number },
): void {
  let first = 0x9e3779b9
  let second = 0x85ebca6b
  for (let at = from; at < from + words; at += 1) {
    const word = source[at] ?? 0
    first = Math.imul(first ^ word, 0x9e3779b1)
    first = (first << 15) | (first >>> 17)
    second = Math.imul(second ^ word, 0xc2b2ae35)
    second = (second << 13) | (second >>> 19)
  }
  first = scatter(first)
  hashes[to] = first
  hashes[to + 1] = scatter(second ^ first)
}

/** For each pair of hashes whether the first two bits that are looked at are set: 1 or 0. */
function firstProbes(segment: Segment, hashes: Int32Array): Uint8Array {
  const { words } = segment
  const likely = new Uint8Array(hashes.length / 2)
  for (let pair = 0; pair < likely.length; pair += 1) {
    const first = hashes[2 * pair] ?? 0
    const bit = hashes[2 * pair + 1] ?? 0
    const next = bit + stepOf(first)
    const at = blockOf(segment, first)
    const isSet = (words[at + wordOf(bit)] ?? 0) >>> (bit & 31)
    const isNextSet = (words[at + wordOf(next)] ?? 0) >>> (next & 31)
    likely[pair] = isSet & isNextSet & 1
  }
  return likely
}

/** Whether all bits of the pair of hashes at a place are set. */
function isIn(segment: Segment, hashes: Int32Array, pair: number): boolean {
  const { words } = segment
  const first = hashes[pair] ?? 0
  const at = blockOf(segment, first)
  const step = stepOf(first)
  for (let probe = 0, bit = hashes[pair + 1] ?? 0; probe < PROBES; probe += 1, bit += step) {
    if (((words[at + wordOf(bit)] ?? 0) & (1 << (bit & 31))) === 0) return false
  }
  return true
}

function segmentFor(room: number): Segment {
  const blocks = Math.ceil((room * BITS_EACH) / BLOCK_BITS)
  return { words: new Int32Array(blocks * BLOCK_WORDS), blocks, room }
}

/** The first word of the block that a hash belongs to. */
function blockOf({ blocks }: Segment, first: number): number {
  return Math.floor(((first >>> 0) / 2 ** 32) * blocks) * BLOCK_WORDS
}

/** The word of the block that contains a bit. */
function wordOf(bit: number): number {
  return (bit >>> 5) & (BLOCK_WORDS - 1)
}

/** Distance between two bits of a block; odd, so that they differ. */
function stepOf(first: number): number {
  return (first & (BLOCK_BITS - 1)) | 1
}

/** Every bit of a number moves every other (MurmurHash3's last step). */
function scatter(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}

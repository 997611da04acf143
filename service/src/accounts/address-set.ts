import type { Address } from '../chains/port.ts'

/** Words of 32 bits in a block: one line of a processor's cache, so that a question reads one. */
const BLOCK_WORDS = 16
const BLOCK_BITS = BLOCK_WORDS * 32
/** Bits set for an address; with `BITS_EACH`, some 2 in 1,000 strangers pass at the most. */
const PROBES = 8
const BITS_EACH = 16
const CAPACITY_MIN = 65_536

const ADDRESS_BYTES = 20
const ADDRESS_WORDS = ADDRESS_BYTES / 4
const HEX_DIGITS = 2 * ADDRESS_BYTES
const WORD_DIGITS = 8
const NO_DIGIT = 0xff
const DIGITS = digitTable()

/** One stretch of memory, for as many addresses as it was made for. */
interface Segment {
  words: Uint32Array
  blocks: number
  room: number
}

/**
 * Addresses that may be asked for: what was added is always found, and of the others a few in a
 * thousand are found too (blocked Bloom filters). It takes 2 to 6 bytes an address and never
 * forgets one. An EVM address is the same as text, in any case of its digits, and as 20 bytes.
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

/** What is hashed, as numbers of 32 bits; filled anew for each address. */
const WORDS = new Int32Array(256)

/** Puts an address's bytes, or what else its text is made of, into WORDS; answers with how many. */
function wordsOfText(text: string, from: number, end: number): number {
  const isHex = end - from === HEX_DIGITS + 2 && text.startsWith('0x', from)
  if (isHex && readDigits(text, from + 2)) return ADDRESS_WORDS
  const length = Math.min(end - from, WORDS.length)
  for (let at = 0; at < length; at += 1) WORDS[at] = text.charCodeAt(from + at)
  return length
}

/** False where what comes from there on is not all hexadecimal digits. */
function readDigits(text: string, from: number): boolean {
  let seen = 0
  for (let at = 0, next = from; at < ADDRESS_WORDS; at += 1) {
    let word = 0
    for (const end = next + WORD_DIGITS; next < end; next += 1) {
      const digit = DIGITS[text.charCodeAt(next)] ?? NO_DIGIT
      seen |= digit
      word = (word << 4) | digit
    }
    WORDS[at] = word
  }
  return seen < 16
}

function wordsOfBytes(bytes: Uint8Array): number {
  if (bytes.length !== ADDRESS_BYTES) {
    const text = `0x${Buffer.from(bytes).toString('hex')}`
    return wordsOfText(text, 0, text.length)
  }
  for (let at = 0; at < ADDRESS_WORDS; at += 1) {
    const from = at * 4
    const high = ((bytes[from] ?? 0) << 24) | ((bytes[from + 1] ?? 0) << 16)
    WORDS[at] = high | ((bytes[from + 2] ?? 0) << 8) | (bytes[from + 3] ?? 0)
  }
  return ADDRESS_WORDS
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

/** The value of each hexadecimal digit, by its character's code. */
function digitTable(): Uint8Array {
  const table = new Uint8Array(128).fill(NO_DIGIT)
  for (let value = 0; value < 16; value += 1) {
    const digit = value.toString(16)
    table[digit.charCodeAt(0)] = value
    table[digit.toUpperCase().charCodeAt(0)] = value
  }
  return table
}

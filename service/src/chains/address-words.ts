/** The bytes of an address as 32-bit numbers, to hash it; overwritten by each. */
export const WORDS = new Int32Array(256)

const WORD_BYTES = 4
/** Of an account, a key or a script; a witness program may have 32 bytes (BIP-141). */
export const ADDRESS_WORDS = 5
const PROGRAM_WORDS_MAX = 8
const HEX_DIGITS = 2 * WORD_BYTES * ADDRESS_WORDS
const WORD_DIGITS = 8
const NO_DIGIT = 0xff
const DIGITS = digitTable()

/** How bech32 texts begin, without the version, and how many characters at their end check them. */
const PROGRAM_HEADS = ['bc1', 'tb1', 'bcrt1']
const CHECK_DIGITS = 6
/** Bytes of a witness program by its characters, which hold five bits each. */
const PROGRAM_BYTES: Readonly<Record<number, number>> = { 32: 20, 52: 32 }
const FIVES = valueTable('qpzry9x8gf2tvdw0s3jn54khce6mua7l')

/** Base58 as TRON and Bitcoin write it, and as the XRP Ledger does. */
const BASE58 = valueTable('123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz')
const BASE58_RIPPLE = valueTable('rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz')
const BASE58_DIGITS_MIN = 25
const BASE58_DIGITS_MAX = 35
/** Base58 holds a version, twenty bytes and four that check them: so many numbers of 16 bits. */
const limbs = new Int32Array(13)
const LIMB_BITS = 16
const CHECK_LIMBS = 2

/**
 * Writes the bytes of an address to WORDS, without 0x, prefix, version and checksum, for
 * hexadecimal digits in any case. For any other text it writes the characters. Returns the number
 * of words.
 */
export function wordsOfText(text: string, from: number, end: number): number {
  const isHex = end - from === HEX_DIGITS + 2 && text.startsWith('0x', from)
  if (isHex && readDigits(text, from + 2)) return ADDRESS_WORDS
  const words = readProgram(text, from, end)
  if (words > 0) return words
  if (readBase58(text, from, end)) return ADDRESS_WORDS
  const length = Math.min(end - from, WORDS.length)
  for (let at = 0; at < length; at += 1) WORDS[at] = text.charCodeAt(from + at)
  return length
}

/** The same for the bytes. */
export function wordsOfBytes(bytes: Uint8Array): number {
  const words = bytes.length / WORD_BYTES
  if (words !== ADDRESS_WORDS && words !== PROGRAM_WORDS_MAX) {
    const text = `0x${Buffer.from(bytes).toString('hex')}`
    return wordsOfText(text, 0, text.length)
  }
  for (let at = 0; at < words; at += 1) {
    const from = at * WORD_BYTES
    const high = ((bytes[from] ?? 0) << 24) | ((bytes[from + 1] ?? 0) << 16)
    WORDS[at] = high | ((bytes[from + 2] ?? 0) << 8) | (bytes[from + 3] ?? 0)
  }
  return words
}

/** Returns false unless all digits are hexadecimal. */
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

/** Reads the witness program of a bech32 address; returns 0 for another text. */
function readProgram(text: string, from: number, end: number): number {
  const head = PROGRAM_HEADS.find((one) => text.startsWith(one, from))
  if (head === undefined) return 0
  const start = from + head.length + 1
  const bytes = PROGRAM_BYTES[end - start - CHECK_DIGITS] ?? 0
  let [seen, held, bits] = [0, 0, 0]
  for (let at = 0, next = start; at < bytes; next += 1) {
    const five = FIVES[text.charCodeAt(next)] ?? NO_DIGIT
    seen |= five
    held = ((held << 5) | five) & 0xfff
    bits += 5
    if (bits < 8) continue
    bits -= 8
    const word = at >> 2
    WORDS[word] = ((WORDS[word] ?? 0) << 8) | ((held >> bits) & 0xff)
    at += 1
  }
  return seen < 32 ? bytes / WORD_BYTES : 0
}

/** Returns false unless it is base58 of that many bytes. */
function readBase58(text: string, from: number, end: number): boolean {
  if (end - from < BASE58_DIGITS_MIN || end - from > BASE58_DIGITS_MAX) return false
  const values = text.startsWith('r', from) ? BASE58_RIPPLE : BASE58
  limbs.fill(0)
  let used = 0
  for (let next = from; next < end; next += 1) {
    let carry = values[text.charCodeAt(next)] ?? NO_DIGIT
    if (carry === NO_DIGIT) return false
    for (let limb = 0; limb < used; limb += 1) {
      const product = (limbs[limb] ?? 0) * 58 + carry
      limbs[limb] = product & 0xffff
      carry = product >>> LIMB_BITS
    }
    if (carry === 0) continue
    if (used === limbs.length) return false
    limbs[used] = carry
    used += 1
  }
  for (let word = 0; word < ADDRESS_WORDS; word += 1) {
    const low = CHECK_LIMBS + 2 * (ADDRESS_WORDS - 1 - word)
    WORDS[word] = ((limbs[low + 1] ?? 0) << LIMB_BITS) | (limbs[low] ?? 0)
  }
  return true
}

/** The value of each hexadecimal digit, by its character's code. */
function digitTable(): Uint8Array {
  const table = valueTable('0123456789abcdef')
  for (const letter of 'abcdef') {
    table[letter.toUpperCase().charCodeAt(0)] = table[letter.charCodeAt(0)] ?? NO_DIGIT
  }
  return table
}

/** The place of each character in an alphabet, by its code. */
function valueTable(alphabet: string): Uint8Array {
  const table = new Uint8Array(128).fill(NO_DIGIT)
  for (let value = 0; value < alphabet.length; value += 1) {
    table[alphabet.charCodeAt(value)] = value
  }
  return table
}

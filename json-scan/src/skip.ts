/**
 * The result for every unexpected form: an escape, a blank, upper-case digits, a key twice. A JSON
 * parser must read the answer then.
 */
export const FAILED = -1

export const [QUOTE, COMMA, COLON] = [34, 44, 58]
export const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125]
const [MINUS, DIGIT_0, DIGIT_9, LETTER_X] = [45, 48, 57, 120]
/** Length of the text before the digits of a value. */
export const OPENING = '"0x'.length
export const [HASH_DIGITS, ADDRESS_DIGITS] = [64, 40]
/** Limit of nesting; answers of nodes are less deep. */
const DEPTH_MAX = 16

/** The value of each lower-case hex digit plus one; 0 for other bytes. */
export const NIBBLES = new Uint8Array(256)
for (let value = 0; value < 16; value += 1) NIBBLES[value.toString(16).charCodeAt(0)] = value + 1

/** The bytes of an answer, all ASCII, and a view of the same memory. */
export interface Source {
  bytes: Buffer
  view: DataView
}

/** Bytes that a string may contain: printable ASCII without quote and backslash. */
const PLAIN = new Uint8Array(256).fill(1, 0x20, 0x7f)
PLAIN[QUOTE] = 0
PLAIN['\\'.charCodeAt(0)] = 0

const NULL = Buffer.from('null')
/** The words of JSON, by first letter. */
const WORDS = new Map(
  [NULL, Buffer.from('true'), Buffer.from('false')].map((word) => [word[0], word]),
)

/**
 * The form of the value of a key:
 * - `hex`: 0x and lower-case digits; `hash` has 64 of them, `address` 40
 * - `compared`: the length of a hash; the reader of the row compares the digits
 * - `own-hash`: the same, compared by the program
 * - `rank`: `hex`, which the program compares with the object's index in its list
 * - `long`: 0x and an even number of characters, which are not checked
 * - `topics`: a list of hashes
 * - `rows`: a value that the caller of `Shape.read` reads
 */
export type ValueKind =
  | 'hex'
  | 'hex-or-null'
  | 'hash'
  | 'address'
  | 'address-or-null'
  | 'compared'
  | 'own-hash'
  | 'rank'
  | 'long'
  | 'topics'
  | 'rows'
  | 'any'

/** Delimits the value at a position. Returns the position behind it, or FAILED. */
export function skip(source: Source, at: number, kind: ValueKind): number {
  const { bytes } = source
  switch (kind) {
    case 'hash':
      return skipDigits(source, at, HASH_DIGITS)
    case 'address':
      return skipDigits(source, at, ADDRESS_DIGITS)
    case 'compared':
    case 'own-hash':
      return skipCompared(bytes, at)
    case 'hex':
    case 'rank':
      return skipHex(source, at)
    case 'topics':
      return skipTopics(source, at)
    case 'long':
      return skipLong(bytes, at)
    case 'address-or-null':
      if (bytes[at] === QUOTE) return skipDigits(source, at, ADDRESS_DIGITS)
      return skipNull(bytes, at)
    case 'hex-or-null':
      return bytes[at] === QUOTE ? skipHex(source, at) : skipNull(bytes, at)
    default:
      return skipValue(bytes, at, 0)
  }
}

/** 0x and this number of digits, a multiple of four. */
function skipDigits({ bytes, view }: Source, at: number, digits: number): number {
  const begin = at + OPENING
  const end = begin + digits
  if (!isOpening(bytes, at) || bytes[end] !== QUOTE) return FAILED
  let good = EACH_HIGH_BIT
  for (let digit = begin; digit < end; digit += 4) good &= digitsIn(view.getInt32(digit))
  return good === EACH_HIGH_BIT ? end + 1 : FAILED
}

const EACH_HIGH_BIT = 0x80808080 | 0

/**
 * Finds the lower-case hex digits among four ASCII bytes: the highest bit of each byte is set for a
 * digit. Each addend lifts a byte above 0x7f from the first digit of a range, or from the byte
 * behind the range; no sum overflows into the next byte.
 */
function digitsIn(word: number): number {
  const isNumber = (word + 0x50505050) & ~(word + 0x46464646)
  const isLetter = (word + 0x1f1f1f1f) & ~(word + 0x19191919)
  return (isNumber | isLetter) & EACH_HIGH_BIT
}

function skipCompared(bytes: Uint8Array, at: number): number {
  const end = at + OPENING + HASH_DIGITS
  return isOpening(bytes, at) && bytes[end] === QUOTE ? end + 1 : FAILED
}

function isOpening(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === QUOTE && bytes[at + 1] === DIGIT_0 && bytes[at + 2] === LETTER_X
}

function skipHex({ bytes, view }: Source, at: number): number {
  if (!isOpening(bytes, at)) return FAILED
  let end = at + OPENING
  const last = bytes.length - 4
  while (end <= last && digitsIn(view.getInt32(end)) === EACH_HIGH_BIT) end += 4
  while (NIBBLES[bytes[end] ?? 0] !== 0) end += 1
  return bytes[end] === QUOTE ? end + 1 : FAILED
}

/** Inputs of transactions are much of a block and are never read. */
function skipLong(bytes: Buffer, at: number): number {
  if (!isOpening(bytes, at)) return FAILED
  const end = bytes.indexOf(QUOTE, at + OPENING)
  return end === -1 || (end - at) % 2 === 0 ? FAILED : end + 1
}

/** Length of a quoted hash with the comma behind it. */
const LISTED_HASH = OPENING + HASH_DIGITS + '",'.length

/** The number of hashes in a list of topics, from the positions of its ends. */
export function countTopics(begin: number, end: number): number {
  return Math.floor((end - begin - 1) / LISTED_HASH)
}

/** The position of the first digit of a topic, from the position of the list. */
export function topicAt(begin: number, rank: number): number {
  return begin + rank * LISTED_HASH + '["0x'.length
}

function skipTopics(source: Source, at: number): number {
  const { bytes } = source
  if (bytes[at] !== OPEN_LIST) return FAILED
  if (bytes[at + 1] === CLOSE_LIST) return at + 2
  for (let topic = at + 1; ; topic += LISTED_HASH) {
    const end = skipDigits(source, topic, HASH_DIGITS)
    if (end === FAILED) return FAILED
    if (bytes[end] === CLOSE_LIST) return end + 1
    if (bytes[end] !== COMMA) return FAILED
  }
}

/** A string without escapes. */
export function skipString(bytes: Uint8Array, at: number): number {
  if (bytes[at] !== QUOTE) return FAILED
  let end = at + 1
  while (PLAIN[bytes[end] ?? 0] === 1) end += 1
  return bytes[end] === QUOTE ? end + 1 : FAILED
}

function skipValue(bytes: Uint8Array, at: number, depth: number): number {
  switch (bytes[at]) {
    case QUOTE:
      return skipString(bytes, at)
    case OPEN_LIST:
      return skipNested(bytes, at, { close: CLOSE_LIST, depth })
    case OPEN_OBJECT:
      return skipNested(bytes, at, { close: CLOSE_OBJECT, depth })
    default:
      return skipBare(bytes, at)
  }
}

function skipNested(
  bytes: Uint8Array,
  begin: number,
  { close, depth }: { close: number; depth: number },
): number {
  if (depth > DEPTH_MAX) return FAILED
  if (bytes[begin + 1] === close) return begin + 2
  for (let at = begin + 1; ; ) {
    const value = close === CLOSE_OBJECT ? skipKey(bytes, at) : at
    const end = value === FAILED ? FAILED : skipValue(bytes, value, depth + 1)
    if (end === FAILED) return FAILED
    if (bytes[end] === close) return end + 1
    if (bytes[end] !== COMMA) return FAILED
    at = end + 1
  }
}

function skipKey(bytes: Uint8Array, at: number): number {
  const end = skipString(bytes, at)
  return end !== FAILED && bytes[end] === COLON ? end + 1 : FAILED
}

function skipNull(bytes: Uint8Array, at: number): number {
  return startsWith(bytes, at, NULL) ? at + NULL.length : FAILED
}

function startsWith(bytes: Uint8Array, at: number, expected: Uint8Array): boolean {
  for (let offset = 0; offset < expected.length; offset += 1) {
    if (bytes[at + offset] !== expected[offset]) return false
  }
  return true
}

/** A word of JSON or a whole number; nodes write no fractions. */
function skipBare(bytes: Uint8Array, at: number): number {
  const word = WORDS.get(bytes[at] ?? 0)
  if (word !== undefined) return startsWith(bytes, at, word) ? at + word.length : FAILED
  const digits = bytes[at] === MINUS ? at + 1 : at
  let end = digits
  while (isDigit(bytes[end] ?? 0)) end += 1
  if (end === digits) return FAILED
  return bytes[digits] === DIGIT_0 && end > digits + 1 ? FAILED : end
}

function isDigit(byte: number): boolean {
  return byte >= DIGIT_0 && byte <= DIGIT_9
}

/**
 * Stands for every shape that is not plainly the expected one (an escape, a blank, upper-case
 * digits, a key twice): then `JSON.parse` has the word.
 */
export const FAILED = -1

export const [QUOTE, COMMA, COLON] = [34, 44, 58]
export const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125]
const [MINUS, DIGIT_0, DIGIT_9, LETTER_X] = [45, 48, 57, 120]
/** What stands before the digits of a value. */
export const OPENING = '"0x'.length
export const [HASH_DIGITS, ADDRESS_DIGITS] = [64, 40]
/** Answers of nodes have less depth; others are for a parser. */
const DEPTH_MAX = 16

/** One more than the value of each lower-case hex digit; 0 for all that is none. */
export const NIBBLES = new Uint8Array(256)
for (let value = 0; value < 16; value += 1) NIBBLES[value.toString(16).charCodeAt(0)] = value + 1

/** The bytes of an answer, all of them ASCII: one by one, and four at once. */
export interface Source {
  bytes: Buffer
  view: DataView
}

/** Bytes that may stand in a string as they are: printable ASCII without quote and backslash. */
const PLAIN = new Uint8Array(256).fill(1, 0x20, 0x7f)
PLAIN[QUOTE] = 0
PLAIN['\\'.charCodeAt(0)] = 0

const NULL = Buffer.from('null')
/** By their first letter. */
const WORDS = new Map([NULL, Buffer.from('true'), Buffer.from('false')].map((one) => [one[0], one]))

/**
 * What is expected of the value of a key: `hex` is 0x and lower-case digits, `hash` 64 and
 * `address` 40 of them; `compared` is as long as a hash, and whoever reads the row compares its
 * digits with those of one; `own-hash` is the same, of the block that the objects belong to, and
 * `rank` is `hex`, of where the object stands in its list; `long` is 0x and an even number of
 * characters at which nobody looks; `topics` a list of hashes; `rows` is read by whoever reads the
 * object.
 */
export type Wanted =
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

/**
 * Passes over one value of the JSON of a node. In: the bytes and where the value begins. Out: the
 * position behind it.
 */
export function skip(source: Source, at: number, wanted: Wanted): number {
  const { bytes } = source
  switch (wanted) {
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

/** 0x and so many digits, a multiple of four. */
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
 * Of four bytes of ASCII at once: the highest bit of each says whether it is a lower-case hex
 * digit. What is added to a byte lifts it over 0x7f from the first of a range on, and from the
 * first behind it; no sum runs over into the next byte.
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

/** Inputs of transactions make up much of a block, and nobody reads them. */
function skipLong(bytes: Buffer, at: number): number {
  if (!isOpening(bytes, at)) return FAILED
  const end = bytes.indexOf(QUOTE, at + OPENING)
  return end === -1 || (end - at) % 2 === 0 ? FAILED : end + 1
}

/** Length of a hash in its quotes, with the comma behind it. */
const LISTED_HASH = OPENING + HASH_DIGITS + '",'.length

/** How many hashes a list of topics holds that begins and ends here. */
export function countTopics(begin: number, end: number): number {
  return Math.floor((end - begin - 1) / LISTED_HASH)
}

/** Where the topic of a rank begins, behind its 0x. */
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

/** A word of JSON, or a whole number; nodes write no others. */
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

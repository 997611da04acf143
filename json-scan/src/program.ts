import {
  add,
  and,
  assemble,
  below,
  bitsOf,
  bothOf,
  byteAt,
  choose,
  differ,
  differences,
  eitherOf,
  equal,
  hasAll,
  hasAny,
  leave,
  local,
  multiply,
  not,
  numberAt,
  or,
  rangeIn,
  repeatIf,
  repeatWhile,
  sameIn,
  set,
  signedBelowIn,
  sixteen,
  storeNumber,
  storeVector,
  subtract,
  reuse,
  vectorAt,
  when,
  zerosBelow,
} from './assembler.ts'
import type { Code, Local, Operand, Routine } from './assembler.ts'
import {
  ADDRESS_DIGITS,
  CLOSE_OBJECT,
  COMMA,
  CLOSE_LIST,
  HASH_DIGITS,
  OPENING,
  OPEN_LIST,
  OPEN_OBJECT,
  QUOTE,
} from './skip.ts'
import type { ValueKind } from './skip.ts'

/*
 * The vector version of `Shape` and `skip`, which remain its reference: it accepts only objects
 * that they accept, with the same rows, and leaves all others to them. Each function generates the
 * code of one step. AT is the position of the current object; the program returns it if a step
 * fails.
 */

/** Bytes in a page of WebAssembly memory. */
export const PAGE = 65_536
/**
 * Offsets in the entry of a key: the quoted text with its colon, a mask of the text's length, and
 * as numbers the length, the kind of the value, the offset of its place in the row, the address of
 * the next key and of the alternative key. The first entry matches nothing and ends all lists.
 */
export const KEY = { text: 0, mask: 32, length: 64, kind: 68, hole: 72, next: 76, other: 80 }
export const KEY_BYTES = 96
export const KEY_TEXT_MAX = 32
export const KEYS_MAX = 512
/** Address of the end of the complete rows. */
export const ROWS_END_AT = KEYS_MAX * KEY_BYTES
/** Address of the digits that `own-hash` must have. */
export const HASH_AT = ROWS_END_AT + 16
export const ROWS_AT = PAGE
export const ROWS_BYTES = 10 * PAGE
export const BODY_AT = ROWS_AT + ROWS_BYTES
/** Zeros behind a body, more than one step reads. */
export const BODY_MARGIN = 256

const [BACKSLASH, BLANK, DELETE] = [92, 32, 127]
const DIGITS_AT_ONCE = 16
const HIGH_BIT = 0x80
const HASH_END = OPENING + HASH_DIGITS
const ADDRESS_END = OPENING + ADDRESS_DIGITS
const [NULL, TRUE, FALS] = [word('null'), word('true'), word('fals')]
const [EMPTY_LIST, EMPTY_OBJECT, ZERO_X] = [word('[]'), word('{}'), word('"0x')]
const [DIGIT_0, LETTER_A, LETTER_E] = [48, 97, 101]
/** More digits would not fit a number of 32 bits. */
const RANK_DIGITS_MAX = 7

/** Parameters of `rows`. */
const [AT, ROW, ROOM_END, FIRST_KEY, WIDTH] = [local(0), local(1), local(2), local(3), local(4)]
const RANK = local(5)
const [KEY_AT, VALUE, STOP, STEP] = [local(6), local(7), local(8), local(9)]
const HELD = local(10)

/** The code that delimits each kind of value: it sets STOP behind the value at VALUE. */
const VALUES: Readonly<Record<Exclude<ValueKind, 'rows'>, Code>> = {
  hex: hex(),
  hash: digits(HASH_END),
  address: digits(ADDRESS_END),
  compared: compared(),
  'own-hash': ownHash(),
  rank: ownRank(),
  'address-or-null': orNull(digits(ADDRESS_END)),
  'hex-or-null': orNull(hex()),
  topics: topics(),
  long: long(),
  any: any(),
}
/** The kinds of values; the index is the number in a key's entry. */
export const KINDS: readonly string[] = Object.keys(VALUES)

/**
 * Reads objects of a list into rows while their keys are in a learned order, their values have the
 * right kinds, and `own-hash` and `rank` match. Parameters: position of the first object, address
 * of its row, end of the room for rows, address of the first key, bytes of a row, rank of the
 * object. Returns the position where it stopped: at an object that it could not read, or behind one
 * without a comma.
 */
const ROWS: Routine = {
  name: 'rows',
  params: 6,
  numbers: 4,
  vectors: 1,
  body: [
    ...storeNumber(ROWS_END_AT, ROW),
    ...repeatWhile(
      not(0),
      when(or(not(below(ROW, ROOM_END)), differ(charAt(AT), OPEN_OBJECT)), leave(AT)),
      emptyRow(),
      set(KEY_AT, FIRST_KEY),
      set(STOP, AT),
      repeatWhile(equal(charAt(STOP), COMMA), member()),
      when(differ(charAt(STOP), CLOSE_OBJECT), leave(AT)),
      set(AT, add(STOP, 1)),
      set(ROW, add(ROW, WIDTH)),
      set(RANK, add(RANK, 1)),
      storeNumber(ROWS_END_AT, ROW),
      when(differ(charAt(AT), COMMA), leave(AT)),
      set(AT, add(AT, 1)),
    ),
    ...leave(AT),
  ],
}

/** Fills a row with FAILED; writing past its end is harmless, the next row is filled later. */
function emptyRow(): Code {
  return [
    ...set(STEP, 0),
    ...repeatWhile(
      below(STEP, WIDTH),
      storeVector(add(ROW, STEP), sixteen(0xff)),
      set(STEP, add(STEP, 16)),
    ),
  ]
}

/** Reads the key and value behind STOP, a bracket or comma, and sets STOP behind them. */
function member(): Code {
  const isOther = hasAny(eitherOf(differenceAt(0), differenceAt(16)))
  return [
    ...repeatIf(isOther, set(KEY_AT, numberAt(KEY_AT, KEY.other)), when(not(KEY_AT), leave(AT))),
    ...set(VALUE, add(add(STOP, 1), numberAt(KEY_AT, KEY.length))),
    ...choose(numberAt(KEY_AT, KEY.kind), Object.values(VALUES)),
    // Positions of other values are written behind the row.
    ...set(STEP, add(ROW, numberAt(KEY_AT, KEY.hole))),
    ...storeNumber(STEP, VALUE),
    ...storeNumber(STEP, STOP, 4),
    ...set(KEY_AT, numberAt(KEY_AT, KEY.next)),
  ]
}

/** The bits in which sixteen bytes behind STOP differ from the key. */
function differenceAt(offset: number): Code {
  const found = vectorAt(STOP, BODY_AT + 1 + offset)
  const wanted = vectorAt(KEY_AT, KEY.text + offset)
  return bothOf(differences(found, wanted), vectorAt(KEY_AT, KEY.mask + offset))
}

function hex(): Code {
  return [
    ...opening(),
    ...set(STOP, add(VALUE, OPENING)),
    ...toFirst((vector) => bitsOf(hexIn(vector)), 'not'),
    ...closingQuote(),
  ]
}

/** 0x and digits up to the quote at `end`. */
function digits(end: number): Code {
  const last = end - DIGITS_AT_ONCE
  const places = Array.from({ length: Math.ceil((end - OPENING) / DIGITS_AT_ONCE) }, (_, at) =>
    Math.min(OPENING + at * DIGITS_AT_ONCE, last),
  )
  const all = places.map((place) => hexIn(vectorAt(VALUE, BODY_AT + place))).reduce(bothOf)
  return [
    ...opening(),
    ...when(not(hasAll(all)), leave(AT)),
    ...set(STOP, add(VALUE, end)),
    ...closingQuote(),
  ]
}

function compared(): Code {
  return [...opening(), ...set(STOP, add(VALUE, HASH_END)), ...closingQuote()]
}

function ownHash(): Code {
  const differs = [0, 16, 32, 48]
    .map((at) => differences(vectorAt(VALUE, BODY_AT + OPENING + at), vectorAt(0, HASH_AT + at)))
    .reduce(eitherOf)
  return [...compared(), ...when(hasAny(differs), leave(AT))]
}

/** A rank has few digits, so they are read one by one. */
function ownRank(): Code {
  const char = charAt(STOP)
  const isNumber = below(subtract(char, DIGIT_0), 10)
  const isLetter = below(subtract(char, LETTER_A), 6)
  // The low half of a letter's byte is its distance from the character before `a`.
  const nibble = add(and(char, 15), multiply(isLetter, 9))
  return [
    ...opening(),
    ...set(STOP, add(VALUE, OPENING)),
    ...set(STEP, 0),
    ...repeatWhile(
      differ(char, QUOTE),
      when(not(or(isNumber, isLetter)), leave(AT)),
      set(STEP, add(multiply(STEP, 16), nibble)),
      set(STOP, add(STOP, 1)),
    ),
    ...when(differ(STEP, RANK), leave(AT)),
    ...when(below(OPENING + RANK_DIGITS_MAX, subtract(STOP, VALUE)), leave(AT)),
    ...set(STOP, add(STOP, 1)),
  ]
}

function orNull(value: Code): Code {
  return [...set(STOP, add(VALUE, 4)), ...when(differ(fourAt(VALUE), NULL), value)]
}

function topics(): Code {
  const hash = digits(HASH_END)
  return [
    ...when(differ(charAt(VALUE), OPEN_LIST), leave(AT)),
    ...set(STEP, VALUE),
    ...set(STOP, add(VALUE, 1)),
    ...when(
      differ(charAt(STOP), CLOSE_LIST),
      set(STOP, VALUE),
      repeatWhile(equal(charAt(STOP), COMMA), set(VALUE, add(STOP, 1)), hash),
    ),
    ...set(VALUE, STEP),
    ...when(differ(charAt(STOP), CLOSE_LIST), leave(AT)),
    ...set(STOP, add(STOP, 1)),
  ]
}

function long(): Code {
  return [
    ...opening(),
    ...set(STOP, add(VALUE, OPENING)),
    ...toFirst((vector) =>
      bitsOf(
        reuse(HELD, vector, (first, again) =>
          eitherOf(sameIn(first, sixteen(QUOTE)), sameIn(again, sixteen(0))),
        ),
      ),
    ),
    ...when(not(and(subtract(STOP, VALUE), 1)), leave(AT)),
    ...closingQuote(),
  ]
}

/** A string, a word, `[]` or `{}`; an object with another value is left to `Shape`. */
function any(): Code {
  const ends = (vector: Code) =>
    reuse(HELD, vector, (first, again) => {
      const odd = eitherOf(sameIn(first, sixteen(QUOTE)), sameIn(again, sixteen(DELETE)))
      return bitsOf(eitherOf(odd, signedBelowIn(again, sixteen(BLANK))))
    })
  const two = and(fourAt(VALUE), 0xffff)
  return [
    ...set(STOP, 0),
    ...when(equal(charAt(VALUE), QUOTE), set(STOP, add(VALUE, 1)), toFirst(ends), closingQuote()),
    ...when(or(equal(two, EMPTY_LIST), equal(two, EMPTY_OBJECT)), set(STOP, add(VALUE, 2))),
    ...when(or(equal(fourAt(VALUE), NULL), equal(fourAt(VALUE), TRUE)), set(STOP, add(VALUE, 4))),
    ...when(
      and(equal(fourAt(VALUE), FALS), equal(byteAt(VALUE, BODY_AT + 4), LETTER_E)),
      set(STOP, add(VALUE, 5)),
    ),
    ...when(not(STOP), leave(AT)),
  ]
}

/**
 * Moves STOP to the first byte whose bit is set, or not set. Without a match it moves by a
 * constant, so the processor can load the next bytes early.
 */
function toFirst(bits: (vector: Code) => Code, sense: 'set' | 'not' = 'set'): Code {
  const found = bits(vectorAt(STOP, BODY_AT))
  const look = set(STEP, sense === 'set' ? found : subtract(0xffff, found))
  return [
    ...look,
    ...repeatIf(not(STEP), set(STOP, add(STOP, DIGITS_AT_ONCE)), look),
    ...set(STOP, add(STOP, zerosBelow(STEP))),
  ]
}

function opening(): Code {
  return when(differ(and(fourAt(VALUE), 0xffffff), ZERO_X), leave(AT))
}

/** Expects a quote at STOP and sets STOP behind it. */
function closingQuote(): Code {
  return [...when(differ(charAt(STOP), QUOTE), leave(AT)), ...set(STOP, add(STOP, 1))]
}

/** Marks the lower-case hex digits. */
function hexIn(vector: Code): Code {
  return reuse(HELD, vector, (first, again) =>
    eitherOf(rangeIn(first, DIGIT_0, 10), rangeIn(again, LETTER_A, 6)),
  )
}

function charAt(at: Operand): Code {
  return byteAt(at, BODY_AT)
}

function fourAt(at: Operand): Code {
  return numberAt(at, BODY_AT)
}

/** A text of at most four characters as the number that memory holds. */
function word(text: string): number {
  return Buffer.from(text.padEnd(4, '\0'), 'latin1').readInt32LE()
}

const LENGTH: Local = local(0)
const PLACE: Local = local(1)
/** Returns 1 if this many bytes of the body are ASCII without a backslash, else 0. */
const PLAIN: Routine = {
  name: 'isPlain',
  params: 1,
  numbers: 1,
  vectors: 2,
  body: (() => {
    const [held, odd] = [local(2), local(3)]
    const four = [0, 16, 32, 48].map((offset) =>
      reuse(held, vectorAt(PLACE, BODY_AT + offset), (first, again) =>
        eitherOf(sameIn(first, sixteen(BACKSLASH)), again),
      ),
    )
    return [
      ...repeatIf(
        below(PLACE, LENGTH),
        set(odd, four.reduce(eitherOf, odd)),
        set(PLACE, add(PLACE, 64)),
      ),
      ...not(hasAny(bothOf(odd, sixteen(HIGH_BIT)))),
    ]
  })(),
}

/** Assembles the program. */
export function scanProgram(): Uint8Array<ArrayBuffer> {
  return assemble([ROWS, PLAIN], BODY_AT / PAGE + 1)
}

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
} from './web-assembly.ts'
import type { Code, Local, Operand, Routine } from './web-assembly.ts'
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
} from './skip-json.ts'
import type { Wanted } from './skip-json.ts'

/*
 * The same as `Shape` and `skip` do byte by byte, which stay what it is compared with: objects that
 * it accepts are those that they accept, with the same rows, and any other is left to them. Each
 * function here makes the code of one step; AT is where the object begins that is being read, and
 * where the program stops when a step fails.
 */

/** Bytes of a page of WebAssembly's memory. */
export const PAGE = 65_536
/**
 * A key that may come next, in memory: the text of the key in quotes with its colon, ones where it
 * stands, and as numbers its length, the kind of its value, where in the row its place belongs, the
 * key behind it and the key that may stand in its stead. The first of all is no key: nothing
 * matches it, and nothing comes after it.
 */
export const KEY = { text: 0, mask: 32, length: 64, kind: 68, hole: 72, next: 76, other: 80 }
export const KEY_BYTES = 96
export const KEY_TEXT_MAX = 32
export const KEYS_MAX = 512
/** Where it is written how far the rows go that are whole. */
export const ROWS_END_AT = KEYS_MAX * KEY_BYTES
/** Where the digits of the hash stand that the objects of a list should name. */
export const HASH_AT = ROWS_END_AT + 16
export const ROWS_AT = PAGE
export const ROWS_BYTES = 10 * PAGE
export const BODY_AT = ROWS_AT + ROWS_BYTES
/** Zeros behind a body, more than are looked at in one go. */
export const BODY_MARGIN = 256

const [BACKSLASH, BLANK, DELETE] = [92, 32, 127]
const DIGITS_AT_ONCE = 16
const HIGH_BIT = 0x80
const HASH_END = OPENING + HASH_DIGITS
const ADDRESS_END = OPENING + ADDRESS_DIGITS
const [NULL, TRUE, FALS] = [word('null'), word('true'), word('fals')]
const [EMPTY_LIST, EMPTY_OBJECT, ZERO_X] = [word('[]'), word('{}'), word('"0x')]
const [DIGIT_0, LETTER_A, LETTER_E] = [48, 97, 101]
/** More would not fit a number. */
const RANK_DIGITS_MAX = 7

/** Parameters of `rows`. */
const [AT, ROW, ROOM_END, FIRST_KEY, WIDTH] = [local(0), local(1), local(2), local(3), local(4)]
const RANK = local(5)
const [KEY_AT, VALUE, STOP, STEP] = [local(6), local(7), local(8), local(9)]
const HELD = local(10)

/** How each kind of value is passed over: from VALUE to STOP, behind it. */
const VALUES: Readonly<Record<Exclude<Wanted, 'rows'>, Code>> = {
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
/** The kinds of values by their numbers. */
export const KINDS: readonly string[] = Object.keys(VALUES)

/**
 * Reads objects of a list into rows, as `Shape` does, as long as their keys come as they were
 * learned, their values are of the kinds wanted, and their hash and rank are what they should be.
 * In: where an object begins, where its row begins and where all rows end, the first key, the bytes
 * of a row, the object's rank. Out: where it stopped: at an object that
 * it could not read, or behind one that no comma follows.
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

/** No value anywhere; what is written beyond the row is where the next one begins. */
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

/** One key and its value, behind the bracket or the comma at STOP; then that is behind them. */
function member(): Code {
  const isOther = hasAny(eitherOf(differenceAt(0), differenceAt(16)))
  return [
    ...repeatIf(isOther, set(KEY_AT, numberAt(KEY_AT, KEY.other)), when(not(KEY_AT), leave(AT))),
    ...set(VALUE, add(add(STOP, 1), numberAt(KEY_AT, KEY.length))),
    ...choose(numberAt(KEY_AT, KEY.kind), Object.values(VALUES)),
    // What is not wanted is written behind the row.
    ...set(STEP, add(ROW, numberAt(KEY_AT, KEY.hole))),
    ...storeNumber(STEP, VALUE),
    ...storeNumber(STEP, STOP, 4),
    ...set(KEY_AT, numberAt(KEY_AT, KEY.next)),
  ]
}

/** How sixteen bytes behind STOP differ from the key's. */
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

/** So many characters to the quote, which are 0x and digits. */
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

/** Digits are read one by one: there are few. */
function ownRank(): Code {
  const char = charAt(STOP)
  const isNumber = below(subtract(char, DIGIT_0), 10)
  const isLetter = below(subtract(char, LETTER_A), 6)
  // Of letters the low half of the byte says how far they are from the one before `a`.
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

/** A string, a word or something empty; all else is for whoever reads objects one by one. */
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
 * Moves STOP on to the first byte whose bit is set, or is not. Where nothing is found it moves by a
 * number that is known before: so the next bytes are looked at while these still are.
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

/** At STOP; then that is behind it. */
function closingQuote(): Code {
  return [...when(differ(charAt(STOP), QUOTE), leave(AT)), ...set(STOP, add(STOP, 1))]
}

/** Which bytes are lower-case digits. */
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

/** The number that stands in memory where a text of four characters or less does. */
function word(text: string): number {
  return Buffer.from(text.padEnd(4, '\0'), 'latin1').readInt32LE()
}

const LENGTH: Local = local(0)
const PLACE: Local = local(1)
/** Answers with 1 where so many bytes of the body are ASCII without a backslash, else with 0. */
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

/** The program, to be compiled. */
export function scanProgram(): Uint8Array<ArrayBuffer> {
  return assemble([ROWS, PLAIN], BODY_AT / PAGE + 1)
}

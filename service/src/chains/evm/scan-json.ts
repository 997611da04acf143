import {
  CLOSE_LIST,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  FAILED,
  OPEN_LIST,
  OPEN_OBJECT,
  skip,
  skipString,
} from './skip-json.ts'
import type { Source, Wanted } from './skip-json.ts'

/** An empty key in its quotes would be too short to look for. */
const KEY_MIN = '"v"'.length
/** Answers of nodes have fewer keys and fewer objects; others are for a parser. */
const MEMBERS_MAX = 100
const ROWS_MAX = 65_536
const ROWS_AT_FIRST = 256

/** Reads a value from a position; answers with the position behind it. */
export type ReadRows = (source: Source, at: number) => number

/** Bytes to read from, which must be ASCII; they must not change meanwhile. */
export function openSource(bytes: Buffer): Source {
  return { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length) }
}

/**
 * An ASCII text of at least four bytes that is looked for at places. Eight bytes are compared at
 * once, as a number: of ASCII no two texts are the same one, and none is NaN or below zero.
 */
export class Literal {
  readonly length: number
  readonly text: Uint8Array
  readonly #words: Float64Array
  /** The last four bytes and those before them, or the first ones; they may overlap. */
  readonly #tail: number
  readonly #neck: number
  readonly #neckAt: number

  constructor(text: Uint8Array) {
    const view = new DataView(Uint8Array.from(text).buffer)
    this.text = new Uint8Array(view.buffer)
    this.length = text.length
    this.#words = Float64Array.from({ length: text.length >> 3 }, (_, at) =>
      view.getFloat64(8 * at, true),
    )
    this.#neckAt = Math.max(0, text.length - 8)
    this.#neck = view.getInt32(this.#neckAt, true)
    this.#tail = view.getInt32(text.length - 4, true)
  }

  /** Whether it stands at a position. */
  isAt({ view }: Source, at: number): boolean {
    if (at + this.length > view.byteLength) return false
    const words = this.#words
    for (let word = 0; word < words.length; word += 1) {
      if (view.getFloat64(at + 8 * word, true) !== words[word]) return false
    }
    return (
      view.getInt32(at + this.#neckAt, true) === this.#neck &&
      view.getInt32(at + this.length - 4, true) === this.#tail
    )
  }
}

/** A key whose value is wanted. */
export interface Wish {
  /** Where a row says where the value begins; the next number says where it ends. */
  place: number
  wanted: Wanted
}

/** A key as it stands in an object. */
export interface Member extends Wish {
  /** The key in quotes, and its colon. */
  token: Literal
}

const UNWANTED: Wish = { place: FAILED, wanted: 'any' }

/**
 * Objects of one kind, of which some keys are wanted. A node writes the keys of all objects of a
 * kind in one order, so the order of the last object is tried first.
 */
export class Shape {
  readonly #wishes: ReadonlyMap<string, Wish>
  readonly #order: Member[] = []
  /** Numbers that a row takes: where each wanted value begins, and where it ends. */
  readonly width: number

  constructor(wishes: Readonly<Record<string, Wish>>) {
    this.#wishes = new Map(Object.entries(wishes))
    this.width = 2 * this.#wishes.size
  }

  /**
   * Reads the object at a position into a row, which must hold FAILED everywhere. Out: the position
   * behind the object.
   */
  read(
    source: Source,
    begin: number,
    { rows, row, readRows }: { rows: Int32Array; row: number; readRows?: ReadRows },
  ): number {
    const { bytes } = source
    if (bytes[begin] !== OPEN_OBJECT) return FAILED
    let at = begin + 1
    for (let rank = 0; ; rank += 1) {
      const member = this.#memberAt(source, at, rank)
      if (member === null) return FAILED
      const value = at + member.token.length
      const { place, wanted } = member
      const end =
        wanted === 'rows' ? (readRows?.(source, value) ?? FAILED) : skip(source, value, wanted)
      if (end === FAILED) return FAILED
      if (place !== FAILED) {
        // A key that comes twice: which of the two counts is for a parser to say.
        if (rows[row + place] !== FAILED) return FAILED
        rows[row + place] = value
        rows[row + place + 1] = end
      }
      if (bytes[end] === CLOSE_OBJECT) return end + 1
      if (bytes[end] !== COMMA) return FAILED
      at = end + 1
    }
  }

  /** The keys of an object that was read, in their order. */
  membersAt(source: Source, begin: number): Member[] {
    const members: Member[] = []
    for (let at = begin + 1; ; ) {
      const member = this.#memberAt(source, at, members.length)
      if (member === null) return members
      members.push(member)
      const end = skip(source, at + member.token.length, member.wanted)
      if (source.bytes[end] !== COMMA) return members
      at = end + 1
    }
  }

  #memberAt(source: Source, at: number, rank: number): Member | null {
    const expected = this.#order[rank]
    if (expected !== undefined && expected.token.isAt(source, at)) return expected
    const { bytes } = source
    const end = skipString(bytes, at)
    if (end - at < KEY_MIN || bytes[end] !== COLON || rank >= MEMBERS_MAX) return null
    const known = this.#wishes.get(bytes.toString('latin1', at + 1, end - 1)) ?? UNWANTED
    const member = { token: new Literal(bytes.subarray(at, end + 1)), ...known }
    this.#order[rank] = member
    return member
  }
}

/** Objects of one kind, one row each. */
export interface Table {
  count: number
  rows: Int32Array
  /** 1 for each row whose `own-hash` and `rank` were found right, if it has them. */
  proved: Uint8Array
}

/** Reads a list of objects into rows; null where it is none. `end` is behind it. */
export function readTable(
  shape: Shape,
  source: Source,
  begin: number,
): { table: Table; end: number } | null {
  const { bytes } = source
  if (bytes[begin] !== OPEN_LIST) return null
  if (bytes[begin + 1] === CLOSE_LIST) {
    const table = { count: 0, rows: new Int32Array(0), proved: new Uint8Array(0) }
    return { table, end: begin + 2 }
  }
  let rows = new Int32Array(ROWS_AT_FIRST * shape.width).fill(FAILED)
  let at = begin + 1
  for (let count = 0; ; ) {
    const row = count * shape.width
    if (count === ROWS_MAX) return null
    if (row === rows.length) rows = doubled(rows)
    const end = shape.read(source, at, { rows, row })
    if (end === FAILED) return null
    count += 1
    if (bytes[end] === CLOSE_LIST) {
      return { table: { count, rows, proved: new Uint8Array(count) }, end: end + 1 }
    }
    if (bytes[end] !== COMMA) return null
    at = end + 1
  }
}

function doubled(rows: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * rows.length).fill(FAILED, rows.length)
  larger.set(rows)
  return larger
}

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
} from './skip.ts'
import type { Source, ValueKind } from './skip.ts'

/** The shortest quoted key that `Literal` can compare with its colon. */
const KEY_MIN = '"v"'.length
/** Limits of keys and objects; answers of nodes have fewer. */
const MEMBERS_MAX = 100
const ROWS_MAX = 65_536
const ROWS_INITIAL = 256

/** Reads a value at a position. Returns the position behind it, or FAILED. */
export type ReadRows = (source: Source, at: number) => number

/** Opens ASCII bytes, which must not change while they are read. */
export function openSource(bytes: Buffer): Source {
  return { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length) }
}

/**
 * An ASCII text of at least four bytes, compared with the bytes at a position. Eight bytes are
 * compared at once as a double: different ASCII texts are different doubles, and none is NaN.
 */
export class Literal {
  readonly length: number
  readonly text: Uint8Array
  readonly #words: Float64Array
  /** The last four bytes, and the four before them (or the first four); they may overlap. */
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

  /** Whether the bytes at a position are this text. */
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

/** A key whose value is recorded. */
export interface Wish {
  /** The index in the row of the value's first position; the next number is its end. */
  place: number
  kind: ValueKind
}

/** A key of an object. */
export interface Member extends Wish {
  /** The quoted key with its colon. */
  token: Literal
}

const UNWANTED: Wish = { place: FAILED, kind: 'any' }

/**
 * The recorded keys of objects of one kind. A node writes the keys of all objects of a kind in one
 * order, so the order of the last object is tried first.
 */
export class Shape {
  readonly #wishes: ReadonlyMap<string, Wish>
  readonly #order: Member[] = []
  /** Numbers in a row: the begin and the end of each recorded value. */
  readonly width: number

  constructor(wishes: Readonly<Record<string, Wish>>) {
    this.#wishes = new Map(Object.entries(wishes))
    this.width = 2 * this.#wishes.size
  }

  /**
   * Reads the object at a position into a row, which must be filled with FAILED. Returns the
   * position behind the object, or FAILED.
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
      const { place, kind } = member
      const end =
        kind === 'rows' ? (readRows?.(source, value) ?? FAILED) : skip(source, value, kind)
      if (end === FAILED) return FAILED
      if (place !== FAILED) {
        // The key appears twice: a parser decides which one counts.
        if (rows[row + place] !== FAILED) return FAILED
        rows[row + place] = value
        rows[row + place + 1] = end
      }
      if (bytes[end] === CLOSE_OBJECT) return end + 1
      if (bytes[end] !== COMMA) return FAILED
      at = end + 1
    }
  }

  /** The keys of an object that was read, in order. */
  membersAt(source: Source, begin: number): Member[] {
    const members: Member[] = []
    for (let at = begin + 1; ; ) {
      const member = this.#memberAt(source, at, members.length)
      if (member === null) return members
      members.push(member)
      const end = skip(source, at + member.token.length, member.kind)
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
  /** 1 for each row whose `own-hash` and `rank` were compared already. */
  proved: Uint8Array
}

/** Reads a list of objects into rows; null if it has another form. `end` is behind the list. */
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
  let rows = new Int32Array(ROWS_INITIAL * shape.width).fill(FAILED)
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

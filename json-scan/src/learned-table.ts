import { readTable } from './shape.ts'
import type { Shape, Table } from './shape.ts'
import { Layout } from './memory.ts'
import type { ScanMemory } from './memory.ts'
import {
  CLOSE_LIST,
  CLOSE_OBJECT,
  COMMA,
  FAILED,
  HASH_DIGITS,
  OPEN_LIST,
  OPEN_OBJECT,
} from './skip.ts'
import type { Source } from './skip.ts'

/** If more than this, plus half of all objects, had to be learned, the program does not help. */
const LEARNED_MAX = 32

/** Reads lists of objects of one shape, and learns the order of their keys for the program. */
export class LearnedTables {
  readonly #shape: Shape
  readonly #layout: Layout

  constructor(shape: Shape) {
    this.#shape = shape
    this.#layout = new Layout(shape.width)
  }

  /**
   * Reads the same table as `readTable`, by the program if the memory holds the body and the digits
   * of `own-hash` are known. An object that the program cannot read is read by `Shape` and learned.
   */
  read(
    source: Source,
    begin: number,
    { memory, hash }: { memory: ScanMemory | null; hash: Uint8Array | null },
  ): { table: Table; end: number } | null {
    const { bytes } = source
    const isFull = bytes[begin] === OPEN_LIST && bytes[begin + 1] === OPEN_OBJECT
    const isKnown = hash?.length === HASH_DIGITS && memory?.holds(bytes) === true
    if (!isFull || !isKnown) return readTable(this.#shape, source, begin)
    const { width } = this.#shape
    memory.expect(hash)
    const unproved: number[] = []
    let count = 0
    for (let at = begin + 1; ; ) {
      ;({ count, at } = memory.read(this.#layout, at, count))
      if (bytes[at - 1] !== CLOSE_OBJECT) {
        const isUnusual = unproved.length > LEARNED_MAX + count / 2
        if (isUnusual || count === memory.roomFor(width))
          return readTable(this.#shape, source, begin)
        const rows = memory.rows(count + 1, width)
        rows.fill(FAILED, count * width)
        const end = this.#shape.read(source, at, { rows, row: count * width })
        if (end === FAILED) return null
        memory.learn(this.#layout, this.#shape.membersAt(source, at))
        unproved.push(count)
        count += 1
        at = bytes[end] === COMMA ? end + 1 : end
      }
      if (bytes[at - 1] !== CLOSE_OBJECT) continue
      if (bytes[at] !== CLOSE_LIST) return null
      const proved = new Uint8Array(count).fill(1)
      for (const rank of unproved) proved[rank] = 0
      return { table: { count, rows: memory.rows(count, width).slice(), proved }, end: at + 1 }
    }
  }
}

import { readTable } from './scan-json.ts'
import type { Shape, Table } from './scan-json.ts'
import { Layout } from './scan-memory.ts'
import type { ScanMemory } from './scan-memory.ts'
import {
  CLOSE_LIST,
  CLOSE_OBJECT,
  COMMA,
  FAILED,
  HASH_DIGITS,
  OPEN_LIST,
  OPEN_OBJECT,
} from './skip-json.ts'
import type { Source } from './skip-json.ts'

/** Of so many objects, and half of all, it is not worth the while to have tried. */
const ODD_MAX = 32

/** Lists of objects of one shape, and how they were seen to be written. */
export class SwiftTables {
  readonly #shape: Shape
  readonly #layout: Layout

  constructor(shape: Shape) {
    this.#shape = shape
    this.#layout = new Layout(shape.width)
  }

  /**
   * What `readTable` reads, with a memory that holds the body. What is not written as it was
   * learned is read object by object, and learned. In: the digits of the hash that the objects
   * should name, where it is known.
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
        const isOdd = unproved.length > ODD_MAX + count / 2
        if (isOdd || count === memory.roomFor(width)) return readTable(this.#shape, source, begin)
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

import { readTable } from './scan-json.ts'
import type { Shape, Table } from './scan-json.ts'
import { Layout } from './scan-memory.ts'
import type { ScanMemory } from './scan-memory.ts'
import { CLOSE_LIST, CLOSE_OBJECT, COMMA, FAILED, OPEN_LIST, OPEN_OBJECT } from './skip-json.ts'
import type { Source } from './skip-json.ts'

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
   * learned is read object by object, and learned.
   */
  read(
    source: Source,
    begin: number,
    memory: ScanMemory | null,
  ): { table: Table; end: number } | null {
    const { bytes } = source
    const isFull = bytes[begin] === OPEN_LIST && bytes[begin + 1] === OPEN_OBJECT
    if (!isFull || !memory?.holds(bytes)) return readTable(this.#shape, source, begin)
    const { width } = this.#shape
    let count = 0
    for (let at = begin + 1; ; ) {
      ;({ count, at } = memory.read(this.#layout, at, count))
      if (bytes[at - 1] !== CLOSE_OBJECT) {
        if (count === memory.roomFor(width)) return readTable(this.#shape, source, begin)
        const rows = memory.rows(count + 1, width)
        rows.fill(FAILED, count * width)
        const end = this.#shape.read(source, at, { rows, row: count * width })
        if (end === FAILED) return null
        memory.learn(this.#layout, this.#shape.membersAt(source, at))
        count += 1
        at = bytes[end] === COMMA ? end + 1 : end
      }
      if (bytes[at - 1] !== CLOSE_OBJECT) continue
      if (bytes[at] !== CLOSE_LIST) return null
      return { table: { count, rows: memory.rows(count, width).slice() }, end: at + 1 }
    }
  }
}

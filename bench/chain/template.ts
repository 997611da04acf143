/**
 * Where in a text the fields stand that differ from block to block; each always has the same width.
 */
export type Field = string

/** A text that stands nowhere but in a field, and how far behind its begin the field begins. */
export interface Mark {
  text: string
  skip: number
}

/**
 * One pre-serialized JSON text. `render` copies it once, with the envelope of JSON-RPC around it
 * and
 * the fields of a block written over those of the block it was made from.
 */
export class Template {
  readonly #bytes: Buffer
  readonly #offsets: [field: Field, offsets: number[]][] = []

  /** `marks`: texts by which each field is found. */
  constructor(text: string, marks: ReadonlyMap<Field, readonly Mark[]>) {
    this.#bytes = Buffer.from(text, 'latin1')
    for (const [field, wanted] of marks) {
      const offsets = wanted.flatMap((mark) => placesOf(text, mark))
      if (offsets.length > 0) this.#offsets.push([field, offsets])
    }
  }

  get size(): number {
    return this.#bytes.length
  }

  /** The whole answer to a request of this id. */
  answer(id: string, values: ReadonlyMap<Field, string>): Buffer {
    const head = `{"jsonrpc":"2.0","id":${id},"result":`
    const out = Buffer.allocUnsafe(head.length + this.#bytes.length + 1)
    out.write(head, 0, 'latin1')
    this.#write(out, head.length, values)
    out[out.length - 1] = 125
    return out
  }

  /** The text alone. */
  render(values: ReadonlyMap<Field, string>): Buffer {
    const out = Buffer.allocUnsafe(this.#bytes.length)
    this.#write(out, 0, values)
    return out
  }

  #write(out: Buffer, start: number, values: ReadonlyMap<Field, string>): void {
    this.#bytes.copy(out, start)
    for (const [field, offsets] of this.#offsets) {
      const value = values.get(field)
      if (value === undefined) continue
      for (const at of offsets) out.write(value, start + at, 'latin1')
    }
  }
}

function placesOf(text: string, mark: Mark): number[] {
  const places: number[] = []
  for (let at = text.indexOf(mark.text); at !== -1; at = text.indexOf(mark.text, at + 1)) {
    places.push(at + mark.skip)
  }
  return places
}

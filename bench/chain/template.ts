/** Positions in a text of the fields that differ from block to block; each has a fixed width. */
export type Field = string

/** A text that occurs only in one field, and the offset of the field from its begin. */
export interface Mark {
  text: string
  skip: number
}

/**
 * One pre-serialized JSON text. `render` copies it once, with the fields of a block written over
 * those of the block it was made from.
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

  /** The text alone. */
  render(values: ReadonlyMap<Field, string>): Buffer {
    const out = Buffer.from(this.#bytes)
    for (const [field, offsets] of this.#offsets) {
      const value = values.get(field)
      if (value === undefined) continue
      for (const at of offsets) out.write(value, at, 'latin1')
    }
    return out
  }
}

function placesOf(text: string, mark: Mark): number[] {
  const places: number[] = []
  for (let at = text.indexOf(mark.text); at !== -1; at = text.indexOf(mark.text, at + 1)) {
    places.push(at + mark.skip)
  }
  return places
}

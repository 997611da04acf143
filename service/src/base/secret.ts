import { inspect } from 'node:util'

/**
 * Text that must not reach a log: it prints and serializes as `[secret]`; `reveal` is the one way
 * to read it.
 */
export class Secret {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  reveal(): string {
    return this.#text
  }

  toString(): string {
    return '[secret]'
  }

  toJSON(): string {
    return '[secret]'
  }

  [inspect.custom](): string {
    return '[secret]'
  }
}

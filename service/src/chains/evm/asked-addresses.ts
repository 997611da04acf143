import { ADDRESS_WORDS } from '../address-words.ts'
import type { BlockScope } from '../port.ts'
import { brandEvmAddress } from './address.ts'

const WORD_DIGITS = 8

/** Addresses in the bytes of answers, looked up together in the filter of watched addresses. */
export class AskedAddresses {
  readonly #words: Int32Array
  #used = 0

  /** In: the most addresses that are added. */
  constructor(room: number) {
    this.#words = new Int32Array(room * ADDRESS_WORDS)
  }

  /** Adds the address whose lower-case digits begin at a position. */
  add(view: DataView, at: number): void {
    const words = this.#words
    for (let word = 0, digits = at; word < ADDRESS_WORDS; word += 1, digits += WORD_DIGITS) {
      words[this.#used + word] =
        (fourDigits(view.getInt32(digits)) << 16) | fourDigits(view.getInt32(digits + 4))
    }
    this.#used += ADDRESS_WORDS
  }

  /** 1 for each address that may be watched, else 0; in the order of `add`. */
  answers({ mayWatch, mayWatchBytes, mayWatchEach }: BlockScope): Uint8Array {
    const words = this.#words.subarray(0, this.#used)
    if (mayWatchEach !== undefined) return mayWatchEach(words)
    const answers = new Uint8Array(words.length / ADDRESS_WORDS).fill(1)
    if (mayWatch === undefined) return answers
    const bytes = Buffer.alloc(4 * ADDRESS_WORDS)
    return answers.map((_, at) => {
      for (let word = 0; word < ADDRESS_WORDS; word += 1) {
        bytes.writeInt32BE(words[at * ADDRESS_WORDS + word] ?? 0, 4 * word)
      }
      const isWatched =
        mayWatchBytes?.(bytes) ?? mayWatch(brandEvmAddress(`0x${bytes.toString('hex')}`))
      return isWatched ? 1 : 0
    })
  }
}

/** The number written by four lower-case digits. */
function fourDigits(digits: number): number {
  // The low half of a letter's byte is its distance from the character before `a`.
  const nibbles = (digits & 0x0f0f0f0f) + 9 * ((digits >>> 6) & 0x01010101)
  const pairs = nibbles | (nibbles >>> 4)
  return ((pairs >>> 8) & 0xff00) | (pairs & 0xff)
}

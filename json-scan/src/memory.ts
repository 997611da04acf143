import {
  BODY_AT,
  BODY_MARGIN,
  HASH_AT,
  KEY,
  KEY_BYTES,
  KEY_TEXT_MAX,
  KEYS_MAX,
  KINDS,
  PAGE,
  ROWS_AT,
  ROWS_BYTES,
  ROWS_END_AT,
  scanProgram,
} from './program.ts'
import type { Member } from './shape.ts'
import { HASH_DIGITS } from './skip.ts'

/** Longer bodies are read without the program; most blocks have a twentieth of this. */
const BODY_MAX = 16_000_000
/** The address of the entry that matches no key. */
const NO_KEY = 0

/** The parts of the global that are used; a process can be started without WebAssembly. */
declare const WebAssembly:
  | {
      Module: new (bytes: Uint8Array) => object
      Instance: new (module: object) => { exports: Exports }
    }
  | undefined

interface Exports {
  memory: { buffer: ArrayBuffer; grow(pages: number): number }
  isPlain(length: number): number
  rows(
    at: number,
    row: number,
    roomEnd: number,
    firstKey: number,
    width: number,
    rank: number,
  ): number
}

/** The memory of the program; it holds one body at a time. */
export class ScanMemory {
  readonly #exports: Exports
  #bytes: Uint8Array
  #numbers: Int32Array
  #body: Uint8Array | null = null
  #keys = 1
  /** Layouts of an earlier epoch have lost their keys. */
  #epoch = nextEpoch()

  constructor(exports: Exports) {
    this.#exports = exports
    this.#bytes = new Uint8Array(exports.memory.buffer)
    this.#numbers = new Int32Array(exports.memory.buffer)
    this.#bytes.fill(0xff, NO_KEY, NO_KEY + KEY.length)
  }

  /** Copies a body in. Null if it is too long, else whether it is ASCII without a backslash. */
  isPlain(body: Uint8Array): boolean | null {
    this.#body = null
    if (body.length > BODY_MAX) return null
    const end = BODY_AT + body.length + BODY_MARGIN
    const missing = Math.ceil((end - this.#bytes.length) / PAGE)
    if (missing > 0) {
      this.#exports.memory.grow(missing)
      this.#bytes = new Uint8Array(this.#exports.memory.buffer)
      this.#numbers = new Int32Array(this.#exports.memory.buffer)
    }
    this.#bytes.set(body, BODY_AT)
    this.#bytes.fill(0, end - BODY_MARGIN, end)
    this.#body = body
    return this.#exports.isPlain(body.length) === 1
  }

  /** Whether this is the last body that was copied in. */
  holds(body: Uint8Array): boolean {
    return this.#body === body
  }

  /** Sets the digits that `own-hash` of the next objects must have. */
  expect(hash: Uint8Array): void {
    if (hash.length !== HASH_DIGITS) throw new Error(`own-hash must have ${HASH_DIGITS} digits`)
    this.#bytes.set(hash, HASH_AT)
  }

  /** The number of rows of this width that fit into the memory. */
  roomFor(width: number): number {
    return Math.floor((ROWS_BYTES - PAGE) / (4 * width))
  }

  /**
   * Reads objects from a position into rows from a rank on. Returns the number of complete rows and
   * the position where it stopped: at an object that it could not read, or behind one without a
   * comma.
   */
  read(layout: Layout, at: number, rank: number): { count: number; at: number } {
    const width = 4 * layout.width
    const roomEnd = ROWS_AT + this.roomFor(layout.width) * width
    const firstKey = layout.epoch === this.#epoch ? layout.first : NO_KEY
    const stop = this.#exports.rows(at, ROWS_AT + rank * width, roomEnd, firstKey, width, rank)
    return { count: ((this.#numbers[ROWS_END_AT / 4] ?? 0) - ROWS_AT) / width, at: stop }
  }

  /** The first rows, in the program's memory: valid until the next body is copied in. */
  rows(count: number, width: number): Int32Array {
    return this.#numbers.subarray(ROWS_AT / 4, ROWS_AT / 4 + count * width)
  }

  /** Learns an order of keys. */
  learn(layout: Layout, members: readonly Member[]): void {
    if (this.#keys + members.length > KEYS_MAX) this.#forget()
    if (layout.epoch !== this.#epoch) layout.begin(this.#epoch)
    let link = -1
    let key = layout.first
    for (const member of members) {
      if (member.token.length > KEY_TEXT_MAX) return
      while (key !== NO_KEY && !this.#isKey(key, member)) {
        link = key + KEY.other
        key = this.#numberAt(link)
      }
      if (key === NO_KEY) {
        key = this.#addKey(layout, member)
        if (link < 0) layout.first = key
        else this.#numbers[link / 4] = key
      }
      link = key + KEY.next
      key = this.#numberAt(link)
    }
  }

  #forget(): void {
    this.#keys = 1
    this.#epoch = nextEpoch()
  }

  #addKey(layout: Layout, { token, place, kind }: Member): number {
    const key = this.#keys * KEY_BYTES
    this.#keys += 1
    this.#bytes.fill(0, key, key + KEY_BYTES)
    this.#bytes.set(token.text, key + KEY.text)
    this.#bytes.fill(0xff, key + KEY.mask, key + KEY.mask + token.length)
    const hole = place < 0 ? layout.width : place
    this.#numbers[(key + KEY.length) / 4] = token.length
    this.#numbers[(key + KEY.kind) / 4] = KINDS.indexOf(kind)
    this.#numbers[(key + KEY.hole) / 4] = 4 * hole
    return key
  }

  #isKey(key: number, { token }: Member): boolean {
    const length = this.#numberAt(key + KEY.length)
    if (length !== token.length) return false
    return token.text.every((byte, at) => this.#bytes[key + at] === byte)
  }

  #numberAt(address: number): number {
    return this.#numbers[address / 4] ?? 0
  }
}

/** The orders of keys that were learned for objects of one kind. */
export class Layout {
  readonly width: number
  first = NO_KEY
  epoch = 0

  constructor(width: number) {
    this.width = width
  }

  begin(epoch: number): void {
    this.first = NO_KEY
    this.epoch = epoch
  }
}

let epochs = 0

function nextEpoch(): number {
  epochs += 1
  return epochs
}

let opened: ScanMemory | null | undefined

/**
 * The memory of this thread; null if it has no WebAssembly with vectors. The program is assembled
 * at first use, in a few milliseconds, so it needs no build step.
 */
export function openScanMemory(): ScanMemory | null {
  if (opened === undefined) opened = tryToOpen()
  return opened
}

function tryToOpen(): ScanMemory | null {
  if (typeof WebAssembly === 'undefined') return null
  try {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(scanProgram()))
    return new ScanMemory(exports)
  } catch {
    // The processor lacks these instructions; answers are read byte by byte.
    return null
  }
}

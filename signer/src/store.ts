import { createHash } from 'node:crypto'
import { open, type FileHandle } from 'node:fs/promises'
import type { Entry, History } from './history.ts'

/** Keeps the history beyond the process. */
export interface Store {
  /** Reads what was added since the last call, here or by another process, into the history. */
  catchUp(): Promise<void>
  /**
   * Adds entries after all that was read, and returns once they are on disk. False if another
   * process added something meanwhile: then nothing counts, and the caller decides again.
   */
  append(entries: readonly Entry[]): Promise<boolean>
  close(): Promise<void>
}

const OWNER_ONLY = 0o600
const CHUNK_BYTES = 1 << 20
const FIRST = '0'.repeat(64)

/** Heads kept to recognize the lines of a process that was second. */
const HEADS_MAX = 10_000

/**
 * An append-only file of lines `<head before> <head> <JSON>`. A head is the SHA-256 of the head
 * before and the JSON. A line is valid if the head before it is the last valid one. Lines behind an
 * earlier head come from a process that was second; it made no signature, and decides again.
 * Therefore signers of one machine share a file without a lock. A torn line (loss of power) is
 * ignored, because no request was answered for it. Any other invalid line is damage, and the store
 * does not open.
 */
export class FileStore implements Store {
  readonly #file: FileHandle
  readonly #history: History
  readonly #path: string
  #head = FIRST
  /** The last heads, also of lines that count for nothing. */
  readonly #seen = new Set([FIRST])
  /** Bytes that were read, up to the end of a line. */
  #read = 0
  /** Whether more bytes follow them, without the end of a line. */
  #isTorn = false
  /** Whether the last line read has another head than its own text. */
  #isBroken = false

  private constructor(file: FileHandle, path: string, history: History) {
    this.#file = file
    this.#path = path
    this.#history = history
  }

  /** Opens a file or makes it (0600), and reads it into the history. Throws if it is damaged. */
  static async open(path: string, history: History): Promise<FileStore> {
    const store = new FileStore(await open(path, 'a+', OWNER_ONLY), path, history)
    try {
      await store.catchUp()
      return store
    } catch (error) {
      await store.close()
      throw error
    }
  }

  /** Hash over all entries so far, as 64 hexadecimal digits. */
  head(): string {
    return this.#head
  }

  async catchUp(): Promise<void> {
    await this.#readUntil(null)
  }

  async append(entries: readonly Entry[]): Promise<boolean> {
    let head = this.#head
    const lines = entries.map((entry) => {
      const json = JSON.stringify(entry)
      const before = head
      head = after(before, json)
      return `${before} ${head} ${json}\n`
    })
    // A torn line ends here.
    await this.#file.appendFile(`${this.#isTorn ? '\n' : ''}${lines.join('')}`)
    await this.#file.datasync()
    return this.#readUntil(head)
  }

  async close(): Promise<void> {
    await this.#file.close()
  }

  /** Reads to the end of the file. Returns whether a line with this head counts. */
  async #readUntil(head: string | null): Promise<boolean> {
    const chunk = Buffer.alloc(CHUNK_BYTES)
    let rest = Buffer.alloc(0)
    let isFound = false
    for (;;) {
      const from = this.#read + rest.length
      const { bytesRead } = await this.#file.read(chunk, 0, CHUNK_BYTES, from)
      if (bytesRead === 0) break
      const text = Buffer.concat([rest, chunk.subarray(0, bytesRead)])
      const end = text.lastIndexOf(0x0a) + 1
      for (const line of text.subarray(0, end).toString('utf8').split('\n').slice(0, -1)) {
        if (this.#take(line) && this.#head === head) isFound = true
      }
      this.#read += end
      rest = Buffer.from(text.subarray(end))
    }
    this.#isTorn = rest.length > 0
    if (this.#isBroken && !this.#isTorn) this.#damaged()
    return isFound
  }

  /** Takes a line into the history; whether it counts. */
  #take(line: string): boolean {
    const [before = '', head = ''] = line.split(' ', 2)
    const json = line.slice(before.length + head.length + 2)
    if (head === '' || after(before, json) !== head) {
      this.#isBroken ||= line !== ''
      return false
    }
    if (!this.#seen.has(before)) this.#damaged()
    this.#seen.add(head)
    const [oldest] = this.#seen
    if (this.#seen.size > HEADS_MAX && oldest !== undefined) this.#seen.delete(oldest)
    if (before !== this.#head) return false
    this.#isBroken = false
    this.#history.apply(parseEntry(json))
    this.#head = head
    return true
  }

  #damaged(): never {
    throw new StoreDamaged(`The store of the signer at ${this.#path} is damaged.`)
  }
}

/** The file was changed outside of the signer, or its disk failed. The signer refuses to start. */
export class StoreDamaged extends Error {
  override readonly name = 'StoreDamaged'
}

/** An entry whose line has the right head: this class wrote it. */
function parseEntry(json: string): Entry {
  return JSON.parse(json) as Entry
}

function after(head: string, json: string): string {
  return createHash('sha256').update(head).update(json).digest('hex')
}

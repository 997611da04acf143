import { Agent } from 'undici'
import type { Dispatcher } from 'undici'
import { openConnector } from './connector.ts'
import type { ConnectorOptions } from './connector.ts'
import { isAccepted } from './delivery.ts'
import type { Answer } from './delivery.ts'
import { describeError } from './describe-error.ts'

export interface Post {
  url: URL
  headers: Record<string, string>
  body: Uint8Array
}

/** Sends POSTs over pooled connections. Returns null if `deadlines` closed before an answer. */
export interface Poster {
  send(post: Post): Promise<Answer | null>
  /** Ends every connection. */
  close(): Promise<void>
}

export interface PosterOptions extends ConnectorOptions {
  deadlineMs: number
  /** How much of an answer's body is read and stored, in bytes. */
  answerBytesMax: number
}

/**
 * Opens the only outbound HTTP client for webhooks: no redirects, cookies, proxies or
 * decompression, one deadline over DNS, connection, headers and body, and a limited body size.
 */
export function openPoster(options: PosterOptions): Poster {
  const agent = new Agent({
    connect: openConnector(options),
    pipelining: 1,
    // One deadline covers everything; see `Exchange`.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  const freed = new Freed()
  return {
    send: (post) =>
      new Promise((resolve) => {
        const exchange = new Exchange(options, (answer) => freed.next(() => resolve(answer)))
        agent.dispatch(requestOf(post), exchange)
      }),
    close: () => agent.destroy(),
  }
}

/**
 * undici frees a connection one turn of the event loop after its answer; an earlier request opens
 * another one. Answers therefore wait for two turns, together with others of the same turn.
 */
class Freed {
  #waiting: (() => void)[] = []

  next(tell: () => void): void {
    this.#waiting.push(tell)
    if (this.#waiting.length === 1) setImmediate(() => setImmediate(() => this.#notifyAll()))
  }

  #notifyAll(): void {
    const all = this.#waiting
    this.#waiting = []
    for (const tell of all) tell()
  }
}

/** One request and its answer, reported once: complete, truncated, or partial at the deadline. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #reading: Reading
  readonly #tell: (answer: Answer | null) => void
  readonly #cancel: () => void
  #controller: Dispatcher.DispatchController | null = null
  #isOver = false

  constructor(
    { answerBytesMax, deadlineMs, deadlines }: PosterOptions,
    tell: (answer: Answer | null) => void,
  ) {
    this.#reading = new Reading(answerBytesMax)
    this.#tell = tell
    this.#cancel = deadlines.start((why) => {
      const late = `no whole answer within ${deadlineMs} ms`
      this.#stop(why === 'closing' ? null : this.#brokenOff(late))
    })
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#isOver) this.#stop(null)
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: HeadersRead,
  ): void {
    this.#reading.begin(status, headers)
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#reading.take(chunk)) this.#stop(this.#reading.answer(''))
  }

  onResponseEnd(): void {
    this.#finish(this.#reading.answer(''))
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#finish(this.#brokenOff(describeError(error)))
  }

  /** The content after a 2xx status has no effect, even if it is truncated (interface, 6.5). */
  #brokenOff(why: string): Answer {
    return this.#reading.answer(this.#reading.isAcknowledged ? '' : why)
  }

  #finish(answer: Answer | null): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#cancel()
    this.#tell(answer)
  }

  #stop(answer: Answer | null): void {
    this.#finish(answer)
    this.#controller?.abort(new Error('no more of this answer is wanted'))
  }
}

function requestOf({ url, headers, body }: Post): Dispatcher.DispatchOptions {
  const { origin, pathname, search } = url
  return { origin, path: `${pathname}${search}`, method: 'POST', headers, body }
}

type HeadersRead = Readonly<Record<string, string | string[] | undefined>>

/** A partial answer. */
class Reading {
  readonly #bytesMax: number
  readonly #chunks: Uint8Array[] = []
  #status: number | null = null
  #headers: HeadersRead = {}
  #size = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  /** Statuses below 200 are informational. */
  begin(status: number, headers: HeadersRead): void {
    if (status < 200) return
    this.#status = status
    this.#headers = headers
  }

  /** Whether the receiver has acknowledged. */
  get isAcknowledged(): boolean {
    return isAccepted({ status: this.#status, error: '' })
  }

  /** Stores what fits; false if there was more. */
  take(chunk: Uint8Array): boolean {
    const room = this.#bytesMax - this.#size
    if (room > 0) this.#chunks.push(Uint8Array.from(chunk.subarray(0, room)))
    this.#size += Math.min(room, chunk.length)
    return chunk.length <= room
  }

  answer(error: string): Answer {
    const text = this.#size === 0 ? '' : Buffer.concat(this.#chunks).toString('utf8')
    const body = storable(text)
    const status = this.#status
    // Headers of an acknowledgement are useless, and nearly all answers are acknowledgements.
    const headers = isAccepted({ status, error }) ? {} : readable(this.#headers)
    return { status, headers, body, error: storable(error) }
  }
}

const HEADERS_LENGTH_MAX = 8_192
/** Headers for browsers, which readers of the delivery log must not see. */
const WITHHELD_HEADERS = ['set-cookie']

/** Stored headers: as many as fit, with values of the same name joined. */
function readable(headers: HeadersRead): Record<string, string> {
  const kept: Record<string, string> = {}
  let length = 0
  for (const [name, value] of Object.entries(headers)) {
    const text = storable(Array.isArray(value) ? value.join(', ') : (value ?? ''))
    length += name.length + text.length
    if (length > HEADERS_LENGTH_MAX) break
    kept[name.toLowerCase()] = WITHHELD_HEADERS.includes(name.toLowerCase()) ? '(withheld)' : text
  }
  return kept
}

/** PostgreSQL stores every Unicode character except NUL. */
function storable(text: string): string {
  return text.replaceAll('\0', '\uFFFD')
}

import { Agent } from 'undici'
import type { Dispatcher } from 'undici'
import { openConnector } from './connector.ts'
import type { ConnectorOptions } from './connector.ts'
import type { Answer } from './delivery.ts'

export interface Post {
  url: URL
  headers: Record<string, string>
  body: Uint8Array
}

/**
 * Sends POSTs over connections it keeps. Null comes back where `deadlines` closed before an answer
 * came.
 */
export interface Poster {
  send(post: Post): Promise<Answer | null>
  /** Ends every connection. */
  close(): Promise<void>
}

export interface PosterOptions extends ConnectorOptions {
  deadlineMs: number
  /** How much of an answer's body is read and kept, in bytes. */
  answerBytesMax: number
}

/**
 * Opens the one way out of the house for webhooks: no redirects, no cookies, no proxies, nothing
 * unpacked, one deadline over name service, connection, headers and body, and a body that is cut
 * off once enough was read.
 */
export function openPoster(options: PosterOptions): Poster {
  const agent = new Agent({
    connect: openConnector(options),
    pipelining: 1,
    // One deadline covers all of it; see `exchange`.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  return {
    send: (post) => exchange(agent, options, post),
    close: () => agent.destroy(),
  }
}

function exchange(agent: Agent, options: PosterOptions, post: Post): Promise<Answer | null> {
  const reading = new Reading(options.answerBytesMax)
  return new Promise((resolve) => {
    let controller: Dispatcher.DispatchController | null = null
    let over = false
    const finish = (answer: Answer | null): void => {
      if (over) return
      over = true
      cancel()
      // undici frees a connection one turn of the event loop after its answer; who sends again
      // before that opens another one beside it.
      setImmediate(() => setImmediate(() => resolve(answer)))
    }
    const stop = (answer: Answer | null): void => {
      finish(answer)
      controller?.abort(new Error('no more of this answer is wanted'))
    }
    const cancel = options.deadlines.start((why) => {
      const late = `no whole answer within ${options.deadlineMs} ms`
      stop(why === 'closing' ? null : reading.answer(late))
    })
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        controller = started
        if (over) stop(null)
      },
      onResponseStart: (_controller, status) => reading.begin(status),
      onResponseData(_controller, chunk) {
        if (!reading.take(chunk)) stop(reading.answer(''))
      },
      onResponseEnd: () => finish(reading.answer('')),
      onResponseError: (_controller, error) => finish(reading.answer(describe(error))),
    }
    agent.dispatch(requestOf(post), handler)
  })
}

function requestOf({ url, headers, body }: Post): Dispatcher.DispatchOptions {
  const { origin, pathname, search } = url
  return { origin, path: `${pathname}${search}`, method: 'POST', headers, body }
}

/** An answer as far as it has come. */
class Reading {
  readonly #bytesMax: number
  readonly #chunks: Uint8Array[] = []
  #status: number | null = null
  #size = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  /** Statuses below 200 only announce the real one. */
  begin(status: number): void {
    if (status >= 200) this.#status = status
  }

  /** Keeps what still fits; false once there was more than that. */
  take(chunk: Uint8Array): boolean {
    const room = this.#bytesMax - this.#size
    if (room > 0) this.#chunks.push(Uint8Array.from(chunk.subarray(0, room)))
    this.#size += Math.min(room, chunk.length)
    return chunk.length <= room
  }

  answer(error: string): Answer {
    const body = storable(Buffer.concat(this.#chunks).toString('utf8'))
    return { status: this.#status, body, error: storable(error) }
  }
}

const ERROR_LENGTH_MAX = 500

/**
 * What went wrong on the way, in a line: codes of the system where there are any, causes included.
 */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error).slice(0, ERROR_LENGTH_MAX)
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const parts = error instanceof AggregateError ? error.errors.map((part) => describe(part)) : []
  const said = [error.message, ...parts].filter((part) => part !== '').join('; ')
  const text = code === '' || said.includes(code) ? said : `${code}: ${said}`
  return text.slice(0, ERROR_LENGTH_MAX)
}

/** PostgreSQL keeps every character of Unicode but this one. */
function storable(text: string): string {
  return text.replaceAll('\0', '\uFFFD')
}

import { setTimeout as wait } from 'node:timers/promises'
import type { ServiceProcess } from './service.ts'

const TRY_MS = 250
const LIMIT_MS = 20_000

export interface Answer {
  status: number
  body: Record<string, unknown>
}

/**
 * A client of an organization: sends a request to one process, to the next if it does not answer or
 * cannot serve it, and so on in rounds until an answer comes.
 */
export class Client {
  /** Answers with status 500, with their requests; must stay empty. */
  readonly broken: string[] = []
  retries = 0
  readonly #services: readonly ServiceProcess[]
  readonly #apiKey: string
  #turn = 0

  constructor(services: readonly ServiceProcess[], apiKey: string) {
    this.#services = services
    this.#apiKey = apiKey
  }

  /** Null if no process answered in time. */
  async ask(
    method: string,
    path: string,
    options: { body?: unknown; until?: number } = {},
  ): Promise<Answer | null> {
    const until = options.until ?? Number.POSITIVE_INFINITY
    for (;;) {
      const answer = await this.#once(method, path, options.body)
      if (answer !== null && answer.status === 500) {
        this.broken.push(`${method} ${path}: ${JSON.stringify(answer.body)}`)
      }
      if (answer !== null && answer.status < 500) return answer
      if (Date.now() > until) return null
      this.retries += 1
      await wait(TRY_MS)
    }
  }

  /** The lines of a stream, each a record; whole or not at all. */
  async stream(path: string): Promise<Record<string, unknown>[]> {
    for (;;) {
      const lines = await this.#text(path).catch(() => null)
      if (lines !== null) return lines
      await wait(TRY_MS)
    }
  }

  async #text(path: string): Promise<Record<string, unknown>[]> {
    const answer = await fetch(`${this.#url()}${path}`, { headers: { 'x-api-key': this.#apiKey } })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
    const parsed: Record<string, Record<string, unknown>[]> = JSON.parse(text)
    return Object.values(parsed)[0] ?? []
  }

  async #once(method: string, path: string, body: unknown): Promise<Answer | null> {
    try {
      const answer = await fetch(`${this.#url()}${path}`, {
        method,
        headers: { 'x-api-key': this.#apiKey, 'content-type': 'application/json' },
        signal: AbortSignal.timeout(LIMIT_MS),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return { status: answer.status, body: JSON.parse(await answer.text()) }
    } catch {
      return null
    }
  }

  #url(): string {
    this.#turn += 1
    const up = this.#services.filter(({ isUp }) => isUp)
    const among = up.length > 0 ? up : this.#services
    return among[this.#turn % among.length]?.url ?? ''
  }
}

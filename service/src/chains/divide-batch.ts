import { assert } from '../base/assert.ts'
import { Outage } from '../base/fault.ts'
import type { BatchLimit } from './batch-limit.ts'
import { TooLong, Unfinished } from './http.ts'

/** How calls are sent to one node. */
export interface BatchWays<C, A> {
  limit: BatchLimit
  /**
   * Sends several calls in one exchange: an answer for each, null for one without an answer. Throws
   * an Outage when the whole batch is refused or fails.
   */
  together: (calls: readonly C[]) => Promise<readonly (A | null)[]>
  /** Sends one call without a batch; a refusal is an answer, any other failure is an Outage. */
  alone: (call: C) => Promise<A>
  /** The refusal that an answer holds; null when it holds a result. */
  refusalOf: (answer: A) => Outage | null
  /** An answer that fails with this error. */
  failing: (call: C, error: unknown) => A
}

/** A node that takes no batches is sent so many single calls at once. */
const SINGLES_AT_ONCE = 4
/** A batch that was too long or too slow is divided by this; one that was refused is halved. */
const SHRINKS_TO = 4

/**
 * Sends calls in batches as large as the node takes, and answers each in its order. A batch may
 * fail in any way (a refusal in any wording, missing answers, refusals in place of answers): one of
 * its calls is then sent alone, and if that succeeds, the rest goes out in smaller batches, down to
 * single calls. If the single call fails too, the node is down: all calls without an answer fail
 * with that error, and no more is sent. Each failure costs one extra call, and at most 2 log2(n) +
 * n exchanges are made for n calls.
 */
export async function divideBatch<C, A>(calls: readonly C[], ways: BatchWays<C, A>): Promise<A[]> {
  const batch = new Batch(calls, ways)
  try {
    while (batch.open.length > 0) await batch.step()
    return batch.end(null)
  } catch (error) {
    if (!(error instanceof Outage)) throw error
    return batch.end(error)
  }
}

class Batch<C, A> {
  readonly #calls: readonly C[]
  readonly #ways: BatchWays<C, A>
  readonly #answers = new Map<number, A>()
  /** Positions of the calls without an answer. */
  open: readonly number[]

  constructor(calls: readonly C[], ways: BatchWays<C, A>) {
    this.#calls = calls
    this.#ways = ways
    this.open = calls.map((_, at) => at)
  }

  async step(): Promise<void> {
    const { size } = this.#ways.limit
    try {
      if (size === 1 || this.open.length === 1) await this.#sendSingles()
      else await this.#sendTogether(this.open.slice(0, size))
    } finally {
      this.open = this.open.filter((at) => !this.#answers.has(at))
    }
  }

  /** All answers; missing ones fail with the error. */
  end(error: Outage | null): A[] {
    return this.#calls.map((call, at) => this.#answers.get(at) ?? this.#ways.failing(call, error))
  }

  async #sendSingles(): Promise<void> {
    const isDivided = this.#calls.length > 1
    const part = this.open.slice(0, SINGLES_AT_ONCE)
    const sent = await Promise.allSettled(part.map((at) => this.#sendAlone(at)))
    for (const one of sent) {
      if (one.status === 'rejected') throw one.reason
      if (isDivided) this.#ways.limit.worked(1)
    }
  }

  /** The refusal of the call; null when it succeeded. Throws when the node is down or too busy. */
  async #sendAlone(at: number): Promise<Outage | null> {
    const { alone, refusalOf, failing } = this.#ways
    const call = this.#callAt(at)
    try {
      const answer = await alone(call)
      const refusal = refusalOf(answer)
      if (refusal !== null && refusal.retryAfterMs !== null) throw refusal
      this.#answers.set(at, answer)
      return refusal
    } catch (error) {
      // An answer that does not fit says nothing about the other calls.
      if (!(error instanceof TooLong)) throw error
      this.#answers.set(at, failing(call, error))
      return null
    }
  }

  async #sendTogether(part: readonly number[]): Promise<void> {
    const answers = await this.#ways
      .together(part.map((at) => this.#callAt(at)))
      .catch((error: unknown) => {
        if (error instanceof Outage) return error
        throw error
      })
    if (answers instanceof Outage) return this.#divide(part, answers)
    const refused: Refused<A>[] = []
    for (const [index, at] of part.entries()) {
      const answer = answers[index] ?? null
      if (answer === null) continue
      const refusal = this.#ways.refusalOf(answer)
      if (refusal === null) this.#answers.set(at, answer)
      else refused.push({ at, answer, refusal })
    }
    const succeeded = part.filter((at) => this.#answers.has(at)).length
    if (succeeded + refused.length === 0) return this.#divide(part, null)
    const isWhole = succeeded + refused.length === part.length
    if ((await this.#areTrue(refused)) && isWhole) this.#ways.limit.worked(part.length)
    else this.#ways.limit.failed(part.length, succeeded > 0 ? succeeded : half(part.length))
  }

  /** The whole batch failed: a single call shows whether the node or the batch is to blame. */
  async #divide(part: readonly number[], failure: Outage | null): Promise<void> {
    const [first = 0, ...rest] = part
    const refusal = await this.#sendAlone(first)
    if (refusal !== null && refusal.message === failure?.message) {
      for (const at of rest) this.#answers.set(at, this.#ways.failing(this.#callAt(at), refusal))
      return
    }
    const isTooMuch = failure instanceof Unfinished
    const fits = isTooMuch ? Math.floor(part.length / SHRINKS_TO) : half(part.length)
    this.#ways.limit.failed(part.length, fits)
  }

  /**
   * Whether refusals in a batch are about the calls: a node that takes fewer calls may refuse each
   * of the others by its id. A refusal is believed once one call is refused alone in the same
   * words.
   */
  async #areTrue(refused: readonly Refused<A>[]): Promise<boolean> {
    const believed = new Set<string>()
    for (const { at, answer, refusal } of refused) {
      if (believed.has(refusal.message)) {
        this.#answers.set(at, answer)
        continue
      }
      const own = await this.#sendAlone(at)
      if (own === null) return false
      believed.add(own.message)
    }
    return true
  }

  #callAt(at: number): C {
    const call = this.#calls[at]
    assert(call !== undefined, 'a call outside of its batch', { at })
    return call
  }
}

interface Refused<A> {
  at: number
  answer: A
  refusal: Outage
}

function half(calls: number): number {
  return Math.floor(calls / 2)
}

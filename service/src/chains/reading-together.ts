import { assert } from '../base/assert.ts'
import { Unfinished } from './http.ts'
import { RpcRefusal } from './json-rpc.ts'
import type { JsonRpc, RpcAnswer, RpcCall } from './json-rpc.ts'

/** Bodies in one exchange, of some hundred kilobytes each. */
const BODIES_MAX = 4
/** Nodes refuse longer batches. */
const CALLS_MAX = 100
/** So many questions are asked alone after some that were too much together. */
const ALONE = 64

/** What somebody asks for, and how to ask for it alone. */
interface Question<T> {
  calls: readonly RpcCall[]
  bytesMax: number
  read: (answers: readonly RpcAnswer[]) => T
  ask: () => Promise<T>
}

/** The same, once somebody waits for it. */
interface Waiting {
  calls: readonly RpcCall[]
  bytesMax: number
  /** Reads the answers; what that throws is this question's alone. */
  settle: (answers: readonly RpcAnswer[]) => void
  reject: (error: unknown) => void
  askAlone: () => void
}

/**
 * A node of which several blocks are read at once: bodies, and batches, that are wanted in the same
 * turn of the event loop come in one exchange, of which each costs both sides a good part of what
 * reading a block does. Each answer is read as if it had come alone. All are asked for alone where
 * the node refuses that, and for a while where together they are too much or take too long.
 */
export function openReadingTogether(rpc: JsonRpc): JsonRpc {
  const together = new Together(rpc)
  return {
    ...rpc,
    read: (call, bytesMax, read) =>
      together.ask(together.bodies, {
        calls: [call],
        bytesMax,
        read: ([answer]) => read(answerOf(answer)),
        ask: () => rpc.read(call, bytesMax, read),
      }),
    batch: (calls, bytesMax) => {
      const ask = () => rpc.batch(calls, bytesMax)
      if (bytesMax === undefined) return ask()
      const read = (answers: readonly RpcAnswer[]) => answers.map(({ result }) => result())
      return together.ask(together.batches, { calls, bytesMax, read, ask })
    },
  }
}

class Together {
  readonly #rpc: JsonRpc
  #refuses = false
  #alone = 0
  readonly bodies: Waiting[] = []
  readonly batches: Waiting[] = []

  constructor(rpc: JsonRpc) {
    this.#rpc = rpc
  }

  ask<T>(queue: Waiting[], { calls, bytesMax, read, ask }: Question<T>): Promise<T> {
    if (this.#isAlone()) return ask()
    return new Promise<T>((resolve, reject) => {
      const settle = (answers: readonly RpcAnswer[]) => resolve(read(answers))
      queue.push({
        calls,
        bytesMax,
        settle: (answers) => rejecting(reject, () => settle(answers)),
        reject,
        askAlone: () => void ask().then(resolve, reject),
      })
      if (queue.length === 1) setImmediate(() => this.#flush(queue))
    })
  }

  #isAlone(): boolean {
    if (this.#alone > 0) this.#alone -= 1
    return this.#refuses || this.#alone > 0
  }

  #flush(queue: Waiting[]): void {
    const most = queue === this.bodies ? BODIES_MAX : CALLS_MAX
    for (const group of groupsOf(queue.splice(0), most)) void this.#send(group)
  }

  async #send(group: readonly Waiting[]): Promise<void> {
    const [only] = group
    if (group.length === 1) return only?.askAlone()
    const calls = group.flatMap((one) => one.calls)
    try {
      const bytesMax = Math.max(...group.map((one) => one.bytesMax))
      const answers = await this.#rpc.readTogether(calls, bytesMax)
      let at = 0
      for (const { calls: own, settle } of group) settle(answers.slice(at, (at += own.length)))
    } catch (error) {
      this.#failed(group, error)
    }
  }

  #failed(group: readonly Waiting[], error: unknown): void {
    const isRefused = error instanceof RpcRefusal && error.retryAfterMs === null
    if (isRefused) this.#refuses = true
    else if (error instanceof Unfinished) this.#alone = ALONE
    const again = isRefused || error instanceof Unfinished
    for (const one of group) {
      if (again) one.askAlone()
      else one.reject(error)
    }
  }
}

function rejecting(reject: (error: unknown) => void, work: () => void): void {
  try {
    work()
  } catch (error) {
    reject(error)
  }
}

function groupsOf(questions: readonly Waiting[], most: number): Waiting[][] {
  const groups: Waiting[][] = []
  let calls = 0
  for (const question of questions) {
    const last = groups.at(-1)
    calls += question.calls.length
    if (last !== undefined && calls <= most) last.push(question)
    else {
      groups.push([question])
      calls = question.calls.length
    }
  }
  return groups
}

function answerOf(answer: RpcAnswer | undefined): RpcAnswer {
  assert(answer !== undefined, 'a question without its answer')
  return answer
}

import { assert } from '../base/assert.ts'
import { BATCH_MAX } from './batch-limit.ts'
import type { JsonRpc, RpcAnswer, RpcCall } from './json-rpc.ts'

/** Bodies in one exchange, of some hundred kilobytes each. */
const BODIES_MAX = 4

/** A request, and the way to send it alone. */
interface Question<T> {
  calls: readonly RpcCall[]
  bytesMax: number
  read: (answers: readonly RpcAnswer[]) => T
  ask: () => Promise<T>
}

/** A request that waits to be sent. */
interface Waiting {
  calls: readonly RpcCall[]
  bytesMax: number
  /** Parses the answers; an error rejects this request only. */
  settle: (answers: readonly RpcAnswer[]) => void
  reject: (error: unknown) => void
  askAlone: () => void
}

/**
 * A node of which several blocks are read at once: bodies and batches requested in the same turn of
 * the event loop are one exchange, which is a large part of the cost of a block. Each answer is
 * parsed as if it had been requested alone.
 */
export function openReadingTogether(rpc: JsonRpc): JsonRpc {
  const bodies = new Queue(rpc, BODIES_MAX)
  const batches = new Queue(rpc, BATCH_MAX)
  return {
    ...rpc,
    read: (call, bytesMax, read) =>
      bodies.ask({
        calls: [call],
        bytesMax,
        read: ([answer]) => read(answerOf(answer)),
        ask: () => rpc.read(call, bytesMax, read),
      }),
    batch: (calls, bytesMax) => {
      const ask = () => rpc.batch(calls, bytesMax)
      if (bytesMax === undefined) return ask()
      const read = (answers: readonly RpcAnswer[]) => answers.map(({ result }) => result())
      return batches.ask({ calls, bytesMax, read, ask })
    },
  }
}

/** Requests of one turn of the event loop. */
class Queue {
  readonly #rpc: JsonRpc
  readonly #callsMax: number
  readonly #waiting: Waiting[] = []

  constructor(rpc: JsonRpc, callsMax: number) {
    this.#rpc = rpc
    this.#callsMax = callsMax
  }

  ask<T>({ calls, bytesMax, read, ask }: Question<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const settle = (answers: readonly RpcAnswer[]) => resolve(read(answers))
      this.#waiting.push({
        calls,
        bytesMax,
        settle: (answers) => rejecting(reject, () => settle(answers)),
        reject,
        askAlone: () => void ask().then(resolve, reject),
      })
      if (this.#waiting.length === 1) setImmediate(() => this.#flush())
    })
  }

  #flush(): void {
    for (const group of groupsOf(this.#waiting.splice(0), this.#callsMax)) void this.#send(group)
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
      for (const { reject } of group) reject(error)
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

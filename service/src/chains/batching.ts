import { TooLong } from './http.ts'
import { RpcRefusal } from './json-rpc.ts'
import type { JsonRpc, RpcCall } from './json-rpc.ts'

/** Nodes refuse longer batches. */
const BATCH_MAX = 100

interface Waiting {
  call: RpcCall
  bytesMax: number | undefined
  resolve: (result: unknown) => void
  reject: (error: unknown) => void
}

/**
 * A node whose small calls travel together: those made in the same turn of the event loop become
 * one batch, each with its own answer. A node that refuses batches is asked one by one, and so is
 * one whose answers are too long together: one of them may be a stranger's doing.
 */
export function openBatching(rpc: JsonRpc): JsonRpc {
  let waiting: Waiting[] = []
  const flush = () => {
    const calls = waiting
    waiting = []
    for (let at = 0; at < calls.length; at += BATCH_MAX) {
      void send(rpc, calls.slice(at, at + BATCH_MAX))
    }
  }
  return {
    ...rpc,
    call: (call, bytesMax) =>
      new Promise((resolve, reject) => {
        waiting.push({ call, bytesMax, resolve, reject })
        if (waiting.length === 1) setImmediate(flush)
      }),
  }
}

async function send(rpc: JsonRpc, calls: readonly Waiting[]): Promise<void> {
  if (calls.length === 1) return sendEach(rpc, calls)
  try {
    const answers = await rpc.settle(calls.map(({ call }) => call))
    answers.forEach((answer, at) => {
      if (answer instanceof RpcRefusal) calls[at]?.reject(answer)
      else calls[at]?.resolve(answer)
    })
  } catch (error) {
    if (error instanceof RpcRefusal || error instanceof TooLong) return sendEach(rpc, calls)
    for (const { reject } of calls) reject(error)
  }
}

/** One after the other; where the node is away it is asked for none of the others. */
async function sendEach(rpc: JsonRpc, calls: readonly Waiting[]): Promise<void> {
  let away: unknown = null
  for (const { call, bytesMax, resolve, reject } of calls) {
    if (away !== null) reject(away)
    else
      await rpc.call(call, bytesMax).then(resolve, (error: unknown) => {
        if (!(error instanceof RpcRefusal)) away = error
        reject(error)
      })
  }
}

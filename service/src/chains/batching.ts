import { RpcRefusal } from './json-rpc.ts'
import type { JsonRpc, RpcCall } from './json-rpc.ts'

/** Nodes refuse longer batches. */
const BATCH_MAX = 100

interface Waiting {
  call: RpcCall
  resolve: (result: unknown) => void
  reject: (error: unknown) => void
}

/**
 * A node whose small calls travel together: those made in the same turn of the event loop become
 * one batch, each with its own answer. A node that refuses batches is asked one by one.
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
    call: (call) =>
      new Promise((resolve, reject) => {
        waiting.push({ call, resolve, reject })
        if (waiting.length === 1) setImmediate(flush)
      }),
  }
}

async function send(rpc: JsonRpc, calls: readonly Waiting[]): Promise<void> {
  const [only] = calls
  if (calls.length === 1 && only !== undefined) {
    rpc.call(only.call).then(only.resolve, only.reject)
    return
  }
  try {
    const answers = await rpc.settle(calls.map(({ call }) => call))
    answers.forEach((answer, at) => {
      if (answer instanceof RpcRefusal) calls[at]?.reject(answer)
      else calls[at]?.resolve(answer)
    })
  } catch (error) {
    if (!(error instanceof RpcRefusal)) for (const { reject } of calls) reject(error)
    else for (const { call, resolve, reject } of calls) await rpc.call(call).then(resolve, reject)
  }
}

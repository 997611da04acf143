import { BATCH_MAX } from './batch-limit.ts'
import { SMALL_BYTES_MAX } from './json-rpc.ts'
import type { JsonRpc, RpcCall } from './json-rpc.ts'

interface Waiting {
  call: RpcCall
  bytesMax: number
  resolve: (result: unknown) => void
  reject: (error: unknown) => void
}

/**
 * A node whose small calls travel together: those made in the same turn of the event loop become
 * one batch, each with its own answer.
 */
export function openBatching(rpc: JsonRpc): JsonRpc {
  let waiting: Waiting[] = []
  const flush = () => {
    const calls = waiting
    waiting = []
    for (let at = 0; at < calls.length; at += BATCH_MAX) {
      send(rpc, calls.slice(at, at + BATCH_MAX))
    }
  }
  return {
    ...rpc,
    call: (call, bytesMax = SMALL_BYTES_MAX) =>
      new Promise((resolve, reject) => {
        waiting.push({ call, bytesMax, resolve, reject })
        if (waiting.length === 1) setImmediate(flush)
      }),
  }
}

function send(rpc: JsonRpc, calls: readonly Waiting[]): void {
  const bytesMax = Math.max(...calls.map((one) => one.bytesMax))
  const asked = calls.map(({ call }) => call)
  const answers = rpc.readTogether(asked, bytesMax)
  for (const [at, { resolve, reject }] of calls.entries()) {
    answers.then((all) => resolve(all[at]?.result())).catch(reject)
  }
}

import type { JsonRpc } from '../json-rpc.ts'
import { isTooMuch } from './in-parts.ts'
import { BLOCK_BYTES_MAX } from './node.ts'
import type { BlockAnswer } from './node.ts'
import { readReceiptsOf } from './read-receipts.ts'
import { parseLogs } from './rpc.ts'
import type { RpcLog } from './rpc.ts'
import { scanLogs } from './scan-answer.ts'
import type { ScannedLogs } from './scan-answer.ts'

/** The logs of a block as a node tells them, read as far as they are needed. */
export interface LogsAnswer {
  count: number
  /** Their places in the answer's bytes; null where only a parser can read them. */
  scan: ScannedLogs | null
  parse(): readonly RpcLog[]
}

/**
 * All logs of a block, by its hash. Where they are too much to be told at once they are taken from
 * the receipts of all its transactions, which can be asked for in parts: a filter leaves gaps.
 */
export async function readLogs(
  rpc: JsonRpc,
  answer: BlockAnswer,
  how: 'scan' | 'parse',
): Promise<LogsAnswer> {
  if (answer.count === 0) return { count: 0, scan: null, parse: () => [] }
  try {
    return await readAtOnce(rpc, answer.header.hash, how)
  } catch (error) {
    if (!(await isTooMuch(rpc, error))) throw error
    const receipts = await readReceiptsOf(rpc, answer.header, answer.parse().transactions)
    const logs = receipts.flatMap((receipt) => receipt.logs)
    return { count: logs.length, scan: null, parse: () => logs }
  }
}

function readAtOnce(rpc: JsonRpc, hash: string, how: 'scan' | 'parse'): Promise<LogsAnswer> {
  const call = { method: 'eth_getLogs', params: [{ blockHash: hash }] }
  return rpc.read(call, BLOCK_BYTES_MAX, ({ id, body, result }) => {
    const scan = how === 'parse' || body === null ? null : scanLogs(body, id, hash)
    if (scan !== null) {
      return { count: scan.count, scan, parse: () => parseLogs(result(), hash) }
    }
    const logs = parseLogs(result(), hash)
    return { count: logs.length, scan, parse: () => logs }
  })
}

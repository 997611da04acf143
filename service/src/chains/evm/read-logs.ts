import type { JsonRpc } from '../json-rpc.ts'
import { isTooMuch } from './in-parts.ts'
import { BLOCK_BYTES_MAX } from './node.ts'
import type { BlockAnswer } from './node.ts'
import { readReceiptsOf } from './read-receipts.ts'
import { parseLogs } from './rpc.ts'
import type { RpcLog } from './rpc.ts'
import { scanLogs } from './scan-answer.ts'
import type { ScannedLogs } from './scan-answer.ts'

/** A node's answer for the logs of a block, read as far as needed. */
export interface LogsAnswer {
  count: number
  /** Positions in the answer's bytes; null if a parser must read it. */
  scan: ScannedLogs | null
  parse(): readonly RpcLog[]
}

/**
 * All logs of a block, by its hash. If they are too much for one answer, they are read from the
 * receipts of all transactions, in parts: a filtered query would leave gaps.
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

import { isDeclined } from '../json-rpc.ts'
import type { JsonRpc, RpcCall } from '../json-rpc.ts'
import { askInParts, isTooMuch } from './in-parts.ts'
import type { Asked } from './in-parts.ts'
import { BLOCK_BYTES_MAX } from './node.ts'
import { demand, isMissing, parseReceipt, parseReceipts } from './rpc.ts'
import type { RpcBlock, RpcHeader, RpcReceipt } from './rpc.ts'

/**
 * A log costs at least 375 gas and takes about 370 bytes of JSON; each topic costs the same and
 * takes 69, each byte of data costs 8 and takes 2. An answer therefore has about one byte for a
 * gas; this is twice that, for extra fields and for the refunds of older forks. The chain's own
 * transactions buy no gas; a batch with many of them is too long and is divided.
 */
const BYTES_PER_GAS = 2
/**
 * Without EIP-7825 a transaction may take all gas of its block: the receipt of one that fills a
 * block of 90 million gas with the shortest logs still fits. Reading it takes about five times as
 * much memory (measured), so it is read alone.
 */
const RECEIPT_BYTES_MAX = 96_000_000

/** After a node declined `eth_getBlockReceipts`, this many blocks are read without it. */
const BLOCKS_WITHOUT = 256

/** Nodes that declined it, with the number of blocks until they are queried again. */
const declined = new WeakMap<JsonRpc, number>()

/**
 * All receipts of a block, in order. If a node does not serve them in one answer, or the answer
 * would be too long, the receipt of each transaction is read: strangers can fill a block with logs.
 */
export async function readReceipts(rpc: JsonRpc, block: RpcBlock): Promise<RpcReceipt[]> {
  if (block.transactions.length === 0) return []
  const inParts = () => readReceiptsOf(rpc, block, block.transactions)
  const left = declined.get(rpc) ?? 0
  declined.set(rpc, Math.max(0, left - 1))
  if (left > 0) return inParts()
  try {
    const call = { method: 'eth_getBlockReceipts', params: [block.hash] }
    const answer = await rpc.call(call, BLOCK_BYTES_MAX)
    return isList(answer) ? inOrderOf(block, parseReceipts(answer)) : await inParts()
  } catch (error) {
    if (await isTooMuch(rpc, error)) return inParts()
    if (!isDeclined(error)) throw error
  }
  const receipts = await inParts()
  // Noted only now: a node that fails here too is down and has declined nothing.
  declined.set(rpc, BLOCKS_WITHOUT)
  return receipts
}

/** Nodes answer null or an empty list if they do not serve the method or lack the block. */
function isList(answer: unknown): boolean {
  return Array.isArray(answer) ? answer.length > 0 : !isMissing(answer)
}

/** In the node's order if they are not the receipts of the block's transactions. */
function inOrderOf({ transactions }: RpcBlock, receipts: RpcReceipt[]): RpcReceipt[] {
  const byHash = new Map(receipts.map((receipt) => [receipt.transactionHash, receipt]))
  const ordered = transactions.flatMap(({ hash }) => byHash.get(hash) ?? [])
  return ordered.length === receipts.length ? ordered : receipts
}

/** The receipts of some transactions of a block, in the order of the transactions. */
export async function readReceiptsOf(
  rpc: JsonRpc,
  block: RpcHeader,
  transactions: readonly Asked[],
): Promise<RpcReceipt[]> {
  const receipts = await askInParts(rpc, {
    transactions,
    bytesPerGas: BYTES_PER_GAS,
    bytesMax: BLOCK_BYTES_MAX,
    ask: async (part) => (await ask(rpc, part)).map(parseReceipt),
  })
  receipts.forEach((receipt, at) => {
    demand(receipt.transactionHash === transactions[at]?.hash, 'the receipt of another transaction')
    demand(receipt.blockHash === block.hash, 'a receipt of another block')
  })
  return receipts
}

async function ask(rpc: JsonRpc, part: readonly Asked[]): Promise<unknown[]> {
  const [alone, ...more] = part.map(callOf)
  if (alone === undefined) return []
  if (more.length === 0) return [await rpc.call(alone, bytesMaxOf(part[0]))]
  return rpc.batch([alone, ...more], BLOCK_BYTES_MAX)
}

function callOf({ hash }: Asked): RpcCall {
  return { method: 'eth_getTransactionReceipt', params: [hash] }
}

/** The most bytes of one transaction's receipt. */
function bytesMaxOf(asked: Asked | undefined): number {
  const told = Number(asked?.gas ?? 0) * BYTES_PER_GAS
  return Math.min(RECEIPT_BYTES_MAX, Math.max(BLOCK_BYTES_MAX, told))
}

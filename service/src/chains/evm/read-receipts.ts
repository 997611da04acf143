import { isDeclined } from '../json-rpc.ts'
import type { JsonRpc, RpcCall } from '../json-rpc.ts'
import { askInParts, isTooMuch } from './in-parts.ts'
import type { Asked } from './in-parts.ts'
import { BLOCK_BYTES_MAX } from './node.ts'
import { demand, isMissing, parseReceipt, parseReceipts } from './rpc.ts'
import type { RpcBlock, RpcHeader, RpcReceipt } from './rpc.ts'

/**
 * A log costs 375 gas at least, and as JSON takes some 370 bytes; each of its topics costs as much
 * and takes 69, each byte of data costs 8 and takes 2. So a node says about one byte for a gas;
 * this is twice that, for those that add words of their own and for the refunds of old.
 * Transactions of the chain itself buy no gas: where theirs are many, a batch is too long and is
 * divided.
 */
const BYTES_PER_GAS = 2
/**
 * A transaction may take all gas of its block where EIP-7825 does not hold: the receipt of one that
 * fills a block of 90 million gas with the shortest logs is still read. It takes some five times as
 * much memory while it is read (measured), and none of another transaction is read beside it.
 */
const RECEIPT_BYTES_MAX = 96_000_000

/** After a node has declined `eth_getBlockReceipts`, so many blocks are read without it. */
const BLOCKS_WITHOUT = 256

/** Nodes that have declined it, and for how many more blocks they are not asked again. */
const declined = new WeakMap<JsonRpc, number>()

/**
 * All receipts of a block, in its order. A node that does not serve them at once, in whatever
 * words, or whose answer would be too long is asked for the receipt of each transaction: anybody
 * can fill a block with logs.
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
  // Noted only now: a node that fails here too is away, and has declined nothing.
  declined.set(rpc, BLOCKS_WITHOUT)
  return receipts
}

/** Nodes answer null or an empty list for what they do not serve, or do not have yet. */
function isList(answer: unknown): boolean {
  return Array.isArray(answer) ? answer.length > 0 : !isMissing(answer)
}

/** As the node answers them when they are not the receipts of the block's transactions. */
function inOrderOf({ transactions }: RpcBlock, receipts: RpcReceipt[]): RpcReceipt[] {
  const byHash = new Map(receipts.map((receipt) => [receipt.transactionHash, receipt]))
  const ordered = transactions.flatMap(({ hash }) => byHash.get(hash) ?? [])
  return ordered.length === receipts.length ? ordered : receipts
}

/** The receipts of some transactions of a block, in their order. */
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

/** What the receipt of one transaction may take. */
function bytesMaxOf(asked: Asked | undefined): number {
  const told = Number(asked?.gas ?? 0) * BYTES_PER_GAS
  return Math.min(RECEIPT_BYTES_MAX, Math.max(BLOCK_BYTES_MAX, told))
}

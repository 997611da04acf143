import type { ChainId } from '@sluice/wire'
import { logsBloom, receiptsRoot } from './receipts-root.ts'
import { demand, isSystemTransaction } from './rpc.ts'
import type { RpcBlock, RpcHeader, RpcReceipt } from './rpc.ts'
import { EMPTY_ROOT } from './trie.ts'

/**
 * `proved`: the header commits to these receipts. `likely`: it does not, and a second node should
 * count them and their logs.
 */
export type Completeness = 'proved' | 'likely'

/**
 * Chains whose receipts root may leave out what the chain did itself (Polygon's state-sync, quirks
 * of BSC).
 */
const LOOSE_CHAINS: ReadonlySet<string> = new Set(['eip155:137', 'eip155:56', 'eip155:97'])

/**
 * Proves that the receipts are all of the block's and whole (engineering, 14), so that a missing,
 * truncated or stale log cannot lose a deposit. An Outage where they are not.
 */
export function proveReceipts(
  chainId: ChainId,
  block: RpcBlock,
  receipts: readonly RpcReceipt[],
): Completeness {
  demandPairs(block, receipts)
  if (receiptsRoot(receipts) === block.receiptsRoot) return 'proved'
  demand(LOOSE_CHAINS.has(chainId), 'receipts that do not give the receipts root of the header')
  demandContiguousLogs(receipts)
  demandHeadersReceipts(block, receipts)
  return 'likely'
}

/** A block that shows no transaction must commit to none. */
export function demandTransactions({ transactionsRoot }: RpcHeader, count: number): void {
  demand(count > 0 || transactionsRoot === EMPTY_ROOT, 'a block that hides its transactions')
}

/**
 * Asked for the logs of a block that it does not have yet, a node that lags answers with an empty
 * list: where the header's bloom holds anything, that is no answer. Reads no log, so it costs
 * nothing.
 */
export function demandSomeLogs({ logsBloom: bloom }: RpcHeader, count: number): void {
  if (count > 0 || bloom === null) return
  demand(!/[1-9a-f]/.test(bloom.slice(2)), 'no logs, though the header has some')
}

/** How many logs receipts hold: what a second node must count too. */
export function countLogs(receipts: readonly RpcReceipt[]): number {
  return receipts.reduce((count, { logs }) => count + logs.length, 0)
}

/** One receipt a transaction, in the same order and of the same block. */
function demandPairs(block: RpcBlock, receipts: readonly RpcReceipt[]): void {
  demand(receipts.length === block.transactions.length, 'another count of receipts')
  receipts.forEach((receipt, at) => {
    demand(receipt.blockHash === block.hash, 'receipts of another block')
    demand(
      receipt.transactionHash === block.transactions[at]?.hash,
      'receipts in another order than transactions',
    )
  })
}

/**
 * Without the chain's own transactions the root should hold; where it does not, the bloom at least
 * must.
 */
function demandHeadersReceipts(block: RpcBlock, receipts: readonly RpcReceipt[]): void {
  const sent = receipts.filter((_, at) => {
    const transaction = block.transactions[at]
    return transaction !== undefined && !isSystemTransaction(transaction)
  })
  if (receiptsRoot(sent) === block.receiptsRoot) return
  const bloom = logsBloom(sent.flatMap(({ logs }) => logs))
  demand(bloom === block.logsBloom, 'logs that do not give the bloom of the header')
}

/**
 * Indices over the block must run from 0 without a gap: a log that is missing from the middle
 * shows.
 */
function demandContiguousLogs(receipts: readonly RpcReceipt[]): void {
  let next = 0
  for (const { logs } of receipts) {
    for (const { logIndex } of logs) {
      demand(logIndex === next, 'a gap in the indices of logs')
      next += 1
    }
  }
}

import type { ChainId } from '@sluice/wire'
import { logsBloom, receiptsRoot } from './receipts-root.ts'
import { demand, isSystemTransaction } from './rpc.ts'
import type { RpcBlock, RpcHeader, RpcReceipt } from './rpc.ts'
import { EMPTY_ROOT } from './trie.ts'

/**
 * `proved`: the header commits to these receipts. `likely`: it does not, and a second node should
 * count the receipts and their logs.
 */
type Completeness = 'proved' | 'likely'

/**
 * Chains whose receipts root may omit the chain's own transactions (Polygon's state-sync, quirks of
 * BSC).
 */
const LOOSE_CHAINS: ReadonlySet<string> = new Set(['eip155:137', 'eip155:56', 'eip155:97'])

/**
 * Proves that the receipts are complete (engineering, 14), so that a missing, truncated or stale
 * log cannot lose a deposit. Throws an Outage if they are not.
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

/** A block without transactions must commit to an empty trie. */
export function demandTransactions({ transactionsRoot }: RpcHeader, count: number): void {
  demand(count > 0 || transactionsRoot === EMPTY_ROOT, 'a block that hides its transactions')
}

/**
 * A node that lacks the block may answer a query for its logs with an empty list. If the header's
 * bloom is not empty, that answer is wrong. Needs no log, so it is free.
 */
export function demandSomeLogs({ logsBloom: bloom }: RpcHeader, count: number): void {
  if (count > 0 || bloom === null) return
  demand(!/[1-9a-f]/.test(bloom.slice(2)), 'no logs, though the header has some')
}

/** The number of logs in the receipts; a second node must count the same. */
export function countLogs(receipts: readonly RpcReceipt[]): number {
  return receipts.reduce((count, { logs }) => count + logs.length, 0)
}

/** One receipt for each transaction, in the same order and of the same block. */
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

/** Without the chain's own transactions the root should match; otherwise the bloom must. */
function demandHeadersReceipts(block: RpcBlock, receipts: readonly RpcReceipt[]): void {
  const sent = receipts.filter((_, at) => {
    const transaction = block.transactions[at]
    return transaction !== undefined && !isSystemTransaction(transaction)
  })
  if (receiptsRoot(sent) === block.receiptsRoot) return
  const bloom = logsBloom(sent.flatMap(({ logs }) => logs))
  demand(bloom === block.logsBloom, 'logs that do not give the bloom of the header')
}

/** Indices over the block must run from 0 without a gap, so a missing log is noticed. */
function demandContiguousLogs(receipts: readonly RpcReceipt[]): void {
  let next = 0
  for (const { logs } of receipts) {
    for (const { logIndex } of logs) {
      demand(logIndex === next, 'a gap in the indices of logs')
      next += 1
    }
  }
}

import type { WithdrawalTransaction } from '@sluice/wire'
import { iso } from '../../base/clock.ts'
import type { SpendRecord } from '../../transactions/core/read.ts'
import type { SpendTransaction } from '../../transactions/core/transaction.ts'
import { isoOrNull } from './event-views.ts'

/** Every transaction that was signed for a withdrawal, the earliest first. */
export function viewTransactions(spends: readonly SpendRecord[]): WithdrawalTransaction[] {
  return spends.flatMap((spend) =>
    spend.transactions.map((transaction) => {
      const { txnHash, maxFee, signedAt, broadcastAt } = transaction
      const { fee, block } = spend
      const isIncluded = block !== null && txnHash === spend.txnHash
      return {
        txnHash,
        state: stateOf(spend, transaction),
        fee: isIncluded && fee !== null ? fee.toString() : null,
        maxFee: maxFee.toString(),
        blockNumber: isIncluded ? block.height : null,
        signedAt: iso(signedAt),
        broadcastAt: isoOrNull(broadcastAt),
      }
    }),
  )
}

function stateOf(
  { state, succeeded, txnHash: current }: SpendRecord,
  { txnHash, broadcastAt }: SpendTransaction,
): WithdrawalTransaction['state'] {
  if (state === 'Displaced') return 'Displaced'
  if (txnHash !== current) return 'Replaced'
  if (state === 'Sent') return broadcastAt === null ? 'Signed' : 'Sent'
  if (succeeded === false) return 'Failed'
  return state === 'Settled' ? 'Confirmed' : 'Included'
}

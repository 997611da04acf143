import { windowEndOf } from '../../chains/spending.ts'
import type { SpendMeans } from './mandate.ts'
import type { Spend } from './spend.ts'
import type { SpendTransaction } from './transaction.ts'
import { selectTransactions } from './transaction-rows.ts'

/**
 * Whether anything that was signed for a spend can still be included: `open` where it can, or where
 * nodes do not agree; `included` where a block has one; `ended` where none has and none will.
 */
export type Outlook = 'open' | 'included' | 'ended'

/**
 * Asks the chain itself before a window is followed by another: that no block which we read has
 * it is what our rows say, and they may have been changed (A13, N15). Where a number or coins bind
 * all that is signed for a spend, at most one can be included, and nothing is asked. Throws an
 * Outage where the nodes are away.
 */
export async function outlookOf(
  { adapter, database }: Pick<SpendMeans, 'adapter' | 'database'>,
  { spend, last }: { spend: Spend; last: SpendTransaction },
): Promise<Outlook> {
  const expiration = windowEndOf(last.terms)
  if (expiration === null) return 'ended'
  const signed = await database.transaction((tx) => selectTransactions(tx, [spend]))
  const fate = await adapter.fate({
    from: spend.sender,
    reservation: { kind: 'window', expiration },
    hashes: signed.map(({ txnHash }) => txnHash),
  })
  if (fate.state === 'expired') return 'ended'
  return fate.state === 'included' ? 'included' : 'open'
}

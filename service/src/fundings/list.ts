import type { ChainId } from '@sluice/wire'
import type { Tx } from '../store/database.ts'
import type { Funding } from './funding.ts'
import { selectOfTransaction } from './rows.ts'

/** The fundings of one transaction, in the order of their positions. */
export function fundingsOfTransaction(
  tx: Tx,
  key: { chainId: ChainId; txnHash: string },
): Promise<Funding[]> {
  return selectOfTransaction(tx, key)
}

import type { Tx } from '../store/database.ts'
import type { Deposit } from './deposit.ts'
import { type DepositFilter, type Keyset, selectPage } from './list-rows.ts'

/**
 * One page of an organization's deposits, newest first, from just after a keyset; fewer than
 * `limit` come back only at the end. The order is (creation, id) and so stable while new deposits
 * arrive.
 */
export function listDeposits(
  tx: Tx,
  given: { orgId: string; filter: DepositFilter; after: Keyset | null; limit: number },
): Promise<Deposit[]> {
  return selectPage(tx, given)
}

import type { Tx } from '../store/database.ts'
import { type OpenWithdrawals, openQuery } from './open-rows.ts'

/** What is asked for and not over yet, of these organizations, by chain and status. */
export function countOpen(tx: Tx, orgIds: readonly string[]): Promise<OpenWithdrawals[]> {
  return tx.many(openQuery(orgIds))
}

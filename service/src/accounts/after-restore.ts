import type { Queries } from '../store/queries.ts'
import { forgetTransactions, skipIndexes, skipNumbers } from './restore-rows.ts'

/**
 * Indexes and wallet numbers that a restored database skips. A backup does not contain the
 * addresses issued after it, and issuing one of them again would credit a user with the deposits of
 * another (K06). Both counters continue at the next multiple, where a recovery from the seed
 * searches too (docs/decisions/0007).
 */
export const INDEX_STEP = 1_000_000
export const WALLET_STEP = 1_000

/** Lets nothing be issued that may have been issued after the backup. */
export async function skipForgotten(session: Queries): Promise<void> {
  await skipIndexes(session, INDEX_STEP)
  await skipNumbers(session, WALLET_STEP)
  await forgetTransactions(session)
}

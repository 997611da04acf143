import type { Queries } from '../store/queries.ts'
import { forgetTransactions, skipIndexes, skipNumbers } from './restore-rows.ts'

/**
 * Indexes and wallet numbers that a restored database does not use again. A backup does not know
 * which addresses were issued after it; to issue one of those a second time would credit one user
 * with another's deposits (K06). So both counters go on at the next multiple of these, which is
 * also where a recovery from the seed alone looks again (docs/decisions/0007).
 */
export const INDEX_STEP = 1_000_000
export const WALLET_STEP = 1_000

/** Lets nothing be issued that may have been issued after the backup. */
export async function skipForgotten(session: Queries): Promise<void> {
  await skipIndexes(session, INDEX_STEP)
  await skipNumbers(session, WALLET_STEP)
  await forgetTransactions(session)
}

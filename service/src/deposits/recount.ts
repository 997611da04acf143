import type { ChainId, TokenId } from '@sluice/wire'
import type { Catalogue } from '../catalogue/find.ts'
import { readSuspended } from '../catalogue/token-check.ts'
import type { BlockRef } from '../chains/port.ts'
import type { Tx } from '../store/database.ts'
import { bookSplit } from './confirm.ts'
import { type Waiting, lockReached, selectHighestReached } from './recount-rows.ts'

/**
 * After so many deposits, other accounts are left to the next commit: the lease cannot be renewed
 * during one.
 */
const DEPOSITS_MAX = 1_000

interface Counting {
  catalogue: Catalogue
  chainId: ChainId
  /** Tokens to recount, except suspended ones. */
  uncounted: readonly TokenId[]
  upTo: number
}

/**
 * Highest block with a deposit that has reached its minimum because the configuration lowered it;
 * null if there is none. Also returns the tokens that were left out because they are suspended.
 */
export async function highestReached(
  tx: Tx,
  counting: Counting,
): Promise<{ highest: BlockRef | null; suspended: readonly TokenId[] }> {
  const { waiting, suspended } = await readWaiting(tx, counting)
  const isAny = waiting.tokens.length > 0
  return { highest: isAny ? await selectHighestReached(tx, waiting) : null, suspended }
}

/**
 * Credits deposits that reach a lowered minimum, in blocks up to a height; they were judged before
 * they were set aside. Deposits of a suspended token wait: the suspension is read in the commit
 * that credits. Returns the number of credited deposits; 0 if none are left.
 */
export async function recountDeposits(
  tx: Tx,
  recount: Counting & { tip: BlockRef },
): Promise<number> {
  const { waiting } = await readWaiting(tx, recount)
  const credited = await lockReached(tx, { ...waiting, depositsMax: DEPOSITS_MAX })
  if (credited.length > 0)
    await bookSplit(tx, { ...recount, fresh: [] }, { credited, setAside: [] })
  return credited.length
}

async function readWaiting(
  tx: Tx,
  { catalogue, chainId, uncounted, upTo }: Counting,
): Promise<{ waiting: Waiting; suspended: readonly TokenId[] }> {
  const wanted = new Set(uncounted)
  const lying = await readSuspended(tx)
  const tokens = catalogue.tokensOf(chainId).filter(({ id }) => wanted.has(id) && !lying.has(id))
  const suspended = uncounted.filter((id) => lying.has(id))
  return { waiting: { chainId, tokens, upTo }, suspended }
}

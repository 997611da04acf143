import type { ChainId, TokenId } from '@sluice/wire'
import type { Catalogue } from '../catalogue/find.ts'
import { readSuspended } from '../catalogue/token-check.ts'
import type { BlockRef } from '../chains/port.ts'
import type { Tx } from '../store/database.ts'
import { bookSplit } from './confirm.ts'
import { type Waiting, lockReached, selectHighestReached } from './recount-rows.ts'

/**
 * Once so many deposits are counted again, those of further accounts are left to another commit:
 * under it the lease cannot be renewed.
 */
const DEPOSITS_MAX = 1_000

interface Counting {
  catalogue: Catalogue
  chainId: ChainId
  /** Those that are counted; of these none that is suspended. */
  uncounted: readonly TokenId[]
  upTo: number
}

/**
 * The highest block with anything that waits below a minimum which it has reached since, because it
 * was lowered in the configuration; null where there is nothing. Besides, which of the tokens were
 * left out, since they are suspended.
 */
export async function highestReached(
  tx: Tx,
  given: Counting,
): Promise<{ highest: BlockRef | null; suspended: readonly TokenId[] }> {
  const { waiting, suspended } = await readWaiting(tx, given)
  const isAny = waiting.tokens.length > 0
  return { highest: isAny ? await selectHighestReached(tx, waiting) : null, suspended }
}

/**
 * Credits what waits below a minimum which it has reached since, in blocks up to a height. It was
 * judged before it was set aside. Those of a suspended token wait on: in the commit that finds it
 * not suspended they are credited, so that no suspension can come between. Answers with how many
 * were credited; with 0 there are no more.
 */
export async function recountDeposits(
  tx: Tx,
  given: Counting & { tip: BlockRef },
): Promise<number> {
  const { waiting } = await readWaiting(tx, given)
  const credited = await lockReached(tx, { ...waiting, depositsMax: DEPOSITS_MAX })
  if (credited.length > 0) await bookSplit(tx, { ...given, fresh: [] }, { credited, setAside: [] })
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

import type { ChainId } from '@sluice/wire'
import type { Catalogue } from '../catalogue/find.ts'
import { readTokenChecks } from '../catalogue/token-check.ts'
import type { BlockRef } from '../chains/port.ts'
import type { Tx } from '../store/database.ts'
import { bookSplit } from './confirm.ts'
import { type Waiting, lockReached, selectHighestReached } from './recount-rows.ts'

/**
 * Once so many deposits are counted again, those of further accounts are left to another commit:
 * under it the lease cannot be renewed.
 */
const DEPOSITS_MAX = 1_000

interface Counted {
  catalogue: Catalogue
  chainId: ChainId
  tip: BlockRef
}

/**
 * The highest block with anything that waits below a minimum which it has reached since, because it
 * was lowered in the configuration; null where there is nothing.
 */
export async function highestReached(tx: Tx, given: Counted): Promise<BlockRef | null> {
  return selectHighestReached(tx, await readWaiting(tx, { ...given, upTo: given.tip.height }))
}

/**
 * Credits what waits below a minimum which it has reached since, in blocks up to a height. It was
 * judged before it was set aside. Those of a suspended token wait on: in the commit that finds it
 * not suspended they are credited, so that no suspension can come between. Answers with how many
 * were credited; with 0 there are no more.
 */
export async function recountDeposits(tx: Tx, given: Counted & { upTo: number }): Promise<number> {
  const waiting = await readWaiting(tx, given)
  const credited = await lockReached(tx, { ...waiting, depositsMax: DEPOSITS_MAX })
  if (credited.length > 0) await bookSplit(tx, { ...given, fresh: [] }, { credited, setAside: [] })
  return credited.length
}

async function readWaiting(
  tx: Tx,
  { catalogue, chainId, upTo }: Counted & { upTo: number },
): Promise<Waiting> {
  const checks = await readTokenChecks(tx)
  const suspended = new Set(
    checks.filter(({ suspendedAt }) => suspendedAt !== null).map(({ tokenId }) => tokenId),
  )
  const tokens = catalogue.tokensOf(chainId).filter(({ id }) => !suspended.has(id))
  return { chainId, tokens, upTo }
}

import type { ChainId } from '@sluice/wire'
import type { Catalogue } from '../catalogue/find.ts'
import { readTokenChecks } from '../catalogue/token-check.ts'
import { post } from '../ledger/post.ts'
import { released } from '../ledger/posting.ts'
import type { Tx } from '../store/database.ts'
import { MOVES } from './deposit.ts'
import { lockReached } from './recount-rows.ts'
import { moveRows } from './rows.ts'

/**
 * Once so many deposits are counted again, those of further accounts are left to another commit:
 * under it the lease cannot be renewed.
 */
const DEPOSITS_MAX = 1_000

/**
 * Lets those go that wait below a minimum which they have reached since, because it was lowered in
 * the configuration: they are Detected again, and are credited by the scanner's next step. Those of
 * a suspended token wait on. Answers with how many moved; with 0 there are no more.
 */
export async function recountDeposits(
  tx: Tx,
  { catalogue, chainId }: { catalogue: Catalogue; chainId: ChainId },
): Promise<number> {
  const checks = await readTokenChecks(tx)
  const suspended = new Set(
    checks.filter(({ suspendedAt }) => suspendedAt !== null).map(({ tokenId }) => tokenId),
  )
  const tokens = catalogue.tokensOf(chainId).filter(({ id }) => !suspended.has(id))
  const reached = await lockReached(tx, { chainId, tokens, depositsMax: DEPOSITS_MAX })
  await post(tx, reached.map(released))
  return (await moveRows(tx, { deposits: reached, move: MOVES.recount })).length
}

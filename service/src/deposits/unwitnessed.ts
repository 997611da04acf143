import type { ChainId } from '@sluice/wire'
import { readSuspended } from '../catalogue/token-check.ts'
import { writeAudit } from '../audit-log/write-audit.ts'
import { post } from '../ledger/post.ts'
import type { Tx } from '../store/database.ts'
import { type Deposit, MOVES } from './deposit.ts'
import { CLEAR, resolveHeld } from './hold.ts'
import { lockHeldSince, selectHeldFor } from './lookup-rows.ts'
import { releasedPosting } from './postings.ts'
import { moveRows } from './rows.ts'
import { UNWITNESSED } from './verdict.ts'

/** Actor in the audit log. */
const ACTOR = 'audit'

/** Deposits of a chain that are held only because no state could be read, newest first. */
export function listUnwitnessed(
  tx: Tx,
  { chainId, limit }: { chainId: ChainId; limit: number },
): Promise<Deposit[]> {
  return selectHeldFor(tx, { chainId, cause: UNWITNESSED, limit })
}

/**
 * Releases deposits that were held because no state could be read, after the audit has confirmed
 * their balance at a height: each is Detected again, and the next step of the scanner credits it. A
 * deposit that changed since it was read, or whose token is suspended, is not released. Audit-
 * logged.
 */
export async function clearUnwitnessed(
  tx: Tx,
  { deposits, height }: { deposits: readonly Deposit[]; height: number },
): Promise<void> {
  const suspended = await readSuspended(tx)
  const standing = (await lockHeldSince(tx, deposits)).filter(
    ({ tokenId }) => !suspended.has(tokenId),
  )
  if (standing.length === 0) return
  await post(tx, standing.map(releasedPosting))
  await resolveHeld(tx, standing)
  for (const { orgId, id } of await moveRows(tx, { transfers: standing, move: MOVES.release })) {
    const details = { height }
    await writeAudit(tx, { orgId, actor: ACTOR, action: CLEAR, object: id, details })
  }
}

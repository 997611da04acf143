import type { ChainId } from '@sluice/wire'
import type { Catalogue } from '../catalogue/find.ts'
import type { BlockRef } from '../chains/port.ts'
import { resolveAlerts } from '../journal/raise-alert.ts'
import { post } from '../ledger/post.ts'
import { orphaned } from '../ledger/posting.ts'
import type { Tx } from '../store/database.ts'
import { appendEvent } from '../webhooks/outbox.ts'
import { appendBalanceEvents } from './balance-events.ts'
import { type Deposit, MOVES } from './deposit.ts'
import { depositPayload } from './payload.ts'
import { lockOfBlock, moveRows } from './rows.ts'

/**
 * Takes back every deposit of a block that left the chain, from wherever its money is booked; a
 * balance may go negative by it, flagged. Each is told with `deposit.reverted`. Answers with those
 * that had been confirmed: the caller freezes the chain for them (decisions, section 2).
 */
export async function orphanDeposits(
  tx: Tx,
  given: { catalogue: Catalogue; chainId: ChainId; block: BlockRef },
): Promise<readonly Deposit[]> {
  const standing = await lockOfBlock(tx, given)
  if (standing.length === 0) return []
  await post(tx, standing.map(orphaned))
  const moved = await moveRows(tx, { deposits: standing, move: MOVES.orphan })
  // Should it come back, it is judged anew, and told anew where it is held again.
  const held = standing.filter(({ status }) => status === 'Held').map(({ id }) => id)
  await resolveAlerts(tx, { code: 'deposit.held', subjects: held })
  const rows = new Map(moved.map((deposit) => [deposit.id, deposit]))
  for (const before of standing) {
    const deposit = rows.get(before.id) ?? before
    const token = given.catalogue.summary(deposit.tokenId)
    const payload = depositPayload(deposit, { token, tipHeight: deposit.block.height })
    appendEvent(tx, {
      orgId: deposit.orgId,
      type: 'deposit.reverted',
      subjectId: deposit.id,
      payload: { ...payload, previousStatus: before.status },
    })
  }
  const confirmed = standing.filter(({ status }) => status === 'Confirmed')
  const { catalogue } = given
  await appendBalanceEvents(tx, { catalogue, reason: 'reversal', deposits: confirmed })
  return confirmed
}

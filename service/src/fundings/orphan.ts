import type { ChainId } from '@sluice/wire'
import { assert } from '../base/assert.ts'
import type { Catalogue } from '../catalogue/find.ts'
import type { BlockRef } from '../chains/port.ts'
import { resolveAlerts } from '../journal/raise-alert.ts'
import { CLAIM } from '../ledger/account.ts'
import { post } from '../ledger/post.ts'
import { fundingOrphaned } from '../ledger/spend-postings.ts'
import type { Tx } from '../store/database.ts'
import { appendFundingEvent } from './balance-event.ts'
import { type Funding, MOVES, standingClaim } from './funding.ts'
import { movedOf, whereOf } from './moved.ts'
import { lockOfBlock, moveRow } from './rows.ts'

/**
 * Takes back every funding of a block that left the chain, from wherever its money is booked; the
 * claim may go negative by it, flagged. Answers with those that had been confirmed: the caller
 * freezes the chain for them, as for deposits.
 */
export async function orphanFundings(
  tx: Tx,
  given: { catalogue: Catalogue; chainId: ChainId; block: BlockRef },
): Promise<readonly Funding[]> {
  const live = await lockOfBlock(tx, given)
  for (const funding of live) {
    const claim = standingClaim(funding)
    assert(claim !== null, 'a live funding that is booked nowhere', { id: funding.id })
    const at = whereOf(funding)
    const moved = movedOf(funding)
    const { setApart } = funding
    const parts = [
      { amount: funding.amount - setApart, standing: claim },
      { amount: setApart, standing: CLAIM.gas },
    ].filter(({ amount }) => amount > 0n)
    await post(
      tx,
      parts.map(({ amount, standing }) => fundingOrphaned({ ...moved, amount }, { standing, at })),
    )
    await moveRow(tx, { funding, move: MOVES.orphan, booked: 'none' })
    if (funding.status !== 'Confirmed') continue
    const { catalogue } = given
    await appendFundingEvent(tx, { catalogue, funding, sign: -1n })
  }
  const held = live.filter(({ status }) => status === 'Held').map(({ id }) => id)
  await resolveAlerts(tx, { code: 'funding.held', subjects: held })
  return live.filter(({ status }) => status === 'Confirmed')
}

import { Refusal } from '../base/fault.ts'
import { resolveAlert } from '../journal/raise-alert.ts'
import { writeAudit } from '../journal/write-audit.ts'
import { post } from '../ledger/post.ts'
import { fundingHeld, reversalOf } from '../ledger/spend-postings.ts'
import type { Tx } from '../store/database.ts'
import { type Funding, MOVES } from './funding.ts'
import { movedOf } from './moved.ts'
import { lockByIds, moveRow } from './rows.ts'

/**
 * Lets a held funding go, on an operator's word: it is Detected again and credited by the next
 * step, whatever held it. Audit-logged. Refuses with NOT_FOUND, and with BAD_REQUEST where it is
 * not held.
 */
export async function releaseFunding(
  tx: Tx,
  given: { fundingId: string; actor: string; reason: string },
): Promise<Funding> {
  const { fundingId, actor, reason } = given
  const [before] = await lockByIds(tx, [fundingId])
  if (before === undefined) {
    throw new Refusal('NOT_FOUND', { fundingId }, `There is no funding ${fundingId}.`)
  }
  const funding = await moveRow(tx, { funding: before, move: MOVES.release, booked: 'unconfirmed' })
  if (funding === null) {
    const says = `The funding is ${before.status}; this needs Held.`
    throw new Refusal('BAD_REQUEST', { fundingId, status: before.status }, says)
  }
  const back = { ...reversalOf(fundingHeld(movedOf(before))), reversal: false }
  await post(tx, [{ ...back, reason: 'funding.released' }])
  await resolveAlert(tx, { code: 'funding.held', subject: fundingId })
  const { orgId } = funding
  const details = { reason }
  await writeAudit(tx, { orgId, actor, action: 'funding.release', object: fundingId, details })
  return funding
}

import type { Tx } from '../store/database.ts'
import { CLAIM } from './account.ts'
import { sumOnClaim } from './standing-rows.ts'

/**
 * Base units that stand reserved on behalf of one withdrawal, as the postings alone say it: 0 once
 * it was paid or given back, whatever its row says.
 */
export function reservedFor(
  tx: Tx,
  { orgId, referenceId }: { orgId: string; referenceId: string },
): Promise<bigint> {
  return sumOnClaim(tx, { orgId, referenceId, claim: CLAIM.reserved })
}

/**
 * Base units of the native currency that stand under the claim on gas on behalf of one withdrawal,
 * its fee not counted: that is booked on the spend.
 */
export function heldForFee(
  tx: Tx,
  { orgId, referenceId }: { orgId: string; referenceId: string },
): Promise<bigint> {
  return sumOnClaim(tx, { orgId, referenceId, claim: CLAIM.gas })
}

import type { TokenId } from '@sluice/wire'
import type { Tx } from '../store/database.ts'
import { CLAIM } from './account.ts'
import { sumOnClaim, sumsOnClaim } from './standing-rows.ts'

/** Whose record something is booked for. */
interface Referred {
  orgId: string
  referenceId: string
}

/**
 * Base units that stand reserved on behalf of one withdrawal, as the postings alone say it: 0 once
 * it was paid or given back, whatever its row says.
 */
export async function reservedFor(tx: Tx, record: Referred): Promise<bigint> {
  const { amount } = await sumOnClaim(tx, { ...record, claim: CLAIM.reserved })
  return amount
}

/**
 * Whether a withdrawal's amount was set aside, and nothing has happened to it since: one posting,
 * of that amount. Postings are never changed, so that what was paid or given back once does not
 * look so again, whatever is booked after it.
 */
export async function isReservedUntouched(
  tx: Tx,
  { amount, ...record }: Referred & { amount: bigint },
): Promise<boolean> {
  const found = await sumOnClaim(tx, { ...record, claim: CLAIM.reserved })
  return found.amount === amount && found.postings === 1
}

/**
 * Base units of the native currency that stand under the claim on gas on behalf of one withdrawal,
 * its fee not counted: that is booked on the spend.
 */
export async function heldForFee(tx: Tx, record: Referred): Promise<bigint> {
  const { amount } = await sumOnClaim(tx, { ...record, claim: CLAIM.gas })
  return amount
}

/** The same of several withdrawals of one organization together, by native token. */
export function heldForFees(
  tx: Tx,
  { orgId, referenceIds }: { orgId: string; referenceIds: readonly string[] },
): Promise<Map<TokenId, bigint>> {
  return sumsOnClaim(tx, { orgId, referenceIds, claim: CLAIM.gas })
}

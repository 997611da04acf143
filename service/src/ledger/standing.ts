import type { TokenId } from '@sluice/wire'
import type { Tx } from '../store/database.ts'
import { CLAIM } from './account.ts'
import { sumOnClaim, sumsOnClaim } from './standing-rows.ts'

interface Referred {
  orgId: string
  referenceId: string
}

/**
 * The amount reserved for a withdrawal according to its postings: 0 once it was paid or released,
 * independent of the withdrawal's row.
 */
export async function reservedFor(tx: Tx, record: Referred): Promise<bigint> {
  const { amount } = await sumOnClaim(tx, { ...record, claim: CLAIM.reserved })
  return amount
}

/**
 * Whether a withdrawal's amount is reserved by a single posting of that amount. Postings are never
 * changed, so a withdrawal that was paid or released never has this state again.
 */
export async function isReservedUntouched(
  tx: Tx,
  { amount, ...record }: Referred & { amount: bigint },
): Promise<boolean> {
  const found = await sumOnClaim(tx, { ...record, claim: CLAIM.reserved })
  return found.amount === amount && found.postings === 1
}

/**
 * The native currency reserved on the gas claim for a withdrawal's fee. The paid fee is not
 * subtracted: it is posted for the spend.
 */
export async function heldForFee(tx: Tx, record: Referred): Promise<bigint> {
  const { amount } = await sumOnClaim(tx, { ...record, claim: CLAIM.gas })
  return amount
}

/** As `heldForFee` for several withdrawals of an organization, by native token. */
export function heldForFees(
  tx: Tx,
  { orgId, referenceIds }: { orgId: string; referenceIds: readonly string[] },
): Promise<Map<TokenId, bigint>> {
  return sumsOnClaim(tx, { orgId, referenceIds, claim: CLAIM.gas })
}

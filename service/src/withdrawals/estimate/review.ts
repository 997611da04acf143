import type { EstimateWarning } from '@sluice/wire'
import { assert } from '../../base/assert.ts'
import { ALL_CHAINS } from '../../catalogue/chains.ts'
import { heldForFees } from '../../ledger/standing.ts'
import type { Tx } from '../../store/database.ts'
import { readAvailable } from '../reserve.ts'
import type { Withdrawal } from '../withdrawal.ts'
import { observe } from './observe.ts'
import { type Observed, warningsOf } from './warn.ts'

/** Whether a withdrawal is not signed yet and has not ended: only then it has warnings. */
export function isUnderReview({ status }: Pick<Withdrawal, 'status'>): boolean {
  return status === 'PendingApproval' || status === 'Pending'
}

/**
 * The warnings of an existing withdrawal under review, as before its creation: compared with the
 * other withdrawals of its organization, and with the balance that its own reservation left plus
 * that reservation.
 */
export async function readWarnings(
  tx: Tx,
  {
    withdrawal,
    ...answers
  }: { withdrawal: Withdrawal } & Pick<Observed, 'isContract' | 'needsTag'>,
): Promise<EstimateWarning[]> {
  const { orgId, id, chainId, tokenId, amount } = withdrawal
  const entry = ALL_CHAINS.find((chain) => chain.id === chainId)
  assert(entry !== undefined, 'a withdrawal on an unknown chain', { id, chainId })
  const [rest, held] = await Promise.all([
    readAvailable(tx, withdrawal),
    heldForFees(tx, { orgId, referenceIds: [id] }),
  ])
  const available = rest + amount + (held.get(tokenId) ?? 0n)
  const named = { ...withdrawal, entry }
  return warningsOf(
    await observe(tx, { ...answers, orgId, named, available, existing: withdrawal }),
  )
}

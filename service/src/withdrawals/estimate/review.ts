import type { WithdrawalReview } from '@sluice/wire'
import { assert } from '../../base/assert.ts'
import { ALL_CHAINS, type ChainEntry } from '../../catalogue/chains.ts'
import { heldForFees } from '../../ledger/standing.ts'
import type { Tx } from '../../store/database.ts'
import { readAvailable } from '../reserve.ts'
import type { Withdrawal } from '../withdrawal.ts'
import { type FeeFacts, viewBalance, viewFee } from './estimate.ts'
import { observe } from './observe.ts'
import { type Observed, warningsOf } from './warn.ts'

/** Whether a withdrawal is not signed yet and has not ended: only then it is reviewed. */
export function isUnderReview({ status }: Pick<Withdrawal, 'status'>): boolean {
  return status === 'PendingApproval' || status === 'Pending'
}

/**
 * The fee, the balance and the warnings of an existing withdrawal under review, as before its
 * creation: compared with the other withdrawals of its organization, and with the balance that its
 * own reservation left plus that reservation.
 */
export async function reviewWithdrawal(
  tx: Tx,
  {
    withdrawal,
    fee,
    caps,
    ...answers
  }: { withdrawal: Withdrawal } & FeeFacts & Pick<Observed, 'isContract' | 'needsTag'>,
): Promise<WithdrawalReview> {
  const { orgId, id, tokenId, amount } = withdrawal
  const entry = entryOf(withdrawal)
  const [rest, heldOf] = await Promise.all([
    readAvailable(tx, withdrawal),
    heldForFees(tx, { orgId, referenceIds: [id] }),
  ])
  const held = heldOf.get(tokenId) ?? 0n
  const before = rest + amount + held
  const named = { ...withdrawal, entry }
  const observed = { ...answers, orgId, named, available: before, existing: withdrawal }
  return {
    fee: viewFee(named, { fee, caps }),
    available: viewBalance({ before, amount, held }),
    warnings: warningsOf(await observe(tx, observed)),
  }
}

/** The chain of a stored withdrawal, also if it is no longer configured. */
export function entryOf({ id, chainId }: Pick<Withdrawal, 'id' | 'chainId'>): ChainEntry {
  const entry = ALL_CHAINS.find((chain) => chain.id === chainId)
  assert(entry !== undefined, 'a withdrawal on an unknown chain', { id, chainId })
  return entry
}

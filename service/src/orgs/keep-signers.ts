import { Refusal } from '../base/fault.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import type { Tx } from '../store/database.ts'
import { countSigners, isSigner } from './signers.ts'
import type { Organization } from './organization.ts'
import type { User } from './user.ts'

/** A withdrawal that is not released yet, and how many approvals it needs. */
export interface PendingThreshold {
  withdrawalId: string
  requiredApprovals: number
}

/** Asks the withdrawals room, which this one does not know, for all of an organization. */
export type PendingThresholds = (tx: Tx, orgId: string) => Promise<readonly PendingThreshold[]>

/**
 * Whether enough signers are left when this one is none any more (engineering, 6). The
 * organization's settings are locked, so that its threshold and its signers stand. Refuses with
 * INVALID_MIN_SIGNERS, `details.withdrawals` listing those that could not be approved any more.
 */
export async function requireSignersBesides(
  tx: Tx,
  serviceKey: ServiceKey,
  given: { organization: Organization; user: User },
  pendingThresholds: PendingThresholds,
): Promise<void> {
  const { organization, user } = given
  if (!isSigner(user)) return
  const left = (await countSigners(tx, serviceKey, organization.id)) - 1
  const pending = await pendingThresholds(tx, organization.id)
  const stuck = pending.filter(({ requiredApprovals }) => requiredApprovals > left)
  const { minWithdrawalSigners, minHumanApprovals } = organization
  if (left >= Math.max(minWithdrawalSigners, minHumanApprovals) && stuck.length === 0) return
  const details = {
    signersLeft: left,
    minWithdrawalSigners,
    ...(minHumanApprovals > 0 && { minHumanApprovals }),
    withdrawals: stuck,
  }
  throw new Refusal('INVALID_MIN_SIGNERS', details, explain(details))
}

function explain(given: {
  signersLeft: number
  minWithdrawalSigners: number
  minHumanApprovals?: number
  withdrawals: readonly PendingThreshold[]
}): string {
  const { signersLeft, minWithdrawalSigners, minHumanApprovals = 0, withdrawals } = given
  const needed = Math.max(minWithdrawalSigners, minHumanApprovals)
  return [
    `That would leave ${signersLeft} signers, and new withdrawals need ${needed}.`,
    ...withdrawals.map(
      ({ withdrawalId, requiredApprovals }) =>
        `Withdrawal ${withdrawalId} waits for ${requiredApprovals} approvals.`,
    ),
    'Add a signer first, or lower the threshold and cancel what waits.',
  ].join('\n')
}

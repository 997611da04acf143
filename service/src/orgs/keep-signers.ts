import { Refusal } from '../base/fault.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import type { Tx } from '../store/database.ts'
import { countSigners, isSigner } from './signers.ts'
import type { Organization } from './organization.ts'
import { areGenuine, tellForged } from './thresholds.ts'
import type { User } from './user.ts'

/** A withdrawal that is not released yet, and how many approvals it needs. */
export interface PendingThreshold {
  withdrawalId: string
  requiredApprovals: number
  /** Whether it is still the withdrawal that was asked for. */
  genuine: boolean
}

/** Asks the withdrawals room, which this one does not know, for those that need more than that. */
export type PendingThresholds = (
  tx: Tx,
  serviceKey: ServiceKey,
  asked: { orgId: string; moreThan: number },
) => Promise<readonly PendingThreshold[]>

/** What a writer of the database has changed, and what was therefore not asked. */
export interface LeftOut {
  /** The numbers of the organization's settings. */
  thresholds: boolean
  /** Withdrawals that would have needed more signers than are left. */
  withdrawals: readonly string[]
}

/**
 * Whether enough signers are left when this one is none any more (engineering, 6). The
 * organization's settings are locked, so that its threshold and its signers stand. What was changed
 * in the database keeps nobody in office who has to go: it is left out and told to an operator.
 * Refuses with INVALID_MIN_SIGNERS, `details.withdrawals` listing those that could not be approved
 * any more.
 */
export async function requireSignersBesides(
  tx: Tx,
  serviceKey: ServiceKey,
  given: { organization: Organization; user: User },
  pendingThresholds: PendingThresholds,
): Promise<LeftOut> {
  const { organization, user } = given
  if (!isSigner(user)) return { thresholds: false, withdrawals: [] }
  const orgId = organization.id
  const left = (await countSigners(tx, serviceKey, orgId)) - 1
  const numbers = areGenuine(serviceKey, organization) ? organization : null
  if (numbers === null) await tellForged(tx, orgId)
  const pending = await pendingThresholds(tx, serviceKey, { orgId, moreThan: left })
  requireLeft({ left, numbers, stuck: pending.filter(({ genuine }) => genuine) })
  const changed = pending.filter(({ genuine }) => !genuine)
  return {
    thresholds: numbers === null,
    withdrawals: changed.map(({ withdrawalId }) => withdrawalId),
  }
}

function requireLeft(given: {
  left: number
  numbers: Pick<Organization, 'minWithdrawalSigners' | 'minHumanApprovals'> | null
  stuck: readonly PendingThreshold[]
}): void {
  const { left, numbers, stuck } = given
  const { minWithdrawalSigners = 0 } = numbers ?? {}
  // The default needs no more signers than the other number does.
  const minHumanApprovals = numbers?.minHumanApprovals ?? 0
  if (left >= Math.max(minWithdrawalSigners, minHumanApprovals) && stuck.length === 0) return
  const details = {
    signersLeft: left,
    ...(numbers !== null && { minWithdrawalSigners }),
    ...(minHumanApprovals > 0 && { minHumanApprovals }),
    withdrawals: stuck.map(({ withdrawalId, requiredApprovals }) => ({
      withdrawalId,
      requiredApprovals,
    })),
  }
  throw new Refusal('INVALID_MIN_SIGNERS', details, explain(details))
}

function explain(given: {
  signersLeft: number
  minWithdrawalSigners?: number
  minHumanApprovals?: number
  withdrawals: readonly Omit<PendingThreshold, 'genuine'>[]
}): string {
  const { signersLeft, minWithdrawalSigners = 0, minHumanApprovals = 0, withdrawals } = given
  const needed = Math.max(minWithdrawalSigners, minHumanApprovals)
  const ofNew = needed === 0 ? '.' : `, and new withdrawals need ${needed}.`
  return [
    `That would leave ${signersLeft} signers${ofNew}`,
    ...withdrawals.map(
      ({ withdrawalId, requiredApprovals }) =>
        `Withdrawal ${withdrawalId} waits for ${requiredApprovals} approvals.`,
    ),
    'Add a signer first, or lower the threshold and cancel what waits.',
  ].join('\n')
}

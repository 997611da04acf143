import { Refusal } from '../base/fault.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import type { Tx } from '../store/database.ts'
import { countSigners, isSigner } from './signers.ts'
import type { Organization } from './organization.ts'
import { areAuthentic, raiseForged } from './thresholds.ts'
import type { User } from './user.ts'

/** An unreleased withdrawal, and how many approvals it needs. */
export interface PendingThreshold {
  withdrawalId: string
  requiredApprovals: number
  /** Whether its MAC matches. */
  authentic: boolean
}

/** Lists the withdrawals that need more approvals; a callback into the withdrawals module. */
export type PendingThresholds = (
  tx: Tx,
  serviceKey: ServiceKey,
  asked: { orgId: string; moreThan: number },
) => Promise<readonly PendingThreshold[]>

/** The tampered rows that were ignored. */
export interface LeftOut {
  /** Whether the organization's thresholds were ignored. */
  thresholds: boolean
  /** Withdrawals that would need more signers than are left. */
  withdrawals: readonly string[]
}

/**
 * Checks that enough signers remain without this user (engineering, 6). The organization's settings
 * are locked, so that its threshold and its signers do not change. A tampered row never prevents a
 * removal: it is ignored and returned for the operator. Refuses with INVALID_MIN_SIGNERS;
 * `details.withdrawals` lists the withdrawals that could no longer be approved.
 */
export async function requireSignersBesides(
  tx: Tx,
  serviceKey: ServiceKey,
  params: { organization: Organization; user: User },
  pendingThresholds: PendingThresholds,
): Promise<LeftOut> {
  const { organization, user } = params
  if (!isSigner(user)) return { thresholds: false, withdrawals: [] }
  const orgId = organization.id
  const left = (await countSigners(tx, serviceKey, orgId)) - 1
  const numbers = areAuthentic(serviceKey, organization) ? organization : null
  if (numbers === null) await raiseForged(tx, orgId)
  const pending = await pendingThresholds(tx, serviceKey, { orgId, moreThan: left })
  requireLeft({ left, numbers, stuck: pending.filter(({ authentic }) => authentic) })
  const changed = pending.filter(({ authentic }) => !authentic)
  return {
    thresholds: numbers === null,
    withdrawals: changed.map(({ withdrawalId }) => withdrawalId),
  }
}

function requireLeft(params: {
  left: number
  numbers: Pick<Organization, 'minWithdrawalSigners' | 'minHumanApprovals'> | null
  stuck: readonly PendingThreshold[]
}): void {
  const { left, numbers, stuck } = params
  const { minWithdrawalSigners = 0 } = numbers ?? {}
  // The default never exceeds the other threshold.
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

function explain(params: {
  signersLeft: number
  minWithdrawalSigners?: number
  minHumanApprovals?: number
  withdrawals: readonly Omit<PendingThreshold, 'authentic'>[]
}): string {
  const { signersLeft, minWithdrawalSigners = 0, minHumanApprovals = 0, withdrawals } = params
  const needed = Math.max(minWithdrawalSigners, minHumanApprovals)
  const ofNew = needed === 0 ? '.' : `, and new withdrawals need ${needed}.`
  return [
    `This change would leave ${signersLeft} signers${ofNew}`,
    ...withdrawals.map(
      ({ withdrawalId, requiredApprovals }) =>
        `Withdrawal ${withdrawalId} waits for ${requiredApprovals} approvals.`,
    ),
    'Add a signer first, or lower the threshold and cancel these withdrawals.',
  ].join('\n')
}

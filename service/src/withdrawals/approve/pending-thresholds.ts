import type { ServiceKey } from '../../keys/service-key.ts'
import type { PendingThreshold } from '../../orgs/keep-signers.ts'
import type { Tx } from '../../store/database.ts'
import { CHANGED, isAuthentic } from '../mac.ts'
import { selectDemanding } from '../rows.ts'
import { raiseTamperAlert } from '../tampered.ts'
import type { Withdrawal } from '../withdrawal.ts'

/**
 * Lists the withdrawals that are not signed yet and need more than `moreThan` approvals: no user
 * may be disabled if fewer signers would remain (engineering, 6). Raises an alert for tampered
 * ones, whose thresholds were not requested.
 */
export async function pendingThresholds(
  tx: Tx,
  serviceKey: ServiceKey,
  asked: { orgId: string; moreThan: number },
): Promise<readonly PendingThreshold[]> {
  const demanding = await selectDemanding(tx, asked)
  const found: PendingThreshold[] = []
  for (const withdrawal of demanding) {
    const authentic = isAuthentic(serviceKey, withdrawal)
    if (!authentic) await raiseTamperAlert(tx, withdrawal, CHANGED)
    found.push({ withdrawalId: withdrawal.id, requiredApprovals: neededFor(withdrawal), authentic })
  }
  return found
}

function neededFor({ requiredApprovals, requiredHumans }: Withdrawal): number {
  return Math.max(requiredApprovals, requiredHumans)
}

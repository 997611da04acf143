import type { ServiceKey } from '../../keys/service-key.ts'
import type { PendingThreshold } from '../../orgs/keep-signers.ts'
import type { Tx } from '../../store/database.ts'
import { CHANGED, isGenuine } from '../mac.ts'
import { selectDemanding } from '../rows.ts'
import { alertTampered } from '../tell-tampered.ts'
import type { Withdrawal } from '../withdrawal.ts'

/**
 * Those withdrawals that are not signed yet and need the approval of more than so many: nobody may
 * be disabled who would leave fewer signers than that (engineering, 6). An operator is told of
 * those that somebody changed in the database: what they say they need, nobody has asked for.
 */
export async function pendingThresholds(
  tx: Tx,
  serviceKey: ServiceKey,
  asked: { orgId: string; moreThan: number },
): Promise<readonly PendingThreshold[]> {
  const demanding = await selectDemanding(tx, asked)
  const found: PendingThreshold[] = []
  for (const withdrawal of demanding) {
    const genuine = isGenuine(serviceKey, withdrawal)
    if (!genuine) await alertTampered(tx, withdrawal, CHANGED)
    found.push({ withdrawalId: withdrawal.id, requiredApprovals: neededFor(withdrawal), genuine })
  }
  return found
}

function neededFor({ requiredApprovals, requiredHumans }: Withdrawal): number {
  return Math.max(requiredApprovals, requiredHumans)
}

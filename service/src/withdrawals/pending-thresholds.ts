import type { PendingThreshold } from '../orgs/keep-signers.ts'
import type { Tx } from '../store/database.ts'
import { selectThresholds } from './rows.ts'

/**
 * How many approvals each withdrawal needs that is not signed yet: nobody may be disabled who would
 * leave fewer signers than that (engineering, 6).
 */
export function pendingThresholds(tx: Tx, orgId: string): Promise<readonly PendingThreshold[]> {
  return selectThresholds(tx, orgId)
}

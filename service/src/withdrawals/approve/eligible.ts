import type { Millis } from '../../base/clock.ts'
import type { ServiceKey } from '../../keys/service-key.ts'
import { listSigners } from '../../orgs/signers.ts'
import type { User } from '../../orgs/user.ts'
import type { Tx } from '../../store/database.ts'
import type { Withdrawal } from '../withdrawal.ts'
import { countApprovals } from './recount.ts'

/**
 * The signers whose approval would change a withdrawal, the earliest user first: all without an
 * approval that counts. An initiator counts already, until that approval is void. Empty unless the
 * withdrawal waits for approvals, and if its rows were tampered with.
 */
export async function readEligible(
  tx: Tx,
  serviceKey: ServiceKey,
  { withdrawal, maxAgeMs }: { withdrawal: Withdrawal; maxAgeMs: Millis },
): Promise<User[]> {
  if (withdrawal.status !== 'PendingApproval') return []
  const { tampered, counted } = await countApprovals(tx, serviceKey, { withdrawal, maxAgeMs })
  if (tampered !== null) return []
  const signers = await listSigners(tx, serviceKey, withdrawal.orgId)
  return signers.filter(({ id }) => !counted.includes(id))
}

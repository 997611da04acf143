import { isId } from '../base/id.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import type { Tx } from '../store/database.ts'
import { isSigner, readUsers } from './signers.ts'

/** Whether a user may currently approve withdrawals of an organization. */
export type StillSigns = (tx: Tx, person: { orgId: string; userId: string }) => Promise<boolean>

/**
 * Checks approvers of the past for modules without the service key: approvals of users who were
 * disabled, demoted or tampered with since then do not count.
 */
export function stillSignsBy(serviceKey: ServiceKey): StillSigns {
  return async (tx, { orgId, userId }) => {
    // An approver is stored as text, which a writer of the database can set to anything.
    if (!isId(userId)) return false
    const user = (await readUsers(tx, serviceKey, { orgId, ids: [userId] })).get(userId)
    return user !== undefined && isSigner(user)
  }
}

import { isId } from '../base/id.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import type { Tx } from '../store/database.ts'
import { isSigner, readUsers } from './signers.ts'

/** Whether somebody may approve withdrawals of an organization, as the person stands now. */
export type StillSigns = (tx: Tx, person: { orgId: string; userId: string }) => Promise<boolean>

/**
 * Asks after people whose word was written down some time ago, for rooms that hold no service key:
 * who was disabled, demoted or changed in the database since then has said nothing.
 */
export function stillSignsBy(serviceKey: ServiceKey): StillSigns {
  return async (tx, { orgId, userId }) => {
    // A word names its speaker in a text, which whoever writes to the database can make anything.
    if (!isId(userId)) return false
    const user = (await readUsers(tx, serviceKey, { orgId, ids: [userId] })).get(userId)
    return user !== undefined && isSigner(user)
  }
}

import type { Random } from '../base/random.ts'
import { Refusal } from '../base/fault.ts'
import { writeAudit } from '../audit-log/write-audit.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import type { Tx } from '../store/database.ts'
import { type UserChange, refuseForged } from './change-user.ts'
import { lockPerson } from './find-user.ts'
import { type NewInvitation, issueInvitation } from './invitation.ts'
import { deletePasskeys } from './passkey-rows.ts'
import { deleteRecoveryCodes } from './recovery-code-rows.ts'
import { closeSessions } from './sign-in-rows.ts'
import { clearCredentials } from './user-rows.ts'
import type { User } from './user.ts'

/**
 * Removes a person's password, TOTP secret, recovery codes and passkeys, ends the sessions, and
 * issues a new invitation. The role and approvals already given remain. For a person who has not
 * accepted yet, the new invitation replaces the previous one. Refuses with NOT_FOUND, and with
 * BAD_REQUEST for an API key's user, a disabled user, and a user whose row was tampered with.
 */
export async function resetCredentials(
  tx: Tx,
  serviceKey: ServiceKey,
  params: UserChange & { random: Random; reason?: string },
): Promise<{ user: User; invitation: NewInvitation }> {
  const { actor, random, reason } = params
  const { user } = await lockPerson(tx, serviceKey, params.user)
  if (!user.authentic) refuseForged(user)
  const { orgId, id, role, status } = user
  if (status === 'disabled' || role === 'api') return refuseDisabled(id)
  await clearCredentials(tx, { orgId, id })
  await deleteRecoveryCodes(tx, { orgId, userId: id })
  await deletePasskeys(tx, { orgId, userId: id })
  await closeSessions(tx, { orgId, userId: id, cause: 'user.reset' })
  const invitation = await issueInvitation(tx, serviceKey, { user, role, actor, random })
  const details = { role, ...(reason !== undefined && { reason }) }
  await writeAudit(tx, { orgId, actor, action: 'user.reset', object: id, details })
  return { user, invitation }
}

function refuseDisabled(userId: string): never {
  const says = 'The user is disabled. Enable the user first.'
  throw new Refusal('BAD_REQUEST', { userId, reason: 'disabled' }, says)
}

import type { Random } from '../base/random.ts'
import { Refusal } from '../base/fault.ts'
import { writeAudit } from '../audit-log/write-audit.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import type { Tx } from '../store/database.ts'
import { addPerson, refuseUsername } from './create-user.ts'
import { lockPerson } from './find-user.ts'
import { type NewInvitation, endInvitation, issueInvitation } from './invitation.ts'
import { hasAdminBesides } from './keep-admins.ts'
import { resetCredentials } from './reset-credentials.ts'
import { lockSettings } from './settings.ts'
import { selectUserId } from './user-rows.ts'
import type { HumanRole, User } from './user.ts'

/** An invited person, and the invitation to hand over. */
export interface Invited {
  user: User
  invitation: NewInvitation
}

interface Draft {
  orgId: string
  username: string
  actor: string
  random: Random
}

/**
 * Adds a person to an organization and issues an invitation, with which the person sets password
 * and TOTP secret. Refuses with NOT_FOUND (organization) and BAD_REQUEST (username malformed or
 * taken).
 */
export async function inviteUser(
  tx: Tx,
  serviceKey: ServiceKey,
  params: Draft & { role: HumanRole; reason?: string },
): Promise<Invited> {
  const { orgId, username, role, actor, random, reason } = params
  await lockSettings(tx, orgId)
  const user = await addPerson(tx, serviceKey, { orgId, username, role })
  const invitation = await issueInvitation(tx, serviceKey, { user, role, actor, random })
  const details = { username, role, ...(reason !== undefined && { reason }) }
  await writeAudit(tx, { orgId, actor, action: 'user.invite', object: user.id, details })
  return { user, invitation }
}

/**
 * Invites the first admin of an organization, for an operator. With a reason, which the audit log
 * keeps, also while the organization has an admin; an admin of this name then loses the old
 * credentials. Refuses with FORBIDDEN (an admin can invite), NOT_FOUND (organization) and
 * BAD_REQUEST (username malformed or taken).
 */
export async function inviteAdmin(
  tx: Tx,
  serviceKey: ServiceKey,
  params: Draft & { reason?: string },
): Promise<Invited> {
  const { orgId, username, reason } = params
  await lockSettings(tx, orgId)
  if (reason === undefined && (await hasAdminBesides(tx, serviceKey, { orgId, id: null })))
    refuseSecondAdmin(orgId)
  const found = await selectUserId(tx, { name: username })
  if (found === null) return inviteUser(tx, serviceKey, { ...params, role: 'admin' })
  if (found.org_id !== orgId) refuseUsername(username, 'The username is taken.')
  const { user } = await lockPerson(tx, serviceKey, found.id)
  if (user.role !== 'admin' || user.status === 'disabled' || !user.authentic)
    refuseUsername(username, 'A user with this name is not an active admin. Use another name.')
  return resetCredentials(tx, serviceKey, { ...params, user: user.id })
}

/**
 * Withdraws the open invitation of a person. The person remains and can be invited again. Returns
 * whether there was one. Refuses with NOT_FOUND and BAD_REQUEST (an API key's user).
 */
export async function withdrawInvitation(
  tx: Tx,
  serviceKey: ServiceKey,
  params: { user: string; actor: string },
): Promise<{ user: User; isChanged: boolean }> {
  const { user } = await lockPerson(tx, serviceKey, params.user)
  const { orgId, id: userId } = user
  const isChanged = await endInvitation(tx, serviceKey, { orgId, userId, cause: 'withdrawn' })
  const { actor } = params
  if (isChanged)
    await writeAudit(tx, { orgId, actor, action: 'user.withdraw-invitation', object: userId })
  return { user, isChanged }
}

function refuseSecondAdmin(orgId: string): never {
  const says =
    'This organization has an admin, who invites other people with POST /users. If all admins ' +
    'have lost their credentials, pass --reason <text>.'
  throw new Refusal('FORBIDDEN', { orgId }, says)
}

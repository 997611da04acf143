import { Refusal } from '../base/fault.ts'
import { writeAudit } from '../audit-log/write-audit.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import type { Tx } from '../store/database.ts'
import { lockPerson } from './find-user.ts'
import { type LeftOut, type PendingThresholds, requireSignersBesides } from './keep-signers.ts'
import { closeSessions } from './sign-in-rows.ts'
import { isSigner } from './signers.ts'
import { updateStanding } from './user-rows.ts'
import { type Role, type User, type UserStatus, macOfUser } from './user.ts'

/** The user to change, by id or user name, and the actor. */
export interface UserChange {
  user: string
  actor: string
}

/** The changed user, and the tampered rows that were ignored. */
export interface ChangedUser {
  user: User
  leftOut: LeftOut
}

const NOTHING: LeftOut = { thresholds: false, withdrawals: [] }

/**
 * Disables a user and ends the sessions at the commit; the user's records remain. Disabling twice
 * has no effect. A user whose row was tampered with also loses the role. Refuses with NOT_FOUND,
 * BAD_REQUEST (an API key's user) and INVALID_MIN_SIGNERS if authentic thresholds would need more
 * signers than are left.
 */
export async function disableUser(
  tx: Tx,
  serviceKey: ServiceKey,
  params: UserChange,
  pendingThresholds: PendingThresholds,
): Promise<ChangedUser> {
  const to = { status: 'disabled', action: 'user.disable' } as const
  return changeStanding(tx, serviceKey, { ...params, to }, pendingThresholds)
}

/**
 * Changes a user's role; sessions with the old role end at the commit. Refuses as `disableUser`
 * does, and with BAD_REQUEST if the row was tampered with: the row cannot show that the user is
 * authentic, so it gets no new MAC.
 */
export async function setRole(
  tx: Tx,
  serviceKey: ServiceKey,
  params: UserChange & { role: Exclude<Role, 'api'> },
  pendingThresholds: PendingThresholds,
): Promise<ChangedUser> {
  const { role, ...change } = params
  const to = { role, action: 'user.set-role' } as const
  return changeStanding(tx, serviceKey, { ...change, to }, pendingThresholds)
}

async function changeStanding(
  tx: Tx,
  serviceKey: ServiceKey,
  params: UserChange & { to: { role?: Role; status?: UserStatus; action: string } },
  pendingThresholds: PendingThresholds,
): Promise<ChangedUser> {
  const { organization, user } = await lockPerson(tx, serviceKey, params.user)
  const { action, ...to } = params.to
  if (!user.authentic && to.status !== 'disabled') refuseForged(user)
  const known: User = user.authentic ? user : { ...user, role: 'viewer' }
  const changed = { authentic: true, version: tx.ids.next(), updatedAt: tx.clock.now() }
  const next: User = { ...known, ...to, ...changed }
  if (user.authentic && next.role === user.role && next.status === user.status)
    return { user, leftOut: NOTHING }
  const leftOut = isSigner(next)
    ? NOTHING
    : await requireSignersBesides(tx, serviceKey, { organization, user }, pendingThresholds)
  const { orgId, id, role, status, version } = next
  await updateStanding(tx, { orgId, id, role, status, version, mac: macOfUser(serviceKey, next) })
  await closeSessions(tx, { orgId, userId: id, cause: action })
  const details = {
    from: { role: user.role, status: user.status },
    to: { role, status },
    ...(isAnyLeftOut(leftOut) && { leftOut }),
  }
  await writeAudit(tx, { orgId, actor: params.actor, action, object: id, details })
  return { user: next, leftOut }
}

function isAnyLeftOut({ thresholds, withdrawals }: LeftOut): boolean {
  return thresholds || withdrawals.length > 0
}

function refuseForged({ id, username }: User): never {
  const says =
    `The role or status of ${username} was changed in the database. ` +
    'Disable this user, and create a new user with another name.'
  throw new Refusal('BAD_REQUEST', { userId: id }, says)
}

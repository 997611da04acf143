import { Refusal } from '../base/fault.ts'
import { writeAudit } from '../audit-log/write-audit.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import type { Tx } from '../store/database.ts'
import { lockPerson } from './find-user.ts'
import { changeInvitedRole, endInvitation } from './invitation.ts'
import { requireAdminBesides } from './keep-admins.ts'
import { type LeftOut, type PendingThresholds, requireSignersBesides } from './keep-signers.ts'
import { closeSessions } from './sign-in-rows.ts'
import { isSigner } from './signers.ts'
import { selectIsEnrolled, updateStanding } from './user-rows.ts'
import { type HumanRole, type User, type UserStatus, macOfUser } from './user.ts'

/** The user to change, by id or user name, and the actor. */
export interface UserChange {
  user: string
  actor: string
}

/** The changed user, and the tampered rows that were ignored. */
export interface ChangedUser {
  user: User
  leftOut: LeftOut
  isChanged: boolean
}

const NOTHING: LeftOut = { thresholds: false, withdrawals: [] }

/**
 * Disables a user and ends the sessions and the invitation at the commit; the user's records
 * remain. Disabling twice has no effect. A user whose row was tampered with also loses the role.
 * Refuses with NOT_FOUND, BAD_REQUEST (an API key's user) and INVALID_MIN_SIGNERS if authentic
 * thresholds would need more signers than are left. An operator may also disable the last admin.
 */
export async function disableUser(
  tx: Tx,
  serviceKey: ServiceKey,
  params: UserChange,
  pendingThresholds: PendingThresholds,
): Promise<ChangedUser> {
  const to = { status: 'disabled', action: 'user.disable' } as const
  return changeStanding(tx, serviceKey, { ...params, to, keepsAdmin: false }, pendingThresholds)
}

/**
 * Changes a user's role, or disables or enables the user; sessions and, of a disabled user, the
 * invitation end at the commit. A user without credentials is enabled as `invited`. Refuses as
 * `disableUser` does, with LAST_ADMIN if no admin would be left, and with BAD_REQUEST if the row
 * was tampered with, unless the user is disabled: the row cannot show that the user is authentic,
 * so it gets no new MAC.
 */
export async function changeUser(
  tx: Tx,
  serviceKey: ServiceKey,
  params: UserChange & { role?: HumanRole; disabled?: boolean },
  pendingThresholds: PendingThresholds,
): Promise<ChangedUser> {
  const { role, disabled, ...change } = params
  const to = { ...(role !== undefined && { role }), ...STANDINGS[String(disabled)] }
  return changeStanding(tx, serviceKey, { ...change, to, keepsAdmin: true }, pendingThresholds)
}

/** By `disabled`; an enabled user without credentials becomes `invited`. */
const STANDINGS: Readonly<Record<string, { status?: UserStatus; action: string }>> = {
  true: { status: 'disabled', action: 'user.disable' },
  false: { status: 'active', action: 'user.enable' },
  undefined: { action: 'user.set-role' },
}

async function changeStanding(
  tx: Tx,
  serviceKey: ServiceKey,
  params: UserChange & {
    to: { role?: HumanRole; status?: UserStatus; action?: string }
    keepsAdmin: boolean
  },
  pendingThresholds: PendingThresholds,
): Promise<ChangedUser> {
  const { organization, user } = await lockPerson(tx, serviceKey, params.user)
  const { action = '', ...to } = params.to
  if (!user.authentic && to.status !== 'disabled') refuseForged(user)
  const next = await standingAfter(tx, user, to)
  if (user.authentic && next.role === user.role && next.status === user.status)
    return { user, leftOut: NOTHING, isChanged: false }
  const leftOut = isSigner(next)
    ? NOTHING
    : await requireSignersBesides(tx, serviceKey, { organization, user }, pendingThresholds)
  if (params.keepsAdmin && user.role === 'admin' && !isAdmin(next))
    await requireAdminBesides(tx, serviceKey, user)
  const { orgId, id, role, status, version } = next
  await updateStanding(tx, { orgId, id, role, status, version, mac: macOfUser(serviceKey, next) })
  await closeSessions(tx, { orgId, userId: id, cause: action })
  if (status === 'disabled')
    await endInvitation(tx, serviceKey, { orgId, userId: id, cause: action })
  else if (role !== 'api') await changeInvitedRole(tx, serviceKey, { orgId, userId: id, role })
  const details = {
    from: { role: user.role, status: user.status },
    to: { role, status },
    ...(isAnyLeftOut(leftOut) && { leftOut }),
  }
  await writeAudit(tx, { orgId, actor: params.actor, action, object: id, details })
  return { user: next, leftOut, isChanged: true }
}

/** The user after the change, under a new version. */
async function standingAfter(
  tx: Tx,
  user: User,
  to: { role?: HumanRole; status?: UserStatus },
): Promise<User> {
  const known: User = user.authentic ? user : { ...user, role: 'viewer' }
  const status = await statusAfter(tx, user, to.status)
  const changed = { authentic: true, version: tx.ids.next(), updatedAt: tx.clock.now() }
  return { ...known, ...to, status, ...changed }
}

async function statusAfter(
  tx: Tx,
  { orgId, id, status }: User,
  wanted: UserStatus | undefined,
): Promise<UserStatus> {
  if (wanted === undefined || (wanted === 'active' && status !== 'disabled')) return status
  if (wanted !== 'active') return wanted
  return (await selectIsEnrolled(tx, { orgId, id })) ? 'active' : 'invited'
}

function isAdmin({ role, status }: User): boolean {
  return role === 'admin' && status !== 'disabled'
}

function isAnyLeftOut({ thresholds, withdrawals }: LeftOut): boolean {
  return thresholds || withdrawals.length > 0
}

/** Refuses with BAD_REQUEST: a tampered row must not get a new MAC. */
export function refuseForged({ id, username }: User): never {
  const says =
    `The role or status of ${username} was changed in the database. ` +
    'Disable this user, and invite the person under another name.'
  throw new Refusal('BAD_REQUEST', { userId: id }, says)
}

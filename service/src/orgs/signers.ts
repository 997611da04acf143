import { Refusal } from '../base/fault.ts'
import { resolveAlert } from '../alerts/raise-alert.ts'
import { writeAudit } from '../audit-log/write-audit.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import type { Tx } from '../store/database.ts'
import { lockSettings } from './settings.ts'
import type { Organization } from './organization.ts'
import { changeThresholds, forgedAlert, minHumansOf, requireAuthentic } from './thresholds.ts'
import { selectUsers, selectUsersById } from './user-rows.ts'
import { PERMISSIONS, type Role, type User, userFromRow } from './user.ts'

/**
 * Whether this user may approve withdrawals: active, with an approving role, and with a matching
 * MAC (decisions, section 5).
 */
export function isSigner(user: Pick<User, 'role' | 'status' | 'authentic'>): boolean {
  const roles: readonly Role[] = PERMISSIONS.approveWithdrawals
  return user.authentic && user.status === 'active' && roles.includes(user.role)
}

/** The total number of signers of an organization (section 8). */
export async function countSigners(
  tx: Tx,
  serviceKey: Pick<ServiceKey, 'verify'>,
  orgId: string,
): Promise<number> {
  return (await listSigners(tx, serviceKey, orgId)).length
}

/** The signers of an organization, the earliest user first. */
export async function listSigners(
  tx: Tx,
  serviceKey: Pick<ServiceKey, 'verify'>,
  orgId: string,
): Promise<User[]> {
  const rows = await selectUsers(tx, orgId)
  return rows.map((row) => userFromRow(serviceKey, row)).filter(isSigner)
}

/** How many approvals of a new withdrawal must currently come from people (`minHumansOf`). */
export async function readMinHumans(
  tx: Tx,
  serviceKey: Pick<ServiceKey, 'verify'>,
  organization: Organization,
): Promise<number> {
  const { id, minWithdrawalSigners, minHumanApprovals } = organization
  const isCounted = minHumanApprovals === null && minWithdrawalSigners > 1
  return minHumansOf(organization, isCounted ? await countSigners(tx, serviceKey, id) : 0)
}

/** The current state of these users of an organization, by id; unknown ids are skipped. */
export async function readUsers(
  tx: Tx,
  serviceKey: ServiceKey,
  { orgId, ids }: { orgId: string; ids: readonly string[] },
): Promise<Map<string, User>> {
  const rows = await selectUsersById(tx, { orgId, ids })
  return new Map(rows.map((row) => [row.id, userFromRow(serviceKey, row)]))
}

/**
 * Sets how many approvals new withdrawals need; existing ones keep their number (decisions, 6).
 * Returns the previous number. Refuses with NOT_FOUND (organization), with INVALID_MIN_SIGNERS
 * unless the value is a whole number from 1 to the number of signers (`details` has that range),
 * and with INTERNAL_ERROR if the stored thresholds were tampered with.
 */
export async function setMinSigners(
  tx: Tx,
  serviceKey: ServiceKey,
  params: { orgId: string; value: number; actor: string },
): Promise<{ previous: number }> {
  const { orgId, value, actor } = params
  // Disabling a user takes the same lock, so the number of signers cannot drop meanwhile.
  const organization = await lockSettings(tx, orgId)
  requireAuthentic(serviceKey, organization)
  const { minWithdrawalSigners: previous } = organization
  checkSigners(value, await countSigners(tx, serviceKey, orgId))
  await changeThresholds(tx, serviceKey, { ...organization, minWithdrawalSigners: value })
  const details = { from: previous, to: value }
  await writeAudit(tx, { orgId, actor, action: 'min-signers.set', object: orgId, details })
  return { previous }
}

/**
 * Sets how many approvals of new withdrawals must come from people; 0 for no requirement, null for
 * the default (`minHumansOf`). Returns the previous number. Refuses with NOT_FOUND (organization),
 * with INVALID_MIN_SIGNERS unless the value is a whole number from 0 to the number of signers
 * (`details` has that range), and with INTERNAL_ERROR if the stored thresholds were tampered with.
 */
export async function setMinHumans(
  tx: Tx,
  serviceKey: ServiceKey,
  params: { orgId: string; value: number | null; actor: string },
): Promise<{ previous: number | null }> {
  const { orgId, value, actor } = params
  const organization = await lockSettings(tx, orgId)
  requireAuthentic(serviceKey, organization)
  checkHumans(value, await countSigners(tx, serviceKey, orgId))
  const { minHumanApprovals: previous } = organization
  await changeThresholds(tx, serviceKey, { ...organization, minHumanApprovals: value })
  const details = { from: previous, to: value }
  await writeAudit(tx, { orgId, actor, action: 'min-humans.set', object: orgId, details })
  return { previous }
}

/**
 * Sets both numbers, also over tampered thresholds: for an operator. Returns the stored number of
 * signers. Refuses as `setMinSigners` and `setMinHumans` do, except for INTERNAL_ERROR.
 */
export async function setThresholds(
  tx: Tx,
  serviceKey: ServiceKey,
  params: { orgId: string; signers: number; humans: number | null; actor: string },
): Promise<{ previous: number }> {
  const { orgId, signers: minWithdrawalSigners, humans: minHumanApprovals, actor } = params
  const organization = await lockSettings(tx, orgId)
  const signers = await countSigners(tx, serviceKey, orgId)
  checkSigners(minWithdrawalSigners, signers)
  checkHumans(minHumanApprovals, signers)
  const to = { minWithdrawalSigners, minHumanApprovals }
  await changeThresholds(tx, serviceKey, { ...organization, ...to })
  await resolveAlert(tx, forgedAlert(orgId))
  const from = {
    minWithdrawalSigners: organization.minWithdrawalSigners,
    minHumanApprovals: organization.minHumanApprovals,
  }
  const details = { from, to }
  await writeAudit(tx, { orgId, actor, action: 'thresholds.set', object: orgId, details })
  return { previous: from.minWithdrawalSigners }
}

function checkSigners(value: number, signers: number): void {
  const maximum = Math.max(1, signers)
  if (Number.isSafeInteger(value) && value >= 1 && value <= maximum) return
  throw new Refusal('INVALID_MIN_SIGNERS', { provided: value, minimum: 1, maximum })
}

function checkHumans(value: number | null, maximum: number): void {
  if (value === null) return
  if (Number.isSafeInteger(value) && value >= 0 && value <= maximum) return
  const says = `The number of people must be between 0 and ${maximum}, the number of signers.`
  throw new Refusal('INVALID_MIN_SIGNERS', { provided: value, minimum: 0, maximum }, says)
}

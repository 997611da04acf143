import { Refusal } from '../base/fault.ts'
import { writeAudit } from '../journal/write-audit.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import type { Tx } from '../store/database.ts'
import { updateMinHumans, updateMinSigners } from './rows.ts'
import { lockSettings } from './settings.ts'
import { selectUsers, selectUsersById } from './user-rows.ts'
import { PERMISSIONS, type Role, type User, userFromRow } from './user.ts'

/**
 * Whether this user may approve withdrawals: active, in a role that may, and as the service key
 * vouched for it (decisions, section 5).
 */
export function isSigner(user: Pick<User, 'role' | 'status' | 'genuine'>): boolean {
  const roles: readonly Role[] = PERMISSIONS.approveWithdrawals
  return user.genuine && user.status === 'active' && roles.includes(user.role)
}

/** The total number of signers of an organization (section 8). */
export async function countSigners(tx: Tx, serviceKey: ServiceKey, orgId: string): Promise<number> {
  const rows = await selectUsers(tx, orgId)
  return rows.filter((row) => isSigner(userFromRow(serviceKey, row))).length
}

/** These users of an organization as they stand, by id; ids that nobody has are left out. */
export async function readUsers(
  tx: Tx,
  serviceKey: ServiceKey,
  { orgId, ids }: { orgId: string; ids: readonly string[] },
): Promise<Map<string, User>> {
  const rows = await selectUsersById(tx, { orgId, ids })
  return new Map(rows.map((row) => [row.id, userFromRow(serviceKey, row)]))
}

/**
 * Sets how many approvals new withdrawals need; those that were created keep theirs (decisions, 6).
 * Returns how many it were before. Refuses with NOT_FOUND (organization) and with
 * INVALID_MIN_SIGNERS where the value is no whole number from 1 to the number of signers; `details`
 * has that range.
 */
export async function setMinSigners(
  tx: Tx,
  serviceKey: ServiceKey,
  given: { orgId: string; value: number; actor: string },
): Promise<{ previous: number }> {
  const { orgId, value, actor } = given
  // People are disabled under the same lock, so that the number of signers cannot sink meanwhile.
  const { minWithdrawalSigners: previous } = await lockSettings(tx, orgId)
  const maximum = Math.max(1, await countSigners(tx, serviceKey, orgId))
  if (!Number.isSafeInteger(value) || value < 1 || value > maximum)
    throw new Refusal('INVALID_MIN_SIGNERS', { provided: value, minimum: 1, maximum })
  await updateMinSigners(tx, { orgId, value })
  const details = { from: previous, to: value }
  await writeAudit(tx, { orgId, actor, action: 'min-signers.set', object: orgId, details })
  return { previous }
}

/**
 * Sets how many of the approvals of new withdrawals must be people's, whoever asks for them; 0 for
 * none (decisions, 5). Refuses with NOT_FOUND (organization) and with INVALID_MIN_SIGNERS where the
 * value is no whole number from 0 to the number of signers; `details` has that range.
 */
export async function setMinHumans(
  tx: Tx,
  serviceKey: ServiceKey,
  given: { orgId: string; value: number; actor: string },
): Promise<void> {
  const { orgId, value, actor } = given
  const { minHumanApprovals: previous } = await lockSettings(tx, orgId)
  const maximum = await countSigners(tx, serviceKey, orgId)
  if (!Number.isSafeInteger(value) || value < 0 || value > maximum) {
    const says = `The number of people must be between 0 and the ${maximum} signers that there are.`
    throw new Refusal('INVALID_MIN_SIGNERS', { provided: value, minimum: 0, maximum }, says)
  }
  await updateMinHumans(tx, { orgId, value })
  const details = { from: previous, to: value }
  await writeAudit(tx, { orgId, actor, action: 'min-humans.set', object: orgId, details })
}

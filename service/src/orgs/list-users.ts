import type { ServiceKey } from '../keys/service-key.ts'
import type { Tx } from '../store/database.ts'
import { readOrganization } from './settings.ts'
import { selectUsers } from './user-rows.ts'
import { userFromRow } from './user.ts'
import type { User } from './user.ts'

/**
 * Lists the visible users, oldest first; only those of `orgId` if it is set. Refuses with NOT_FOUND
 * (organization).
 */
export async function listUsers(
  tx: Tx,
  serviceKey: ServiceKey,
  filter: { orgId?: string } = {},
): Promise<User[]> {
  if (filter.orgId !== undefined) await readOrganization(tx, filter.orgId)
  const rows = await selectUsers(tx, filter.orgId ?? null)
  return rows.map((row) => userFromRow(serviceKey, row))
}

import { Refusal } from '../base/fault.ts'
import { isId } from '../base/id.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import type { Tx } from '../store/database.ts'
import { type UserRow, lockUser, selectUserId } from './user-rows.ts'
import { lockSettings } from './settings.ts'
import type { Organization } from './organization.ts'
import { type User, userFromRow } from './user.ts'

/**
 * Finds a user by id or user name (in any case) and locks first the organization, then the user,
 * until the commit; threshold changes lock in the same order. Refuses with NOT_FOUND, and with
 * BAD_REQUEST for the user of an API key.
 */
export async function lockPerson(
  tx: Tx,
  serviceKey: ServiceKey,
  nameOrId: string,
): Promise<{ organization: Organization; user: User }> {
  const found = await selectUserId(tx, isId(nameOrId) ? { id: nameOrId } : { name: nameOrId })
  if (found === null) return refuseUnknown(nameOrId)
  const organization = await lockSettings(tx, found.org_id)
  const row: UserRow | null = await lockUser(tx, { orgId: found.org_id, id: found.id })
  const user = userFromRow(serviceKey, row ?? refuseUnknown(nameOrId))
  if (user.role !== 'api') return { organization, user }
  throw new Refusal('BAD_REQUEST', { userId: user.id }, "An API key's user cannot be changed.")
}

function refuseUnknown(nameOrId: string): never {
  throw new Refusal('NOT_FOUND', { user: nameOrId }, 'There is no user with this name or id.')
}

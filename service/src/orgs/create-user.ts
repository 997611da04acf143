import { Refusal } from '../base/fault.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import type { Tx } from '../store/database.ts'
import { insertUser } from './user-rows.ts'
import { macOfUser, userFromRow } from './user.ts'
import type { HumanRole, Role, User, UserStatus } from './user.ts'

/** Decisions, section 11: Unicode code points, no control characters, no lone surrogates. */
export const USERNAME_SHAPE = /^[^\p{Cc}\p{Cs}]{3,64}$/u

/**
 * Adds a person without credentials, who must be invited. Refuses with BAD_REQUEST (username
 * malformed or taken).
 */
export async function addPerson(
  tx: Tx,
  serviceKey: ServiceKey,
  params: { orgId: string; username: string; role: HumanRole },
): Promise<User> {
  const username = parseUsername(params.username)
  return addUser(tx, serviceKey, { ...params, username, status: 'invited' })
}

/**
 * Adds the user whose credential is the organization's API key. This user cannot log in: it has
 * neither a password nor a TOTP secret.
 */
export async function addApiUser(tx: Tx, serviceKey: ServiceKey, orgId: string): Promise<User> {
  const username = `api-${orgId}`
  return addUser(tx, serviceKey, { orgId, username, role: 'api', status: 'active' })
}

async function addUser(
  tx: Tx,
  serviceKey: ServiceKey,
  params: { orgId: string; username: string; role: Role; status: UserStatus },
): Promise<User> {
  const { orgId, role, status } = params
  const id = tx.ids.next()
  const mac = macOfUser(serviceKey, { id, orgId, role, status, version: null })
  const row = await insertUser(tx, { ...params, id, mac })
  return userFromRow(serviceKey, row ?? refuseUsername(params.username, 'The username is taken.'))
}

function parseUsername(text: string): string {
  if (USERNAME_SHAPE.test(text) && text.trim() === text) return text
  return refuseUsername(
    text.slice(0, 100),
    'A username has 3 to 64 characters, no control characters and no space at either end.',
  )
}

/** Refuses a username with BAD_REQUEST. */
export function refuseUsername(username: string, says: string): never {
  throw new Refusal('BAD_REQUEST', { field: 'username', username }, says)
}

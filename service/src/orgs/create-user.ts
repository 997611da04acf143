import type { Random } from '../base/random.ts'
import { Refusal } from '../base/fault.ts'
import type { Secret } from '../base/secret.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import { writeAudit } from '../audit-log/write-audit.ts'
import type { Tx } from '../store/database.ts'
import { hashPassword, newPassword, authenticateHash } from './password.ts'
import { readOrganization } from './settings.ts'
import { newTotpSecret, otpauthUri, sealTotpSecret } from './totp.ts'
import { insertUser } from './user-rows.ts'
import { macOfUser, userFromRow } from './user.ts'
import type { Role, User } from './user.ts'

/** Decisions, section 11: Unicode code points, no control characters, no lone surrogates. */
export const USERNAME_SHAPE = /^[^\p{Cc}\p{Cs}]{3,64}$/u

/** A new user with the initial credentials, which cannot be read again. */
export interface NewUser {
  user: User
  password: Secret
  /** 20 bytes in base32. */
  totpSecret: Secret
  /** The TOTP secret as authenticator apps read it from a QR code. */
  otpauthUri: Secret
}

/**
 * Adds a user to an organization, with a password and a TOTP secret. Refuses with NOT_FOUND
 * (organization), BAD_REQUEST (username malformed or taken).
 */
export async function createUser(
  tx: Tx,
  serviceKey: ServiceKey,
  params: {
    orgId: string
    username: string
    role: Exclude<Role, 'api'>
    actor: string
    random: Random
  },
): Promise<NewUser> {
  const { orgId, role, actor, random } = params
  const username = parseUsername(params.username)
  await readOrganization(tx, orgId)
  const password = newPassword(random)
  const totpSecret = newTotpSecret(random)
  const user = await addUser(tx, serviceKey, {
    orgId,
    username,
    role,
    hash: await hashPassword(random, password),
    totpSecret,
  })
  const details = { username, role }
  await writeAudit(tx, { orgId, actor, action: 'user.create', object: user.id, details })
  return { user, password, totpSecret, otpauthUri: otpauthUri({ username, totpSecret }) }
}

/**
 * Adds the user whose credential is the organization's API key. This user cannot log in: it has
 * neither a password nor a TOTP secret.
 */
export async function addApiUser(tx: Tx, serviceKey: ServiceKey, orgId: string): Promise<User> {
  const username = `api-${orgId}`
  const nothing = { hash: '', totpSecret: null }
  return addUser(tx, serviceKey, { orgId, username, role: 'api', ...nothing })
}

async function addUser(
  tx: Tx,
  serviceKey: ServiceKey,
  params: {
    orgId: string
    username: string
    role: Role
    /** The hash of the password; "" without a password. */
    hash: string
    totpSecret: Secret | null
  },
): Promise<User> {
  const { totpSecret, hash, ...columns } = params
  const id = tx.ids.next()
  const row = await insertUser(tx, {
    ...columns,
    id,
    passwordHash: hash && authenticateHash(serviceKey, { userId: id, hash }),
    sealedTotpSecret: totpSecret && sealTotpSecret(serviceKey, { userId: id, totpSecret }),
    mac: macOfUser(serviceKey, {
      id,
      orgId: params.orgId,
      role: params.role,
      status: 'active',
      version: null,
    }),
  })
  return userFromRow(serviceKey, row ?? refuseUsername(params.username, 'The username is taken.'))
}

function parseUsername(text: string): string {
  if (USERNAME_SHAPE.test(text) && text.trim() === text) return text
  return refuseUsername(
    text.slice(0, 100),
    'A username has 3 to 64 characters, no control characters and no space at either end.',
  )
}

function refuseUsername(username: string, says: string): never {
  throw new Refusal('BAD_REQUEST', { field: 'username', username }, says)
}

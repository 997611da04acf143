import { base32 } from '@scure/base'
import type { Random } from '../../src/base/random.ts'
import { Secret } from '../../src/base/secret.ts'
import { draw } from '../../src/keys/draw.ts'
import type { ServiceKey } from '../../src/keys/service-key.ts'
import { enrolUser } from '../../src/orgs/accept-invitation.ts'
import { inviteUser } from '../../src/orgs/invite-user.ts'
import { hashPassword } from '../../src/orgs/password.ts'
import { otpauthUri } from '../../src/orgs/totp.ts'
import type { HumanRole, User } from '../../src/orgs/user.ts'
import type { Tx } from '../../src/store/database.ts'

const PASSWORD_BYTES = 18
const TOTP_BYTES = 20

/** A user who accepted an invitation, with the credentials. */
export interface NewUser {
  user: User
  password: Secret
  totpSecret: Secret
  otpauthUri: Secret
}

/** Invites a user and enrols credentials from `random`; no one-time code is used up. */
export async function createUser(
  tx: Tx,
  serviceKey: ServiceKey,
  params: { orgId: string; username: string; role: HumanRole; actor: string; random: Random },
): Promise<NewUser> {
  const { random, username } = params
  const { user } = await inviteUser(tx, serviceKey, params)
  const password = new Secret(Buffer.from(draw(random, PASSWORD_BYTES)).toString('base64url'))
  const totpSecret = new Secret(base32.encode(draw(random, TOTP_BYTES)))
  const hash = await hashPassword(random, password)
  const credentials = { hash, totpSecret, step: 0, random }
  const { active } = await enrolUser(tx, serviceKey, { user, ...credentials })
  return { user: active, password, totpSecret, otpauthUri: otpauthUri({ username, totpSecret }) }
}

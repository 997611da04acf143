import type { Random } from '../base/random.ts'
import type { Secret } from '../base/secret.ts'
import { writeAudit } from '../audit-log/write-audit.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import type { Tx } from '../store/database.ts'
import type { UserChange } from './change-user.ts'
import { lockPerson } from './find-user.ts'
import { hashPassword, newPassword, authenticateHash } from './password.ts'
import { closeSessions } from './sign-in-rows.ts'
import { newTotpSecret, otpauthUri, sealTotpSecret } from './totp.ts'
import { updatePassword, updateTotpSecret } from './user-rows.ts'
import type { User } from './user.ts'

/**
 * Replaces a person's password with a new one, to be handed over once; sessions end with the
 * commit. Refuses with NOT_FOUND and BAD_REQUEST (an API key's user).
 */
export async function resetPassword(
  tx: Tx,
  serviceKey: ServiceKey,
  params: UserChange & { random: Random },
): Promise<{ user: User; password: Secret }> {
  const { user } = await lockPerson(tx, serviceKey, params.user)
  const password = newPassword(params.random)
  const { orgId, id } = user
  const hash = await hashPassword(params.random, password)
  const passwordHash = authenticateHash(serviceKey, { userId: id, hash })
  await updatePassword(tx, { orgId, id, passwordHash })
  await endSessions(tx, { user, actor: params.actor, action: 'user.reset-password' })
  return { user, password }
}

/**
 * Replaces a person's TOTP secret, to be handed over once; codes of the one before are wrong and
 * sessions end with the commit. Refuses as `resetPassword` does.
 */
export async function resetTotp(
  tx: Tx,
  serviceKey: ServiceKey,
  params: UserChange & { random: Random },
): Promise<{ user: User; totpSecret: Secret; otpauthUri: Secret }> {
  const { user } = await lockPerson(tx, serviceKey, params.user)
  const { orgId, id, username } = user
  const totpSecret = newTotpSecret(params.random)
  const sealed = sealTotpSecret(serviceKey, { userId: id, totpSecret })
  await updateTotpSecret(tx, { orgId, id, sealed })
  await endSessions(tx, { user, actor: params.actor, action: 'user.reset-totp' })
  return { user, totpSecret, otpauthUri: otpauthUri({ username, totpSecret }) }
}

async function endSessions(
  tx: Tx,
  { user, actor, action }: { user: User; actor: string; action: string },
): Promise<void> {
  const { orgId, id } = user
  await closeSessions(tx, { orgId, userId: id, cause: action })
  await writeAudit(tx, { orgId, actor, action, object: id })
}

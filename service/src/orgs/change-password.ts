import type { Clock } from '../base/clock.ts'
import type { Random } from '../base/random.ts'
import { Refusal } from '../base/fault.ts'
import type { Secret } from '../base/secret.ts'
import { writeAudit } from '../audit-log/write-audit.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import type { Database } from '../store/database.ts'
import type { Caller } from './caller.ts'
import { guardGuesses } from './guess.ts'
import { authenticHash, authenticateHash, checkPassword, hashPassword } from './password.ts'
import type { PasswordChecks } from './password-checks.ts'
import { requireCaller } from './require-caller.ts'
import { closeSessions, selectPasswordHash } from './sign-in-rows.ts'
import { checkTotp, consumeTotp } from './totp.ts'
import { updatePassword } from './user-rows.ts'

/** The parts that a change of own credentials needs. */
export interface OwnDeps {
  database: Database
  serviceKey: ServiceKey
  clock: Clock
  random: Random
  caller: Caller
  /** The address of the client, as the limits normalize it. */
  peer: string
}

const WRONG = 'The current password is wrong.'

/**
 * Replaces the caller's password and ends the other sessions. The one-time code is checked before
 * the password, and wrong ones of both are counted together. Refuses with INVALID_TOTP,
 * UNAUTHORIZED (current password), RATE_LIMIT_EXCEEDED, and as `requireCaller` does.
 */
export async function changePassword(
  deps: OwnDeps & { passwords: PasswordChecks },
  params: { currentPassword: Secret; newPassword: Secret; code: string },
): Promise<void> {
  const { database, serviceKey, clock, random, caller, peer, passwords } = deps
  const { orgId, userId, credentialId } = caller
  const { currentPassword, newPassword, code } = params
  const owner = { orgId, userId }
  await guardGuesses(database, serviceKey, { userId, peer }, async () => {
    const kept = await database.forOrg(orgId, async (tx) => {
      await requireCaller(tx, serviceKey, caller)
      await checkTotp(tx, serviceKey, { ...owner, code, clock })
      return (await selectPasswordHash(tx, owner))?.password_hash ?? ''
    })
    const hash = await passwords.inTurn(async (verify) => {
      const stored = authenticHash(serviceKey, { userId, kept })
      if (!(await checkPassword(verify, stored, currentPassword))) refuseCurrent()
      return hashPassword(random, newPassword)
    })
    await database.forOrg(orgId, async (tx) => {
      await requireCaller(tx, serviceKey, caller)
      await consumeTotp(tx, serviceKey, { ...owner, code, clock })
      if ((await selectPasswordHash(tx, owner))?.password_hash !== kept) refuseCurrent()
      const passwordHash = authenticateHash(serviceKey, { userId, hash })
      await updatePassword(tx, { orgId, id: userId, passwordHash })
      const action = 'user.change-password'
      await closeSessions(tx, { ...owner, cause: action, except: credentialId })
      await writeAudit(tx, { orgId, actor: `user:${userId}`, action, object: userId })
    })
  })
}

function refuseCurrent(): never {
  throw new Refusal('UNAUTHORIZED', { field: 'currentPassword' }, WRONG)
}

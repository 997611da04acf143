import { base32 } from '@scure/base'
import { Refusal } from '../base/fault.ts'
import { Secret } from '../base/secret.ts'
import { writeAudit } from '../audit-log/write-audit.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import type { Tx } from '../store/database.ts'
import { type Caller, isRecovering } from './caller.ts'
import type { OwnDeps } from './change-password.ts'
import { guardGuesses } from './guess.ts'
import { requireCaller } from './require-caller.ts'
import { closeSessions, lockTotpSecret } from './sign-in-rows.ts'
import { TOTP_BYTES, findStep, otpauthUri, sealTotpSecret, totpStepAt } from './totp.ts'
import { selectUsersById, updateTotpSecret } from './user-rows.ts'

/**
 * The TOTP secret that replaces the caller's after `confirmTotp`. It is derived from the session
 * and the present secret, so a repeated request returns the same one, and nothing is stored before
 * it is confirmed. The caller is authenticated in this transaction.
 */
export async function offerTotp(
  tx: Tx,
  serviceKey: ServiceKey,
  caller: Caller,
): Promise<{ totpSecret: Secret; otpauthUrl: Secret }> {
  const { orgId, userId } = caller
  const totpSecret = await nextSecret(tx, serviceKey, caller)
  const [user] = await selectUsersById(tx, { orgId, ids: [userId] })
  return { totpSecret, otpauthUrl: otpauthUri({ username: user?.username ?? '', totpSecret }) }
}

/**
 * Replaces the caller's TOTP secret by the offered one and ends the other sessions; a session of a
 * recovery code ends too. The code of the new secret is used up. Refuses with INVALID_TOTP,
 * RATE_LIMIT_EXCEEDED, and as `requireCaller` does.
 */
export async function confirmTotp(
  { database, serviceKey, clock, caller, peer }: Omit<OwnDeps, 'random'>,
  code: string,
): Promise<void> {
  const { orgId, userId, credentialId } = caller
  await guardGuesses(database, serviceKey, { userId, peer }, () =>
    database.forOrg(orgId, async (tx) => {
      await requireCaller(tx, serviceKey, caller)
      const totpSecret = await nextSecret(tx, serviceKey, caller)
      const step = findStep(totpSecret, code, totpStepAt(clock.now()))
      if (step === null) throw new Refusal('INVALID_TOTP', { field: 'totpCode' })
      const sealed = sealTotpSecret(serviceKey, { userId, totpSecret })
      await updateTotpSecret(tx, { orgId, id: userId, sealed, step })
      const action = 'user.replace-totp'
      const except = isRecovering(caller) ? null : credentialId
      await closeSessions(tx, { orgId, userId, cause: action, except })
      await writeAudit(tx, { orgId, actor: `user:${userId}`, action, object: userId })
    }),
  )
}

async function nextSecret(
  tx: Tx,
  serviceKey: ServiceKey,
  { orgId, userId, credentialId }: Caller,
): Promise<Secret> {
  const present = (await lockTotpSecret(tx, { orgId, userId }))?.secret ?? new Uint8Array()
  const fields = [orgId, userId, credentialId, Buffer.from(present).toString('base64')]
  const bytes = serviceKey.mac('next-totp', fields).slice(0, TOTP_BYTES)
  return new Secret(base32.encode(bytes))
}

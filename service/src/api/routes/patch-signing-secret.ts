import { rotateSigningSecret } from '../../orgs/signing-secret.ts'
import { tellSecretRotated } from '../../webhooks/tell-setting.ts'
import { actorOf } from '../http/actor.ts'
import { configure } from '../http/configure.ts'
import { route } from '../http/route.ts'

/**
 * Section 4.2: a new secret; deliveries carry the one before beside it for 24 hours more. Refuses
 * with INVALID_TOTP.
 */
export const patchSigningSecret = route('patchSigningSecret', async (asked) => {
  const { serviceKey, dice, caller } = asked
  const { orgId } = caller
  const secret = await configure(asked, async (tx) => {
    const made = await rotateSigningSecret(tx, serviceKey, {
      orgId,
      actor: actorOf(caller),
      dice,
    })
    tellSecretRotated(tx, caller)
    return { result: made, isChanged: true }
  })
  return { webhookSigningSecret: secret.reveal() }
})

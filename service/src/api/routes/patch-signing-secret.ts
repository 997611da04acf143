import { rotateSigningSecret } from '../../orgs/signing-secret.ts'
import { tellSecretRotated } from '../../webhooks/tell-setting.ts'
import { actorOf } from '../actor.ts'
import { forConfiguring } from '../for-caller.ts'
import { route } from '../route.ts'

/** Section 4.2: a new secret; deliveries carry the one before beside it for 24 hours more. */
export const patchSigningSecret = route('patchSigningSecret', async (asked) => {
  const { serviceKey, dice, caller } = asked
  const { orgId } = caller
  const secret = await forConfiguring(asked, async (tx) => {
    const made = await rotateSigningSecret(tx, serviceKey, {
      orgId,
      actor: actorOf(caller),
      dice,
    })
    tellSecretRotated(tx, caller)
    return made
  })
  return { webhookSigningSecret: secret.reveal() }
})

import { rotateSigningSecret } from '../../orgs/signing-secret.ts'
import { tellSecretRotated } from '../../webhooks/tell-setting.ts'
import { actorOf } from '../actor.ts'
import { route } from '../route.ts'

/** Section 4.2: a new secret; deliveries carry the one before beside it for 24 hours more. */
export const patchSigningSecret = route(
  'patchSigningSecret',
  async ({ database, serviceKey, dice, caller }) => {
    const { orgId } = caller
    const secret = await database.forOrg(orgId, async (tx) => {
      const made = await rotateSigningSecret(tx, serviceKey, {
        orgId,
        actor: actorOf(caller),
        dice,
      })
      tellSecretRotated(tx, caller)
      return made
    })
    return { webhookSigningSecret: secret.reveal() }
  },
)

import { setWebhookUrl } from '../../orgs/settings.ts'
import { checkTarget } from '../../webhooks/target.ts'
import { actorOf } from '../actor.ts'
import { route } from '../route.ts'

/** Section 4.2. Refuses with INVALID_WEBHOOK_URL; `details.reason` says why. */
export const patchWebhook = route(
  'patchWebhook',
  async ({ database, settings, resolve, caller, body: { webhookUrl: url } }) => {
    const { orgId } = caller
    await checkTarget(url, settings.webhookTargets, resolve)
    await database.forOrg(orgId, (tx) => setWebhookUrl(tx, { orgId, url, actor: actorOf(caller) }))
    return {}
  },
)

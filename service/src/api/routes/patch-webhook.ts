import { setWebhookUrl } from '../../orgs/settings.ts'
import { checkTarget } from '../../webhooks/target.ts'
import { tellUrlChanged } from '../../webhooks/tell-setting.ts'
import { actorOf } from '../http/actor.ts'
import { configure, requireCode } from '../http/configure.ts'
import { route } from '../http/route.ts'

/**
 * Section 4.2. What is pending goes to the new URL from now on, which every attempt checks again;
 * the URL before is told of the change. Refuses with INVALID_TOTP and INVALID_WEBHOOK_URL;
 * `details.reason` says why.
 */
export const patchWebhook = route('patchWebhook', async (asked) => {
  const { settings, resolve, caller, body } = asked
  const { orgId } = caller
  const { webhookUrl: url } = body
  // Before a name is looked up for a session without a code.
  requireCode(asked)
  await checkTarget(url, settings.webhookTargets, (host) => resolve(host, orgId))
  await configure(asked, async (tx) => {
    const { previous } = await setWebhookUrl(tx, { orgId, url, actor: actorOf(caller) })
    tellUrlChanged(tx, { caller, previous, current: url })
    return { result: null, isChanged: previous !== url }
  })
  return {}
})

import { readEvent } from '../../webhooks/list-events.ts'
import { sendTest } from '../../webhooks/send-test.ts'
import { viewEvent } from '../views/event-views.ts'
import { forCaller } from '../http/for-caller.ts'
import { route } from '../http/route.ts'

/**
 * An event of the type `webhook.test` to the organization's own URL; `GET /events/:id` shows what
 * came of it. Refuses with INVALID_WEBHOOK_URL where no URL is set.
 */
export const postWebhookTest = route('postWebhookTest', async (asked) => {
  const { database, caller } = asked
  const { orgId, userId: requestedBy } = caller
  const id = await forCaller(asked, (tx) => sendTest(tx, { orgId, requestedBy }))
  const { event } = await database.forOrg(orgId, (tx) => readEvent(tx, { orgId, id }))
  return { event: viewEvent(event) }
})

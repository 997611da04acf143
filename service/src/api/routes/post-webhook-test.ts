import { readEvent } from '../../webhooks/list-events.ts'
import { sendTest } from '../../webhooks/send-test.ts'
import { viewEvent } from '../event-views.ts'
import { route } from '../route.ts'

/**
 * An event of the type `webhook.test` to the organization's own URL; `GET /events/:id` shows what
 * came of it. Refuses with INVALID_WEBHOOK_URL where no URL is set.
 */
export const postWebhookTest = route('postWebhookTest', async ({ database, caller }) => {
  const { orgId, userId: requestedBy } = caller
  const id = await database.forOrg(orgId, (tx) => sendTest(tx, { orgId, requestedBy }))
  const { event } = await database.forOrg(orgId, (tx) => readEvent(tx, { orgId, id }))
  return { event: viewEvent(event) }
})

import { redeliverEvent } from '../../webhooks/redeliver.ts'
import { actorOf } from '../http/actor.ts'
import { viewEvent } from '../views/event-views.ts'
import { forCaller } from '../http/for-caller.ts'
import { route } from '../http/route.ts'

/**
 * Decisions, 10: one event again, under its own id. Refuses with NOT_FOUND, and with
 * INVALID_WEBHOOK_URL where no URL is set.
 */
export const postEventRedeliver = route('postEventRedeliver', async (asked) => {
  const { caller, params } = asked
  const { orgId } = caller
  const { event } = await forCaller(asked, (tx) =>
    redeliverEvent(tx, { orgId, id: params.id, actor: actorOf(caller) }),
  )
  return { event: viewEvent(event) }
})

import { readEvent } from '../../webhooks/list-events.ts'
import { viewSingleEvent } from '../views/event-views.ts'
import { route } from '../http/route.ts'

/** Decisions, 10: one event with every attempt to deliver it. Refuses with NOT_FOUND. */
export const getEvent = route(
  'getEvent',
  async ({ database, caller: { orgId }, params: { id } }) => {
    const { event, attempts } = await database.forOrg(orgId, (tx) => readEvent(tx, { orgId, id }))
    return { event: viewSingleEvent(event, attempts) }
  },
)

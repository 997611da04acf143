import { Readable } from 'node:stream'
import { type EVENT_OPERATIONS, EVENT_COUNT_MAX, type RedeliveryCount } from '@sluice/wire'
import { readEvent } from '../../webhooks/list-events.ts'
import {
  countMatching,
  type Redelivered,
  redeliverEvent,
  redeliverMatching,
} from '../../webhooks/redeliver.ts'
import { sendTest } from '../../webhooks/send-test.ts'
import { actorOf } from '../http/actor.ts'
import { badRequest } from '../http/faults.ts'
import { forCaller } from '../http/for-caller.ts'
import type { Handlers } from '../http/route.ts'
import { answerEvents, eventFilterOf } from '../views/event-list.ts'
import { viewEvent, viewSingleEvent } from '../views/event-views.ts'

export const eventRoutes: Handlers<keyof typeof EVENT_OPERATIONS> = {
  getEvents: (call) => answerEvents(call, call.query),

  getEventsCount: async ({ database, caller: { orgId }, query }) => {
    const counting = { orgId, filter: eventFilterOf(query), max: EVENT_COUNT_MAX }
    return { eventCount: await database.forOrg(orgId, (tx) => countMatching(tx, counting)) }
  },

  getEvent: async ({ database, caller: { orgId }, params: { id } }) => {
    const { event, deliveries, attempts } = await database.forOrg(orgId, (tx) =>
      readEvent(tx, { orgId, id }),
    )
    return { event: viewSingleEvent(event, deliveries, attempts) }
  },

  postEventRedeliver: async (call) => {
    const { caller, params, query } = call
    const { endpointId = caller.orgId } = query
    const resent = { orgId: caller.orgId, id: params.id, endpointId, actor: actorOf(caller) }
    const { event } = await forCaller(call, (tx) => redeliverEvent(tx, resent))
    return { event: viewEvent(event) }
  },

  postEventsRedeliver: async (call) => {
    const { caller, body } = call
    const filter = eventFilterOf(body)
    const { endpointId: _endpointId, ...conditions } = filter
    if (Object.keys(conditions).length === 0)
      throw badRequest('body', 'Request body needs a filter besides `endpointId`.')
    const selection = { orgId: caller.orgId, filter, actor: actorOf(caller) }
    const progress = redeliverMatching(selection, (work) => forCaller(call, work))
    const first = await progress.next()
    const isEnd = first.done === true || first.value.isEnd
    return isEnd ? countIn(first.value ?? null) : Readable.from(pieces(progress))
  },

  postWebhookTest: async (call) => {
    const { database, caller } = call
    const { orgId, userId: requestedBy } = caller
    const id = await forCaller(call, (tx) => sendTest(tx, { orgId, requestedBy }))
    const { event } = await database.forOrg(orgId, (tx) => readEvent(tx, { orgId, id }))
    return { event: viewEvent(event) }
  },
}

/** Writes a space, which JSON ignores, for each step, to keep the connection alive. */
async function* pieces(progress: AsyncGenerator<Redelivered, void>): AsyncGenerator<string> {
  let last: Redelivered | null = null
  for await (const step of progress) {
    last = step
    yield ' '
  }
  yield JSON.stringify(countIn(last))
}

function countIn(progress: Redelivered | null): RedeliveryCount {
  return { count: progress?.count ?? 0, underWay: progress?.underWay ?? 0 }
}

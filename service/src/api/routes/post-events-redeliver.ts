import { Readable } from 'node:stream'
import type { RedeliveryCount } from '@sluice/wire'
import { type Redelivered, redeliverMatching } from '../../webhooks/redeliver.ts'
import { actorOf } from '../http/actor.ts'
import { type EventFilterText, parseEventFilter } from '../views/event-list.ts'
import { badRequest } from '../http/faults.ts'
import { forCaller } from '../http/for-caller.ts'
import { route } from '../http/route.ts'

const FILTERS = ['after', 'type', 'from', 'to', 'delivery']

/**
 * Decisions, 10: all matching events again, however many, with their count. The filter must say
 * something, and nothing that is not understood: a slip would send more than was meant. Refuses
 * with BAD_REQUEST, and with INVALID_WEBHOOK_URL where no URL is set.
 */
export const postEventsRedeliver = route('postEventsRedeliver', async (asked) => {
  const { caller, body } = asked
  const { orgId } = caller
  requireFilter(body)
  const given = { orgId, filter: parseEventFilter(body), actor: actorOf(caller) }
  const progress = redeliverMatching(given, (work) => forCaller(asked, work))
  const first = await progress.next()
  const isEnd = first.done === true || first.value.isEnd
  return isEnd ? countIn(first.value ?? null) : Readable.from(pieces(progress))
})

function requireFilter(body: EventFilterText): void {
  const unknown = Object.keys(body).find((name) => !FILTERS.includes(name))
  if (unknown !== undefined)
    throw badRequest('body', `The body has a key that is none of ${FILTERS.join(', ')}.`)
  if (Object.keys(body).length > 0) return
  throw badRequest('body', `Name at least one of ${FILTERS.join(', ')}; after: 0 means all.`)
}

/**
 * Many take a while. A space for each step, which JSON ignores in front, shows whoever waits that
 * the connection lives.
 */
async function* pieces(progress: AsyncGenerator<Redelivered, void>): AsyncGenerator<string> {
  let last: Redelivered | null = null
  for await (const told of progress) {
    last = told
    yield ' '
  }
  yield JSON.stringify(countIn(last))
}

function countIn(told: Redelivered | null): RedeliveryCount {
  return { count: told?.count ?? 0, underWay: told?.underWay ?? 0 }
}

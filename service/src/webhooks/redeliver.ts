import type { EventCount } from '@sluice/wire'
import { Refusal } from '../base/fault.ts'
import { isId } from '../base/id.ts'
import { writeAudit } from '../audit-log/write-audit.ts'
import { readEndpoint } from '../orgs/change-endpoint.ts'
import { type Endpoint, isDefault } from '../orgs/endpoint.ts'
import type { Tx } from '../store/database.ts'
import { countEvents } from './count-rows.ts'
import type { EventFilter, StoredEvent } from './event.ts'
import { selectLastSequence } from './event-rows.ts'
import { readEvent, refuseUnknownEvent } from './list-events.ts'
import { redeliverRows } from './redelivery-rows.ts'
import { WAIT_MAX_MS } from './schedule.ts'

/** The events that one transaction queues. */
const BATCH_MAX = 1_000
/**
 * The delay between batches: new events are sent in between instead of after a million old ones.
 */
const BATCH_EVERY_MS = 1_000

/** Opens a transaction; the caller chooses its role. */
export type Step = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>

/** The progress of a redelivery. */
export interface Redelivered {
  /** Events queued to be sent again. */
  count: number
  /** Events skipped because they were being sent. */
  underWay: number
  isEnd: boolean
}

/**
 * Resends an event now to an endpoint, by default to the default one, with the same id and in any
 * state. An event that is being sent is skipped,
 * with `isSent` false. Refuses with NOT_FOUND (event, endpoint), and with INVALID_WEBHOOK_URL if no
 * URL is set.
 */
export async function redeliverEvent(
  tx: Tx,
  params: { orgId: string; id: string; endpointId?: string; actor: string },
): Promise<{ event: StoredEvent; isSent: boolean }> {
  const { orgId, id, endpointId = orgId, actor } = params
  if (!isId(id)) refuseUnknownEvent()
  if (endpointId !== orgId) await readEndpoint(tx, { orgId, id: endpointId })
  const { event: before } = await readEvent(tx, { orgId, id, endpointId })
  const endpoint = await requireUrl(tx, { orgId, endpointId })
  const { sequence } = before
  const above = sequence - 1
  const range = { above, upTo: sequence, limit: 1, dueAt: tx.clock.now() }
  const { sent } = await redeliverRows(tx, {
    orgId,
    filter: { id, endpointId },
    endpoint,
    ...range,
  })
  const details = isDefault(endpoint) ? {} : { endpointId }
  await writeAudit(tx, { orgId, actor, action: 'event.redeliver', object: id, details })
  const { event } = await readEvent(tx, { orgId, id, endpointId })
  return { event, isSent: sent > 0 }
}

/**
 * Resends all matching events that exist at the start to the endpoint of the filter; each batch is
 * a separate transaction,
 * followed by a progress report. An event that fails again is not resent twice. Refuses with
 * NOT_FOUND (endpoint), and with INVALID_WEBHOOK_URL if no URL is set.
 */
export async function* redeliverMatching(
  { orgId, filter, actor }: { orgId: string; filter: EventFilter; actor: string },
  step: Step,
): AsyncGenerator<Redelivered, void> {
  const { endpointId = orgId } = filter
  const { upTo, endpoint } = await step(async (tx) => {
    const found = await requireUrl(tx, { orgId, endpointId })
    const details = { ...filter }
    await writeAudit(tx, { orgId, actor, action: 'events.redeliver', object: orgId, details })
    return { upTo: await selectLastSequence(tx, orgId), endpoint: found }
  })
  const told: Redelivered = { count: 0, underWay: 0, isEnd: false }
  let above = 0
  for (let wait = 0; !told.isEnd; wait += BATCH_EVERY_MS) {
    const place = { orgId, filter, endpoint, above, upTo, limit: BATCH_MAX }
    // A time further ahead than any retry counts as a clock error (`bringForward`).
    const dueIn = Math.min(wait, WAIT_MAX_MS)
    const rows = await step((tx) => redeliverRows(tx, { ...place, dueAt: tx.clock.now() + dueIn }))
    told.count += rows.sent
    told.underWay += rows.matched - rows.sent
    told.isEnd = rows.last === null || rows.matched < BATCH_MAX
    above = rows.last ?? above
    yield { ...told }
  }
}

/**
 * Counts the events of a filter, and those that `redeliverMatching` would send, up to a maximum.
 * Refuses with NOT_FOUND (endpoint).
 */
export async function countMatching(
  tx: Tx,
  { orgId, filter, max }: { orgId: string; filter: EventFilter; max: number },
): Promise<EventCount> {
  const endpoint = await readEndpoint(tx, { orgId, id: filter.endpointId ?? orgId })
  // One more shows whether there are more.
  const found = await countEvents(tx, { orgId, filter, endpoint, limit: max + 1 })
  return {
    count: Math.min(found.count, max),
    redeliverable: Math.min(found.redeliverable, max),
    isAtLeast: found.count > max,
  }
}

/** An endpoint with a URL. Refuses with NOT_FOUND, and with INVALID_WEBHOOK_URL without a URL. */
export async function requireUrl(
  tx: Tx,
  { orgId, endpointId }: { orgId: string; endpointId: string },
): Promise<Endpoint> {
  const endpoint = await readEndpoint(tx, { orgId, id: endpointId })
  if (endpoint.url !== '') return endpoint
  const says = 'No webhook URL is set. Set one with PATCH /organisation/webhook, then send again.'
  throw new Refusal('INVALID_WEBHOOK_URL', { reason: 'NOT_SET' }, says)
}

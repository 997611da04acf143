import { Refusal } from '../base/fault.ts'
import { isId } from '../base/id.ts'
import { writeAudit } from '../journal/write-audit.ts'
import { readWebhookUrls } from '../orgs/settings.ts'
import type { Tx } from '../store/database.ts'
import type { EventFilter, StoredEvent } from './event.ts'
import { selectLastSequence } from './event-rows.ts'
import { readEvent, refuseUnknownEvent } from './list-events.ts'
import { redeliverRows } from './redelivery-rows.ts'
import { WAIT_MAX_MS } from './schedule.ts'

/** So many events one transaction puts in line. */
const BATCH_MAX = 1_000
/**
 * Each batch is due so long after the one before: what happens meanwhile is told in between, and
 * not after a million old events.
 */
const BATCH_EVERY_MS = 1_000

/** A transaction of its own: the caller says as whom. */
export type Step = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>

/** How far a redelivery has come. */
export interface Redelivered {
  /** Events that are sent again. */
  count: number
  /** Events that were being sent at this moment, and were left to that. */
  underWay: number
  isEnd: boolean
}

/**
 * Sends an event again, at once and under its own id, whatever became of it before. One that is
 * being sent at this moment is left to that, and `isSent` is false then. Refuses with NOT_FOUND,
 * and with INVALID_WEBHOOK_URL where no URL is set.
 */
export async function redeliverEvent(
  tx: Tx,
  { orgId, id, actor }: { orgId: string; id: string; actor: string },
): Promise<{ event: StoredEvent; isSent: boolean }> {
  if (!isId(id)) refuseUnknownEvent()
  const { event: before } = await readEvent(tx, { orgId, id })
  await requireUrl(tx, orgId)
  const { sequence } = before
  const above = sequence - 1
  const one = { orgId, filter: { id }, above, upTo: sequence, limit: 1, dueAt: tx.clock.now() }
  const { sent } = await redeliverRows(tx, one)
  await writeAudit(tx, { orgId, actor, action: 'event.redeliver', object: id })
  const { event } = await readEvent(tx, { orgId, id })
  return { event, isSent: sent > 0 }
}

/**
 * Sends every event again that matches, however many, and that there is when it begins; each batch
 * is a step of its own, after which it tells how far it has come. What fails anew is not sent a
 * third time. Refuses with INVALID_WEBHOOK_URL where no URL is set.
 */
export async function* redeliverMatching(
  { orgId, filter, actor }: { orgId: string; filter: EventFilter; actor: string },
  step: Step,
): AsyncGenerator<Redelivered, void> {
  const upTo = await step(async (tx) => {
    await requireUrl(tx, orgId)
    const details = { ...filter }
    await writeAudit(tx, { orgId, actor, action: 'events.redeliver', object: orgId, details })
    return selectLastSequence(tx, orgId)
  })
  const told: Redelivered = { count: 0, underWay: 0, isEnd: false }
  let above = 0
  for (let wait = 0; !told.isEnd; wait += BATCH_EVERY_MS) {
    const place = { orgId, filter, above, upTo, limit: BATCH_MAX }
    // What lies further ahead than any retry is taken for a clock's error (`bringForward`).
    const dueIn = Math.min(wait, WAIT_MAX_MS)
    const rows = await step((tx) => redeliverRows(tx, { ...place, dueAt: tx.clock.now() + dueIn }))
    told.count += rows.sent
    told.underWay += rows.matched - rows.sent
    told.isEnd = rows.last === null || rows.matched < BATCH_MAX
    above = rows.last ?? above
    yield { ...told }
  }
}

/** Refuses with INVALID_WEBHOOK_URL: there is nowhere to send to. */
export async function requireUrl(tx: Tx, orgId: string): Promise<void> {
  const urls = await readWebhookUrls(tx, [orgId])
  if (urls.has(orgId)) return
  const says = 'No webhook URL is set. Set one with PATCH /organisation/webhook, then send again.'
  throw new Refusal('INVALID_WEBHOOK_URL', { reason: 'NOT_SET' }, says)
}

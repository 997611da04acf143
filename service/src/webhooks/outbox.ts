import type { EventPayloads, EventType } from '@sluice/wire'
import { assert } from '../base/assert.ts'
import { iso } from '../base/clock.ts'
import type { Millis } from '../base/clock.ts'
import type { Route } from '../orgs/endpoint-rows.ts'
import { readRoutes } from '../orgs/settings.ts'
import type { Tx } from '../store/database.ts'
import { fitBody } from './fit-body.ts'
import { insertCounter, insertEvents, insertRouted, takeSequences } from './rows.ts'
import type { EventRow, Routing } from './rows.ts'

/** An event before it has its number, one shape for each type (decisions, 10). */
export type EventDraft = {
  [Type in EventType]: {
    orgId: string
    type: Type
    /** The id of the event's subject: a deposit, a withdrawal, an account or a chain. */
    subjectId: string
    payload: EventPayloads[Type]
    /** Set by few callers; default: the endpoints that receive its type, with all retries. */
    routing?: Routing
  }
}[EventType]

interface Appended {
  draft: EventDraft
  id: string
  at: Millis
}

/** The batch size: in a catch-up the next batch is built while one is written. */
const WRITE_MAX = 500

/**
 * Emits an event in the transaction of its cause. The event gets its id and time now, and its
 * number at the end of the transaction, because the counter is the last lock in the lock order
 * (engineering, 21 and 26). An event that no endpoint receives is stored and not sent. Returns the
 * event's id.
 */
export function appendEvent(tx: Tx, draft: EventDraft): string {
  const id = tx.ids.next()
  pendingOf(tx).events.push({ draft, id, at: tx.clock.now() })
  return id
}

/** Gives a new organization its counter of events. */
export async function openOutbox(tx: Tx, orgId: string): Promise<void> {
  await insertCounter(tx, orgId)
}

const PENDING = Symbol('the events of this transaction')

/** The pending events of a transaction. */
class PendingEvents {
  readonly events: Appended[] = []
}

function pendingOf(tx: Tx): PendingEvents {
  const known = tx.local.get(PENDING)
  if (known instanceof PendingEvents) return known
  const pending = new PendingEvents()
  tx.local.set(PENDING, pending)
  tx.beforeCommit(flush)
  return pending
}

async function flush(tx: Tx): Promise<void> {
  const { events } = pendingOf(tx)
  // An append after this triggers another flush.
  tx.local.delete(PENDING)
  const counts = countByOrganization(events)
  const [routes, lastSequences] = await Promise.all([
    readRoutes(tx, [...counts.keys()]),
    takeSequences(tx, counts),
  ])
  await writeInParts(tx, { events, next: firstNumbers(counts, lastSequences), routes })
}

/** The database writes one batch while the next one is built. */
async function writeInParts(
  tx: Tx,
  params: {
    events: readonly Appended[]
    next: Map<string, number>
    routes: readonly Route[]
  },
): Promise<void> {
  const { events, next, routes } = params
  const written: Promise<void>[] = []
  for (let at = 0; at < events.length; at += WRITE_MAX) {
    if (at > 0) await new Promise((resolve) => setImmediate(resolve))
    const part = events.slice(at, at + WRITE_MAX)
    const writing = writeEvents(tx, { part, next, routes })
    // Awaited below: an earlier failure must not count as unhandled.
    writing.catch(() => undefined)
    written.push(writing)
  }
  await Promise.all(written)
}

async function writeEvents(
  tx: Tx,
  params: {
    part: readonly Appended[]
    next: Map<string, number>
    routes: readonly Route[]
  },
): Promise<void> {
  const { part, next, routes } = params
  const rows = part.map((event) => numbered(event, next))
  const only = part.filter(({ draft }) => draft.routing?.isOnly === true)
  const apart = only.map(({ id }) => id)
  await insertEvents(tx, { events: rows, notify: routes, apart })
  for (const [at, { draft }] of part.entries()) {
    const event = rows[at]
    if (draft.routing && event) await insertRouted(tx, { event, routing: draft.routing })
  }
}

function countByOrganization(events: readonly Appended[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { draft } of events) counts.set(draft.orgId, (counts.get(draft.orgId) ?? 0) + 1)
  return counts
}

/** The first reserved number of each organization. */
function firstNumbers(
  counts: ReadonlyMap<string, number>,
  lastSequences: ReadonlyMap<string, number>,
): Map<string, number> {
  const next = new Map<string, number>()
  for (const [orgId, count] of counts) {
    const last = lastSequences.get(orgId)
    assert(last !== undefined, 'an organization without a counter of events', { orgId })
    next.set(orgId, last - count + 1)
  }
  return next
}

/** Numbers each organization's events in the order they were appended, up to the last one taken. */
function numbered(event: Appended, next: Map<string, number>): EventRow {
  const { orgId } = event.draft
  const sequence = next.get(orgId)
  assert(sequence !== undefined, 'an event of an organization not counted', { id: event.id })
  next.set(orgId, sequence + 1)
  return toRow(event, sequence)
}

/** The body is built here, once: the stored text is signed and sent (interface, 6.1). */
function toRow({ draft, id, at }: Appended, sequence: number): EventRow {
  const { orgId, type, subjectId, payload } = draft
  const body = fitBody({ id, type, timestamp: iso(at), orgId, sequence, payload })
  return { id, orgId, sequence, type, subjectId, body, at }
}

import { type RawBuilder, sql } from 'kysely'
import { iso } from '../base/clock.ts'
import type { Millis } from '../base/clock.ts'
import type { Tx } from '../store/database.ts'
import { judge, keptBody } from './delivery.ts'
import type { Answer, Attempt } from './delivery.ts'
import { lookUpEach } from './delivery-rows.ts'
import { keptSignature } from './sent-headers.ts'

/**
 * Stores attempts and updates their deliveries, if their leases are still held. Returns how many
 * were. Times are sent as milliseconds after the first one, and values that attempts share are sent
 * once.
 */
export async function settleAttempts(tx: Tx, attempts: readonly Attempt[]): Promise<number> {
  const from = attempts[0]?.startedAt ?? 0
  const { shared, ...columns } = spread(attempts, from)
  const after = sql`${iso(from)}::timestamptz + interval '1 millisecond'`
  await lookUpEach(tx)
  return tx.run(sql`
      with outcome as (
        select (${shared.orgIds}::uuid[])[r.place] as org_id,
               (${shared.endpointIds}::uuid[])[r.place] as endpoint_id,
               (${shared.leaseTokens}::uuid[])[r.place] as lease_token,
               (${shared.urls}::text[])[r.place] as url,
               r.event_id, r.number, r.state, r.signature, r.status, r.response_headers,
               r.response_body, r.error,
               ${after} * r.next_in as next_at,
               ${after} * r.started_in as started_at,
               ${after} * r.ended_in as ended_at
          from unnest(
            ${lines(columns.place)}::int[],
            ${lines(columns.eventId)}::uuid[],
            ${lines(columns.number)}::int[],
            ${lines(columns.state)}::text[],
            ${lines(columns.nextIn)}::bigint[],
            ${lines(columns.signature)}::text[],
            ${lines(columns.status)}::int[],
            ${texts(columns.responseHeaders)}::text[],
            ${texts(columns.responseBody)}::text[],
            ${texts(columns.error)}::text[],
            ${lines(columns.startedIn)}::bigint[],
            ${lines(columns.endedIn)}::bigint[])
            as r (place, event_id, number, state, next_in, signature, status, response_headers,
                  response_body, error, started_in, ended_in)
      ), moved as (
        update deliveries d
           set state = o.state,
               attempts = o.number,
               next_at = o.next_at,
               finished_at = case when o.next_at is null then o.ended_at end,
               leased_until = null,
               lease_token = null
          from outcome o
         where d.org_id = o.org_id
           and d.event_id = o.event_id
           and d.endpoint_id = o.endpoint_id
           and d.lease_token = o.lease_token
     returning o.*
      )
    insert into delivery_attempts (org_id, event_id, endpoint_id, number, url, request_signature,
                                   status, response_headers, response_body, error, started_at,
                                   finished_at)
    select o.org_id, o.event_id, o.endpoint_id, o.number, o.url, o.signature, o.status,
           coalesce(nullif(o.response_headers, ''), '{}'), coalesce(o.response_body, ''),
           coalesce(o.error, ''), o.started_at, o.ended_at
      from moved o
     order by o.ended_at`)
}

/** Values that attempts share: one endpoint, one lease, one URL. */
class Shared {
  readonly orgIds: string[] = []
  readonly endpointIds: string[] = []
  readonly leaseTokens: string[] = []
  readonly urls: string[] = []
  readonly #ofEndpoint = new Map<string, number[]>()

  /** The index of the shared values in their lists, 1-based as in PostgreSQL. */
  placeOf({ delivery: { orgId, endpointId, leaseToken }, url }: Attempt): number {
    const places = this.#ofEndpoint.get(endpointId) ?? []
    const known = places.find(
      (place) =>
        this.leaseTokens[place - 1] === leaseToken &&
        this.urls[place - 1] === url &&
        this.orgIds[place - 1] === orgId,
    )
    if (known !== undefined) return known
    this.orgIds.push(orgId)
    this.endpointIds.push(endpointId)
    this.leaseTokens.push(leaseToken)
    const place = this.urls.push(url)
    this.#ofEndpoint.set(endpointId, [...places, place])
    return place
  }
}

/** Attempts as columns. */
function spread(attempts: readonly Attempt[], from: Millis) {
  const shared = new Shared()
  const rows = attempts.map((attempt) => ({ attempt, verdict: judge(attempt) }))
  return {
    shared,
    place: attempts.map((attempt) => shared.placeOf(attempt)),
    eventId: attempts.map(({ delivery }) => delivery.eventId),
    number: attempts.map(({ number }) => number),
    state: rows.map(({ verdict }) => verdict.state),
    nextIn: rows.map(({ verdict: { nextAt } }) => (nextAt === null ? null : nextAt - from)),
    signature: attempts.map(({ signature }) => signature && keptSignature(signature)),
    status: attempts.map(({ answer }) => answer.status),
    responseHeaders: attempts.map(({ answer }) => keptHeaders(answer)),
    responseBody: attempts.map(({ answer }) => keptBody(answer)),
    error: attempts.map(({ answer }) => answer.error),
    startedIn: attempts.map(({ startedAt }) => startedAt - from),
    endedIn: attempts.map(({ endedAt }) => endedAt - from),
  }
}

/** As JSON; "" without headers, as of every acknowledgement. */
function keptHeaders({ headers }: Answer): string {
  for (const _name in headers) return JSON.stringify(headers)
  return ''
}

/**
 * Joins a list into one text: a value per line, an empty line for null. This is the cheapest
 * encoding; a list parameter encodes each value separately, also in binary. Not for values that may
 * contain a line break or be empty.
 */
function lines(values: readonly (string | number | null)[]): RawBuilder<unknown> {
  return sql`string_to_array(${values.join('\n')}, ${'\n'}, '')`
}

/** A list of texts; an empty list, read as "" in each row, if all are empty. */
function texts(values: readonly string[]): RawBuilder<unknown> {
  return sql`${values.every((text) => text === '') ? null : [...values]}`
}

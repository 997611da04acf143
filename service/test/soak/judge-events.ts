import { sql } from 'kysely'
import type { SoakDatabase } from './database.ts'
import type { Difference } from './judge.ts'
import { addToStory, judgeStories, type Subject } from './judge-stories.ts'
import { DATABASE } from './place.ts'
import { digestOf, type Receivers } from './receivers.ts'

const PAGE = 10_000
const NAMED_MAX = 20

export interface EventCounts {
  events: number
  /** Requests beyond the first of each event. */
  repeated: number
}

interface Row {
  id: string
  sequence: number
  type: string
  body: string
  state: string
}

/**
 * Every event was delivered at least once under one id, byte for byte as stored; the feed has no
 * gap; no other webhook came; and the events of each deposit and withdrawal match it.
 */
export async function judgeEvents(
  database: SoakDatabase,
  receivers: Receivers,
  subjects: readonly Subject[],
): Promise<{ counts: EventCounts; differences: Difference[] }> {
  const differences: Difference[] = receivers.objections.map((details) => ({
    what: 'a webhook does not verify',
    details,
  }))
  const unknown = new Set(receivers.heard.keys())
  const stories = new Map<string, string>()
  let after = 0
  let repeated = 0
  for (;;) {
    const rows = await readPage(database, after)
    if (rows.length === 0) break
    for (const row of rows) {
      after += 1
      if (row.sequence !== after) {
        differences.push({ what: 'the feed has a gap', details: `${after}` })
        after = row.sequence
      }
      const heard = receivers.heard.get(row.id)
      unknown.delete(row.id)
      repeated += Math.max(0, (heard?.times ?? 0) - 1)
      const wrong = wrongWith(row, heard?.digest ?? null)
      if (wrong !== null) differences.push({ what: wrong, details: `${row.id} ${row.type}` })
      addToStory(stories, row)
    }
  }
  for (const id of unknown) differences.push({ what: 'a webhook of no event', details: id })
  differences.push(...judgeStories(stories, subjects))
  const counts = { events: after, repeated }
  return { counts, differences: differences.slice(0, NAMED_MAX) }
}

function wrongWith({ body, state }: Row, heard: string | null): string | null {
  if (heard === null) return 'an event was never delivered'
  if (heard !== digestOf(body)) return 'an event was delivered otherwise than it is kept'
  return state === 'delivered' ? null : `an event is ${state}`
}

function readPage(database: SoakDatabase, after: number): Promise<Row[]> {
  return database.many(
    DATABASE,
    sql<Row>`
      select e.id, e.sequence::int as sequence, e.type, e.body,
             coalesce(d.state, 'without a delivery') as state
        from events e
        left join deliveries d on d.org_id = e.org_id and d.event_id = e.id
       where e.sequence > ${after}
       order by e.sequence
       limit ${PAGE}`,
  )
}

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withSession } from '../../src/store/connection.ts'
import { countEvents, countQuery } from '../../src/webhooks/count-rows.ts'
import type { EventFilter } from '../../src/webhooks/event.ts'
import { readSpan, walkInOrder } from '../../src/webhooks/event-rows.ts'
import { openTestDatabase, type TestDatabase } from '../support/database.ts'
import { fillEvents, ORG, ROWS } from './long-lists.ts'
import { expectCheapIn } from './plan.ts'

const LIMIT = 50
const FILL_MS_MAX = 300_000

let harness: TestDatabase
beforeAll(async () => {
  harness = await openTestDatabase()
  await fillEvents(harness.database)
  // Autovacuum does this sooner or later.
  await withSession(harness.adminUrl, (session) => session.script('vacuum analyze'))
}, FILL_MS_MAX)
afterAll(() => harness.close())

describe('GET /events/count reads no more than the events that it counts', () => {
  const endpoint = { eventTypes: ['gas.low'] as const }
  /** Ids find the numbers of a time to an hour, in which there is an event each second. */
  const SLACK = 3_600
  const minute = { from: 10_000_000, to: 10_060_000 }

  test.each<[string, EventFilter, expected: [count: number, redeliverable: number], rest?: number]>(
    [
      ['no filter, up to the maximum', {}, [LIMIT, LIMIT]],
      ['after', { after: ROWS - 20 }, [20, 20]],
      ['type, a rare one', { type: 'gas.low' }, [10, 10]],
      ['subjectId', { subjectId: 'record 389' }, [2, 1]],
      ['subjectId, unknown', { subjectId: 'record x' }, [0, 0]],
      ['delivery failed', { delivery: 'failed' }, [10, 10]],
      ['delivery delivered, up to the maximum', { delivery: 'delivered' }, [LIMIT, LIMIT]],
      ['delivery pending, without rows', { delivery: 'pending' }, [0, 0]],
      ['delivery failed and type', { delivery: 'failed', type: 'gas.low' }, [10, 10]],
      ['from and to', minute, [LIMIT, LIMIT], SLACK],
      ['from and to, delivery failed', { ...minute, delivery: 'failed' }, [0, 0]],
    ],
  )('by %s', async (_filter, filter, [count, redeliverable], rest = 0) => {
    const counting = { orgId: ORG, filter, endpoint, limit: LIMIT }
    const [span, counted] = await harness.database.forOrg(ORG, async (tx) => [
      await readSpan(tx, counting),
      await countEvents(tx, counting),
    ])
    expect(counted).toEqual({ count, redeliverable })
    const prepare = filter.delivery === 'pending' ? undefined : walkInOrder
    // An event and its delivery.
    const cost = { rows: LIMIT, kinds: 2 + rest / LIMIT, prepare }
    await expectCheapIn(harness.database, countQuery(counting, span), cost)
  })
})

import { sql } from 'kysely'
import { expect } from 'vitest'
import type { World } from '../support/world.ts'

/** Every withdrawal was completed by one spend, with one event for each status change. */
export async function expectSettled(world: World): Promise<void> {
  const found = await world.database.transaction((tx) =>
    tx.many(sql<{ id: string; status: string; spends: number }>`
      select w.id, w.status,
             (select count(*)::int from spends s where s.subject_id = w.id) as spends
        from withdrawals w`),
  )
  const events = await world.events()
  expect(found.length).toBeGreaterThan(0)
  for (const { id, status, spends } of found) {
    expect({ status, spends }).toEqual({ status: 'Completed', spends: 1 })
    const told = events.filter(({ payload }) => payload['id'] === id)
    const story = told.map(({ type }) => type.replace('withdrawal.', '')).join(' ')
    expect(story).toBe('created approved processing completed')
  }
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, at) => at + 1))
}

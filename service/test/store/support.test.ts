import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { ManualClock, SeededRandom } from '../support/clock.ts'
import { openTestDatabase } from '../support/database.ts'

test('each test has a separate database with the schema of the service', async () => {
  const [one, two] = await Promise.all([openTestDatabase(), openTestDatabase()])
  const tables = sql<{ count: number }>`
    select count(*) as count
      from pg_tables
     where schemaname = 'public'`
  const name = sql<{ name: string }>`select current_database()::text as name`
  const first = await one.database.transaction((tx) => tx.one(name))
  const second = await two.database.transaction((tx) => tx.one(name))
  expect(first.name).not.toBe(second.name)
  expect((await one.database.asApi((tx) => tx.one(tables))).count).toBeGreaterThan(1)
  await Promise.all([one.close(), two.close()])
})

test('the manual clock advances only on request and wakes each sleeper at its time', async () => {
  const clock = new ManualClock(0)
  const woken: [string, number][] = []
  const sleeper = async (name: string, ms: number) => {
    await clock.sleep(ms)
    woken.push([name, clock.now()])
  }
  const twice = sleeper('late', 50).then(() => sleeper('again', 30))
  const stopped = new AbortController()
  const cut = clock.sleep(1_000, stopped.signal)
  void sleeper('early', 20)
  void sleeper('never', 1_000)
  await clock.advance(100)
  await twice
  expect(woken).toEqual([
    ['early', 20],
    ['late', 50],
    ['again', 80],
  ])
  expect(clock.now()).toBe(100)
  stopped.abort()
  await cut
  expect(clock.sleeping).toBe(1)
})

test('random bytes are equal for the same seed and differ for another', () => {
  const throwOf = (seed: number) => {
    const random = new SeededRandom(seed)
    return [random.bytes(40), random.fraction(), random.fraction()]
  }
  expect(throwOf(1)).toEqual(throwOf(1))
  expect(throwOf(1)).not.toEqual(throwOf(2))
})

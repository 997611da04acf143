import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Refusal } from '../../src/base/fault.ts'
import { openTestDatabase, type TestDatabase } from '../support/database.ts'

let opened: TestDatabase

beforeAll(async () => {
  opened = await openTestDatabase()
})
afterAll(() => opened.close())

const RUNS = 60
// Text that the database can store: without a zero byte or half of a surrogate pair.
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom('"', '\\', '{}', ',', 'NULL', '', ' a ', '\n', '","', 'ü', '€', '𝄞'),
)

test('a list of texts reaches the database unchanged', async () => {
  const lists = fc.array(fc.option(text, { nil: null }), { minLength: 1, maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(lists, async (list) => {
      const rows = await opened.database.transaction((tx) =>
        tx.many(sql<{ one: string | null }>`select one from unnest(${list}::text[]) as u (one)`),
      )
      expect(rows.map(({ one }) => one)).toEqual(list)
    }),
    { numRuns: RUNS },
  )
})

test('a list of integers reaches the database unchanged', async () => {
  const number = fc.oneof(
    fc.maxSafeInteger(),
    fc.constantFrom(0, -1, 1, 2 ** 31, -(2 ** 31), 2 ** 32, -(2 ** 32), 2 ** 53 - 1, 1 - 2 ** 53),
  )
  const lists = fc.array(fc.option(number, { nil: null }), { minLength: 1, maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(lists, async (list) => {
      const rows = await opened.database.transaction((tx) =>
        tx.many(sql<{ one: number | null }>`select one from unnest(${list}::bigint[]) as u (one)`),
      )
      expect(rows.map(({ one }) => one)).toEqual(list)
    }),
    { numRuns: RUNS },
  )
})

test('a zero byte in a list is refused', async () => {
  const ask = opened.database.transaction((tx) =>
    tx.many(sql`select * from unnest(${['a\0b']}::text[])`),
  )
  const alone = opened.database.transaction((tx) => tx.many(sql`select ${'a\0b'}::text`))
  const [listed, plain] = await Promise.allSettled([ask, alone])
  expect(listed.status).toBe('rejected')
  const reasons = [listed, plain].map((one) => (one.status === 'rejected' ? one.reason : null))
  expect(reasons[0]?.constructor).toBe(reasons[1]?.constructor)
  expect(reasons[0]).not.toBeInstanceOf(Refusal)
})

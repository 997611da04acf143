import fc from 'fast-check'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { CoinDesk } from '../../../test/support/coin-desk.ts'
import { type Step, steps, Walk } from '../../../test/support/coin-walk.ts'
import { type TestDatabase, openTestDatabase } from '../../../test/support/database.ts'

let harness: TestDatabase
beforeAll(async () => {
  harness = await openTestDatabase()
})
afterAll(() => harness.close())

/** Something of everything, so that the random steps meet it. */
const FIRST = (
  ['pay', 'pay', 'mine', 'credit', 'credit', 'reserve', 'send', 'pay', 'mine', 'undo'] as const
).map((verb, pick): Step => ({ verb, pick }))

describe('random histories of coins', () => {
  test('rows equal a plain model, and no coin is in two spends [B12 R06]', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 10, maxLength: 40 }), async (plan) => {
        const walk = new Walk(await CoinDesk.open(harness))
        for (const step of [...FIRST, ...plan]) {
          await walk.take(step)
          await walk.compare()
        }
      }),
      { numRuns: 10 },
    )
  })
})

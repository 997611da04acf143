import { afterAll, beforeAll, expect, test } from 'vitest'
import { SPEND_POINTS, type SpendPoint } from '../../src/transactions/core/crash-points.ts'
import { expectWhole, type MortalCoins, openMortalCoins, withdrawTogether } from './coin-life.ts'
import type { Course } from './money-life.ts'

/** Points at which a process dies one after the other, and the number of withdrawals for them. */
const [TOGETHER, LIVES_MAX] = [8, 3]
const CHUNKS = Array.from({ length: Math.ceil(SPEND_POINTS.length / TOGETHER) }, (_, at) =>
  SPEND_POINTS.slice(at * TOGETHER, (at + 1) * TOGETHER),
)

let harness: MortalCoins
beforeAll(async () => {
  harness = await openMortalCoins('spending coins')
})
afterAll(() => harness?.mortal.close())

test.each(SPEND_POINTS)(
  'pays each of two once after a death at %s [W03 W06 W07 W08 W10 W11]',
  async (point) => {
    harness.mortal.plan([{ stage: 'withdrawal', point, pass: 1 }])
    await withdrawTogether(harness, courseTo(point))
    expect(harness.mortal.deaths).toBe(1)
  },
)

test.each(CHUNKS.map((points) => [points.join(', '), points] as const))(
  'pays each once after a death at the second pass of %s [W03 W06 W07 W08 W10 W11]',
  async (_names, points) => {
    const { mortal } = harness
    mortal.plan(points.map((point) => ({ stage: 'withdrawal', point, pass: 2 })))
    const left = () => points.filter((point) => mortal.passes('withdrawal', point) < 2)
    for (let lives = 0; lives < LIVES_MAX && left().length > 0; lives += 1) {
      await withdrawTogether(harness, { bumps: 1, forgets: 1, reorgs: 1 })
    }
    expect(left()).toEqual([])
    expect(mortal.deaths).toBe(points.length)
  },
)

test('every payment is made once, and no two share an unspent output [W01 W12]', () =>
  expectWhole(harness))

/** The faults of the chain that make a process pass a point. */
function courseTo(point: SpendPoint): Course {
  const once = (step: string) => (point.startsWith(`${step}.`) ? 1 : 0)
  return { bumps: once('bump'), forgets: once('resend'), reorgs: once('untrack') }
}

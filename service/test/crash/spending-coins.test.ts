import { afterAll, beforeAll, expect, test } from 'vitest'
import { SPEND_POINTS, type SpendPoint } from '../../src/spends/crash-points.ts'
import { expectWhole, type MortalCoins, openMortalCoins, withdrawTogether } from './coin-life.ts'
import type { Course } from './money-life.ts'

let house: MortalCoins
beforeAll(async () => {
  house = await openMortalCoins('spending coins')
})
afterAll(() => house?.mortal.close())

test.each(SPEND_POINTS)(
  'W03 W06 W07 W08 W10 W11 a process that dies at %s pays each of two once',
  async (point) => {
    house.mortal.plan([{ stage: 'withdrawal', point, pass: 1 }])
    await withdrawTogether(house, courseTo(point))
    expect(house.mortal.deaths).toBe(1)
  },
)

test('W01 W12 in the end nothing is lost or doubled, and no two share a coin', () =>
  expectWhole(house))

/** What must go wrong with the chain so that a point is passed. */
function courseTo(point: SpendPoint): Course {
  const once = (step: string) => (point.startsWith(`${step}.`) ? 1 : 0)
  return { bumps: once('bump'), forgets: once('resend'), reorgs: once('untrack') }
}

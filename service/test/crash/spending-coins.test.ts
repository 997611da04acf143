import { afterAll, beforeAll, expect, test } from 'vitest'
import { SPEND_POINTS, type SpendPoint } from '../../src/transactions/core/crash-points.ts'
import { expectWhole, type MortalCoins, openMortalCoins, withdrawTogether } from './coin-life.ts'
import type { Course } from './money-life.ts'

/** Points that a process dies at one after the other, and withdrawals in which it does. */
const [TOGETHER, LIVES_MAX] = [8, 3]
const CHUNKS = Array.from({ length: Math.ceil(SPEND_POINTS.length / TOGETHER) }, (_, at) =>
  SPEND_POINTS.slice(at * TOGETHER, (at + 1) * TOGETHER),
)

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

test.each(CHUNKS.map((points) => [points.join(', '), points] as const))(
  'W03 W06 W07 W08 W10 W11 one that dies the second time at each of %s pays each once',
  async (_names, points) => {
    const { mortal } = house
    mortal.plan(points.map((point) => ({ stage: 'withdrawal', point, pass: 2 })))
    const left = () => points.filter((point) => mortal.passes('withdrawal', point) < 2)
    for (let lives = 0; lives < LIVES_MAX && left().length > 0; lives += 1) {
      await withdrawTogether(house, { bumps: 1, forgets: 1, reorgs: 1 })
    }
    expect(left()).toEqual([])
    expect(mortal.deaths).toBe(points.length)
  },
)

test('W01 W12 in the end nothing is lost or doubled, and no two share a coin', () =>
  expectWhole(house))

/** What must go wrong with the chain so that a point is passed. */
function courseTo(point: SpendPoint): Course {
  const once = (step: string) => (point.startsWith(`${step}.`) ? 1 : 0)
  return { bumps: once('bump'), forgets: once('resend'), reorgs: once('untrack') }
}

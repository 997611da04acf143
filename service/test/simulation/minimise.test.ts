import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fewest } from './minimise.ts'
import { drawSchedule } from './schedule.ts'

const TRIALS = 2_000

describe('fewest', () => {
  test('of a schedule, the steps that fail together are what is left', async () => {
    const steps = drawSchedule('a planted step')
    const needed = new Set(['step 17', 'step 140', 'step 299'])
    const fails = async (some: readonly { key: string }[]) =>
      some.filter(({ key }) => needed.has(key)).length === needed.size
    const left = await fewest(steps, fails, TRIALS)
    expect(left.map(({ key }) => key)).toEqual([...needed])
  })

  test('it tries no more often than it may, and what it leaves fails', async () => {
    const steps = Array.from({ length: 300 }, (_, at) => at)
    let trials = 0
    const fails = async (some: readonly number[]) => {
      trials += 1
      return some.includes(5) && some.includes(250)
    }
    const left = await fewest(steps, fails, 20)
    expect(trials).toBe(20)
    expect(left).toContain(5)
    expect(left).toContain(250)
    expect(left.length).toBeLessThan(300)
  })

  test('minimising leaves only the steps that are needed', async () => {
    const needs = fc.uniqueArray(fc.nat(59), { minLength: 1, maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(needs, fc.nat(59), async (needed, crutch) => {
        const steps = Array.from({ length: 60 }, (_, at) => at)
        // It also fails with the crutch alone if the first needed step is present.
        const fails = async (some: readonly number[]) =>
          needed.every((one) => some.includes(one)) ||
          (some.includes(crutch) && some.includes(needed[0] ?? 0))
        const left = await fewest(steps, fails, TRIALS)
        expect(await fails(left)).toBe(true)
        for (const one of left) expect(await fails(left.filter((it) => it !== one))).toBe(false)
      }),
    )
  })
})

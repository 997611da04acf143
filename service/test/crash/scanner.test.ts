import { seeded } from '@sluice/simulator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SCANNER_POINTS, type ScannerPoint } from '../../src/scanner/crash-points.ts'
import {
  type CrashingWorld,
  expectRound,
  expectWhole,
  liveRound,
  openCrashingWorld,
} from './crashing-world.ts'

/**
 * Passed once in the life of a chain, or when something is badly wrong: these have their own tests.
 */
const RARE = /^(begin|rebase|halt)\./
const DAILY = SCANNER_POINTS.filter((point) => !RARE.test(point))
const RANDOM_PLANS = 20

describe('a scanner that dies', () => {
  let crashing: CrashingWorld
  const rounds: Awaited<ReturnType<typeof liveRound>>[] = []
  beforeAll(async () => {
    crashing = await openCrashingWorld('daily')
    await crashing.settle()
  })
  afterAll(() => crashing.close())

  const live = async (plan: { point: ScannerPoint; pass: number }[]) => {
    crashing.plan(plan)
    const round = await liveRound(crashing)
    rounds.push(round)
    await expectRound(crashing, round)
  }

  describe.each([
    ['the first time', [1]],
    ['the second time', [2]],
    ['the first and the second time', [1, 2]],
  ])('%s that it comes to a point', (_when, passes) => {
    test.each(DAILY)('credits each deposit once after a crash: %s [H10]', async (point) => {
      await live(passes.map((pass) => ({ point, pass })))
      expect(crashing.deaths).toBe(passes.length)
    })
  })

  test('credits each deposit once after three random deaths in a row [H10]', async () => {
    const random = seeded('three deaths')
    for (let plans = 0; plans < RANDOM_PLANS; plans += 1) {
      const plan = Array.from({ length: 3 }, () => ({
        point: random.pick(DAILY),
        pass: 1 + random.int(3),
      }))
      await live(plan)
    }
  })

  test('emitted every change once, and balances equal postings [H10]', async () => {
    await expectWhole(crashing, rounds)
  })
})

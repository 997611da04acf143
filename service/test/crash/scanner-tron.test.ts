import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SCANNER_POINTS } from '../../src/scanner/crash-points.ts'
import {
  type CrashingWorld,
  expectRound,
  expectWhole,
  liveRound,
  openCrashingTron,
} from './crashing-world.ts'

/** Passed once in the life of a chain, or when something is badly wrong: of no family's making. */
const RARE = /^(begin|rebase|halt)\./
const DAILY = SCANNER_POINTS.filter((point) => !RARE.test(point))
/** Points that a scanner dies at in one round of life, one after the other. */
const TOGETHER = 7
const CHUNKS = Array.from({ length: Math.ceil(DAILY.length / TOGETHER) }, (_, at) =>
  DAILY.slice(at * TOGETHER, (at + 1) * TOGETHER),
)

describe('a scanner of TRON that dies', () => {
  let crashing: CrashingWorld
  const rounds: Awaited<ReturnType<typeof liveRound>>[] = []
  beforeAll(async () => {
    crashing = await openCrashingTron('daily on TRON')
    await crashing.settle()
  })
  afterAll(() => crashing.close())

  test.each(CHUNKS.map((points) => [points.join(', '), points] as const))(
    'H10 loses nothing and doubles nothing, dying once at each of %s',
    async (_names, points) => {
      crashing.plan(points.map((point) => ({ point, pass: 1 })))
      const round = await liveRound(crashing)
      rounds.push(round)
      await expectRound(crashing, round)
      expect(crashing.deaths).toBe(points.length)
    },
  )

  test('H10 has told of every change once, and balances are what postings say', async () => {
    await expectWhole(crashing, rounds)
  })
})

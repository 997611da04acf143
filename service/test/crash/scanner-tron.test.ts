import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SCANNER_POINTS } from '../../src/scanner/crash-points.ts'
import {
  type CrashingWorld,
  expectRound,
  expectWhole,
  liveRound,
  openCrashingTron,
} from './crashing-world.ts'

/**
 * Passed once in the life of a chain, when something is badly wrong, or when the final block moves
 * without a new block.
 */
const RARE = /^(begin|note|rebase|halt)\./
const DAILY = SCANNER_POINTS.filter((point) => !RARE.test(point))
/** Points at which a scanner dies in one round, one after the other. */
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
    'credits each deposit once with a death at %s [H10]',
    async (_names, points) => {
      crashing.plan(points.map((point) => ({ point, pass: 1 })))
      const round = await liveRound(crashing)
      rounds.push(round)
      await expectRound(crashing, round)
      expect(crashing.deaths).toBe(points.length)
    },
  )

  test('emitted every change once, and balances equal postings [H10]', async () => {
    await expectWhole(crashing, rounds)
  })
})

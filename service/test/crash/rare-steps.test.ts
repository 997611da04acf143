import type { EvmChain } from '@sluice/simulator'
import { describe, expect, onTestFinished, test } from 'vitest'
import { SCANNER_POINTS, type ScannerPoint } from '../../src/scanner/crash-points.ts'
import { REQUIRED } from '../support/world-life.ts'
import { type CrashingWorld, expectWhole, openCrashingWorld } from './crashing-world.ts'

const pointsOf = (step: string) => SCANNER_POINTS.filter((point) => point.startsWith(`${step}.`))
/** The first pass; the first two; the second alone, if a crash elsewhere causes one. */
const PASSES: readonly (readonly number[])[] = [[1], [1, 2]]

const plans = (step: string) =>
  pointsOf(step).flatMap((point) =>
    PASSES.map((passes) => [`${point} (${passes.join(' and ')})`, point, passes] as const),
  )

describe('a scanner that dies at its first contact with a chain', () => {
  test.each(plans('begin'))('begins at the same block: %s [H10]', async (_name, point, passes) => {
    const crashing = await open(point, passes)
    const { chain, world } = crashing
    await expect(world.issue('ann')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    await crashing.settle()
    expect(crashing.deaths).toBe(deathsAt(crashing, point, passes))
    expect(await world.state()).toMatchObject({ startHeight: chain.head().height })
    const paid = await payIn(crashing)
    await expectWhole(crashing, [{ paid }])
  })
})

describe('a scanner that dies while a reorg crosses the block it began at', () => {
  test.each(plans('rebase'))(
    'credits each deposit once: %s [H10]',
    async (_name, point, passes) => {
      const crashing = await open(point, passes)
      const { chain, world } = crashing
      await crashing.settle()
      const { address } = await world.issue('ann')
      const paid = new Map([[chain.pay({ to: address, amount: 5n }), 5n]])
      chain.mine(1)
      await crashing.settle()
      chain.reorg({ depth: 3, keep: 'shuffled' })
      chain.mine(1 + REQUIRED)
      await crashing.settle()
      expect(crashing.deaths).toBe(deathsAt(crashing, point, passes))
      await expectWhole(crashing, [{ paid }])
    },
  )
})

describe('a scanner that dies while it halts its chain', () => {
  test.each(plans('halt'))(
    'halts the chain with one alert: %s [R10]',
    async (_n, point, passes) => {
      const crashing = await open(point, passes)
      const { chain, world } = crashing
      await crashing.settle()
      await world.issue('ann')
      chain.setFinalizedDistance(1)
      chain.mine(3)
      await crashing.settle()
      chain.reorg({ depth: 3, extra: 1 })
      await crashing.settle()
      expect(crashing.deaths).toBe(deathsAt(crashing, point, passes))
      expect((await world.state()).condition).toBe('halted')
      expect(await world.alerts()).toMatchObject([{ code: 'chain.halted', times: 1 }])
      expect(await world.events('chain.frozen')).toHaveLength(1)
    },
  )
})

/** A committed step is not repeated: then no second pass exists to die at. */
function deathsAt(crashing: CrashingWorld, point: ScannerPoint, passes: readonly number[]): number {
  expect(crashing.passes(point)).toBeGreaterThan(0)
  return passes.filter((pass) => pass <= crashing.passes(point)).length
}

async function open(
  point: ScannerPoint,
  passes: readonly number[],
): Promise<CrashingWorld<EvmChain>> {
  const crashing = await openCrashingWorld(`${point} ${passes.join()}`)
  onTestFinished(() => crashing.close())
  crashing.plan(passes.map((pass) => ({ point, pass })))
  return crashing
}

/** A payment, credited. */
async function payIn({ chain, world }: CrashingWorld<EvmChain>): Promise<Map<string, bigint>> {
  const { address } = await world.issue('ann')
  const paid = new Map([[chain.pay({ to: address, amount: 5n }), 5n]])
  chain.mine(1 + REQUIRED)
  await world.settle()
  return paid
}

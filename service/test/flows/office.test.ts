import { expect, onTestFinished, test, vi } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { BlocksAhead } from '../../src/scanner/ahead.ts'
import { followChain } from '../../src/scanner/follow.ts'
import { runScanner, scannerLease } from '../../src/scanner/run.ts'
import { LeaseLost, releaseLease, takeLease } from '../../src/store/lease.ts'
import { SeededRandom } from '../support/clock.ts'
import { ETHER, simulated } from '../support/opened-world.ts'
import type { World } from '../support/world.ts'
import { REQUIRED, SEPOLIA } from '../support/world-life.ts'

const SOON = { timeout: 15_000, interval: 20 }

test('a scanner that lost its lease commits nothing [I5]', async () => {
  const { world, chain } = await simulated()
  const { address } = await world.issue('ann')
  const outdated = await world.holder()
  await releaseLease(world.database, outdated.lease)
  const name = scannerLease(SEPOLIA)
  const next = await takeLease(world.database, { name, holder: 'another' })
  expect(next?.token).toBe(outdated.lease.token + 1)
  chain.pay({ to: address, amount: 5n })
  chain.mine(REQUIRED + 1)
  const { tip } = await world.state()
  const ahead = new BlocksAhead(outdated.adapter, 8)
  await expect(followChain(outdated, ahead)).rejects.toThrow(LeaseLost)
  expect((await world.state()).tip).toEqual(tip)
  expect(await world.deposits()).toEqual([])
})

test('two scanners of one chain that both believe to hold the lease credit once [I5]', async () => {
  const { world, chain } = await simulated()
  const { address } = await world.issue('ann')
  chain.pay({ to: address, amount: 5n })
  chain.mine(REQUIRED + 1)
  const holder = await world.holder()
  const steps = Array.from({ length: 4 }, () =>
    followChain(holder, new BlocksAhead(holder.adapter, 8)),
  )
  const outcomes = await Promise.allSettled(steps)
  expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true)
  await world.settle()
  expect(await world.balance(ETHER)).toBe(5n)
  expect(await world.events('deposit.detected', 'deposit.confirmed')).toHaveLength(2)
})

test('a second process takes over scanning when the first one ends [N14]', async () => {
  const { world, chain } = await simulated()
  const { address } = await world.issue('ann')
  const first = await inOffice(world, 'first')
  const second = await inOffice(world, 'second')
  for (const amount of [5n, 6n]) {
    chain.pay({ to: address, amount })
    chain.mine(REQUIRED + 1)
    await vi.waitFor(async () => expect(await world.balance(ETHER)).toBeGreaterThan(4n), SOON)
    if (amount === 5n) await first.end()
  }
  await vi.waitFor(async () => expect(await world.balance(ETHER)).toBe(11n), SOON)
  await second.end()
  expect(await world.events('deposit.confirmed')).toHaveLength(2)
})

/** A process that scans until it is ended. */
async function inOffice(world: World, name: string): Promise<{ end(): Promise<void> }> {
  const { lease, ...watcher } = await world.holder()
  await releaseLease(world.database, lease)
  const stopping = new AbortController()
  const deps = { clock: systemClock, random: new SeededRandom(name), holder: name, pollMs: 20 }
  const running = runScanner({ ...watcher, ...deps }, stopping.signal)
  const end = async () => {
    stopping.abort()
    await running
  }
  onTestFinished(end)
  return { end }
}

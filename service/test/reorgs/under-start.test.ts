import type { EvmChain } from '@sluice/simulator'
import { expect, onTestFinished, test } from 'vitest'
import { BlocksAhead } from '../../src/scanner/ahead.ts'
import { SCANNER_POINTS } from '../../src/scanner/crash-points.ts'
import { followChain } from '../../src/scanner/follow.ts'
import { bitcoinWorld, REGTEST, TBTC, startSimulatedBitcoin } from '../support/bitcoin-chain.ts'
import { ETHER, simulated } from '../support/opened-world.ts'
import { openWorld, type World } from '../support/world.ts'
import { REQUIRED, SEPOLIA } from '../support/world-life.ts'

const POINTS = SCANNER_POINTS.filter((point) => point.startsWith('rebase.'))

test('a rescanned deposit below the start is orphaned when a reorg drops it [R01]', async () => {
  const { world, chain } = await openRescanned({ on: 2 })
  const [before] = await world.deposits()
  expect(before).toMatchObject({ amount: 7n, status: 'Detected' })
  chain.reorg({ depth: 3, keep: 'none', extra: 1 })
  chain.mine(REQUIRED + 1)
  await world.settle()
  expect(await world.deposits()).toMatchObject([{ id: before?.id, status: 'Orphaned' }])
  expect(await world.balances()).toEqual({})
  expect(await world.state()).toMatchObject({ condition: 'running' })
})

test('a rescanned deposit below the start is one deposit when mined again [R02]', async () => {
  const { world, chain } = await openRescanned({ on: 2 })
  const [before] = await world.deposits()
  chain.reorg({ depth: 3, keep: 'same', extra: 1 })
  chain.mine(REQUIRED + 1)
  await world.settle()
  await expectCredited(world, before?.id)
})

test('a credit below the start that leaves the chain freezes it [R04]', async () => {
  const { world, chain } = await openRescanned({ on: REQUIRED + 1 })
  expect(await world.balance(ETHER)).toBe(7n)
  chain.reorg({ depth: REQUIRED + 2, keep: 'none', extra: 1 })
  await world.settle()
  expect(await world.state()).toMatchObject({ condition: 'frozen' })
  expect((await world.state()).cause).toContain('left the chain with 1 credited deposits')
  expect(await world.deposits()).toMatchObject([{ status: 'Orphaned' }])
  expect(await world.balances()).toEqual({})
})

test('a credit below the start stays when blocks above it are replaced [R04]', async () => {
  const { world, chain } = await openRescanned({ on: REQUIRED + 1 })
  const before = await world.deposits()
  chain.reorg({ depth: 2, keep: 'none', extra: 1 })
  await world.settle()
  expect(await world.state()).toMatchObject({ condition: 'running' })
  expect(await world.deposits()).toEqual(before)
  expect(await world.events('deposit.reverted')).toEqual([])
  expect((await world.state()).tip.hash).toBe(chain.head().hash)
})

test('rescanned deposits are orphaned in any number of blocks [R01]', async () => {
  const many = 300
  const { world, chain } = await openRescanned({ on: 1, many })
  expect(await world.deposits()).toHaveLength(many)
  await world.settle()
  chain.reorg({ depth: many + 1, keep: 'none', extra: 1 })
  await world.settle()
  const deposits = await world.deposits()
  expect(deposits.filter(({ status }) => status === 'Orphaned')).toHaveLength(many)
  expect(await world.balances()).toEqual({})
})

test('rescanned coins below the start follow their blocks [R02]', async () => {
  const chain = await startSimulatedBitcoin()
  onTestFinished(() => chain.stop())
  const lost = await bitcoinWorld(chain)
  const { address: to } = await lost.issue('ann', REGTEST)
  const txid = await chain.hand.pay({ payees: [{ to, amount: 50_000n }] })
  await chain.hand.mine(2)
  const world = await bitcoinWorld(chain)
  expect((await world.issue('ann', REGTEST)).address).toBe(to)
  await world.rescan(0, (await world.state(REGTEST)).tip.height, REGTEST)
  await world.settle()
  const [before] = await world.deposits()
  expect(before).toMatchObject({ txnHash: txid, status: 'Detected' })
  await chain.hand.undo(2)
  await chain.hand.mineExactly([])
  await chain.hand.mineExactly([txid])
  await chain.hand.mine(REQUIRED)
  await world.settle()
  expect(await world.deposits()).toMatchObject([{ id: before?.id, status: 'Confirmed' }])
  expect(await world.balance(TBTC)).toBe(50_000n)
  expect((await world.audit(REGTEST)).findings).toEqual([])
})

test.each(POINTS)('a scanner that dies at %s loses and duplicates nothing [H10]', async (point) => {
  const { world, chain } = await openRescanned({ on: 2 })
  const [before] = await world.deposits()
  chain.reorg({ depth: 3, keep: 'same', extra: 1 })
  chain.mine(REQUIRED + 1)
  const alive = await world.holder()
  const crash = (passed: string) => {
    if (passed === point) throw new Error('it died')
  }
  const ahead = new BlocksAhead(alive.adapter, 1)
  const live = async () => {
    while ((await followChain({ ...alive, crash }, ahead)) === 'moved');
  }
  await expect(live()).rejects.toThrow('it died')
  await world.restart()
  await world.settle()
  await expectCredited(world, before?.id)
})

/**
 * A world that began after payments to a user of its, one in a block, and has found them by a
 * rescan; `on` blocks are on the last of them.
 */
async function openRescanned({
  on,
  many = 1,
}: {
  on: number
  many?: number
}): Promise<{ world: World; chain: EvmChain }> {
  const { world: lost, chain, node } = await simulated()
  const { address } = await lost.issue('ann')
  for (let paid = 0; paid < many; paid += 1) {
    chain.pay({ to: address, amount: 7n })
    chain.mine(1)
  }
  chain.mine(on)
  const world = await openWorld({
    seed: expect.getState().currentTestName ?? '',
    chains: [{ id: SEPOLIA, nodes: [node.url] }],
  })
  onTestFinished(() => world.close())
  await world.settle()
  expect((await world.issue('ann')).address).toBe(address)
  await world.rescan(0, (await world.state()).tip.height)
  await world.settle()
  return { world, chain }
}

async function expectCredited(world: World, id: string | undefined): Promise<void> {
  expect(await world.deposits()).toMatchObject([{ id, amount: 7n, status: 'Confirmed' }])
  expect(await world.balance(ETHER)).toBe(7n)
  expect((await world.audit()).findings).toEqual([])
}

import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { stopChain } from '../../src/scanner/apply.ts'
import { continueRescan, readRescan, requestRescan } from '../../src/scanner/rescan.ts'
import { parseChain } from '../adapters/brands.ts'
import { ETHER, simulated } from '../support/opened-world.ts'
import { openWorld, type World } from '../support/world.ts'
import { REQUIRED, SEPOLIA } from '../support/world-life.ts'

test('a rescan finds earlier deposits after the loss of a database [E03]', async () => {
  const { world: lost, chain, node, confirm } = await simulated()
  const addresses = [await lost.issue('ann'), await lost.issue('bob')].map(({ address }) => address)
  for (const [at, address] of addresses.entries()) {
    chain.pay({ to: address, amount: BigInt(5 + at) })
    chain.payInternal({ to: address, amount: BigInt(50 + at) })
  }
  await confirm()
  const world = await openWorld({
    seed: expect.getState().currentTestName ?? '',
    chains: [{ id: SEPOLIA, nodes: [node.url] }],
  })
  onTestFinished(() => world.close())
  await world.settle()
  const again = [await world.issue('ann'), await world.issue('bob')]
  expect(again.map(({ address }) => address)).toEqual(addresses)
  await world.settle()
  expect(await world.deposits()).toEqual([])
  await world.rescan(0, (await world.state()).tip.height)
  await world.settle()
  expect(await seen(world)).toEqual(await seen(lost))
  expect(await world.balances()).toEqual(await lost.balances())
})

test('a repeated rescan changes nothing [E14]', async () => {
  const { world, chain, confirm } = await simulated()
  const { address } = await world.issue('ann')
  chain.batch([
    { to: address, amount: 5n },
    { to: address, amount: 5n },
  ])
  await confirm()
  chain.pay({ to: address, amount: 6n })
  chain.mine()
  await world.settle()
  const before = { deposits: await world.deposits(), events: await world.events() }
  for (let times = 0; times < 3; times += 1) {
    await world.rescan(1, (await world.state()).tip.height)
    await world.settle()
  }
  expect({ deposits: await world.deposits(), events: await world.events() }).toEqual(before)
})

test('a rescan continues from its last block after a crash [E14]', async () => {
  const { world, chain } = await simulated()
  chain.mine(40)
  await world.settle()
  const { id } = await request(world, 1, 40)
  await world.step()
  const half = await read(world, id)
  expect(half).toMatchObject({ state: 'waiting' })
  expect(half?.next).toBeGreaterThan(1)
  await world.restart()
  expect(await read(world, id)).toEqual(half)
  await world.settle()
  expect(await read(world, id)).toMatchObject({ state: 'done', next: 41, found: 0 })
})

test('a rescan waits for the scanner while a reorg is processed [R01]', async () => {
  const { world, chain } = await simulated()
  const { address } = await world.issue('ann')
  chain.mine(3)
  chain.pay({ to: address, amount: 5n })
  chain.mine(3)
  await world.settle()
  const { tip } = await world.state()
  await request(world, tip.height - 3, tip.height)
  chain.reorg({ depth: 3, keep: 'same' })
  const holder = await world.holder()
  await expect(continueRescan(holder)).rejects.toThrow('is being reorganized')
  await world.settle()
  expect(await world.deposits()).toMatchObject([{ amount: 5n, status: 'Detected' }])
})

test('a rescan reads no block above our own tip [R08]', async () => {
  const { world, chain, mine } = await simulated()
  const { address } = await world.issue('ann')
  await mine(10)
  const { tip } = await world.state()
  await request(world, tip.height - 1, tip.height)
  chain.rollback(5)
  await mine(1)
  expect((await world.state()).tip.height).toBe(tip.height - 4)
  // The node is ahead, with a payment that this branch will not keep.
  chain.pay({ to: address, amount: 5n })
  chain.mine(5)
  await expect(continueRescan(await world.holder())).resolves.toBe(false)
  chain.reorg({ depth: 5, keep: 'none', extra: REQUIRED })
  await world.settle()
  expect(await world.deposits()).toEqual([])
  expect(await world.balance(ETHER)).toBe(0n)
})

test('a rescan of a halted chain waits until the chain is resumed [N06]', async () => {
  const { world, mine } = await simulated()
  await mine(5)
  const { id } = await request(world, 1, 5)
  const halt = { chainId: SEPOLIA, condition: 'halted', cause: 'a test' } as const
  await world.database.transaction((tx) => stopChain(tx, halt))
  await world.settle()
  expect(await read(world, id)).toMatchObject({ state: 'waiting', next: 1 })
  await world.resume()
  await world.settle()
  expect(await read(world, id)).toMatchObject({ state: 'done' })
})

test('a rescan that cannot succeed fails, and the chain continues [N13]', async () => {
  const { world, chain, mine } = await simulated()
  const { address } = await world.issue('ann')
  chain.pay({ to: address, amount: 5n })
  await mine(5)
  await world.database.transaction((tx) =>
    tx.run(sql`update incoming_transfers set block_hash = 'another'`),
  )
  const { tip } = await world.state()
  const { id } = await request(world, 1, tip.height)
  await world.settle()
  const failed = await read(world, id)
  expect(failed).toMatchObject({ state: 'failed' })
  expect(failed?.cause).toContain('one transfer is live in two blocks')
  await mine(3)
  expect((await world.state()).tip.height).toBe(tip.height + 3)
})

test('a range above the tip or without an end, or an unknown chain, is rejected', async () => {
  const { world } = await simulated()
  const { tip } = await world.state()
  await expect(request(world, 1, tip.height + 1)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  await expect(request(world, 3, 2)).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    says: expect.stringContaining('--from is above --to'),
  })
  const range = { chainId: parseChain('eip155:1'), from: 1, to: 2, actor: 'test' }
  await expect(world.database.transaction((tx) => requestRescan(tx, range))).rejects.toMatchObject({
    code: 'INVALID_CHAIN',
  })
})

function request(world: World, from: number, to: number) {
  const range = { chainId: SEPOLIA, from, to, actor: 'test' }
  return world.database.transaction((tx) => requestRescan(tx, range))
}

function read(world: World, id: string) {
  return world.database.transaction((tx) => readRescan(tx, id))
}

async function seen(world: World): Promise<string[]> {
  const deposits = await world.deposits()
  return deposits.map(({ externalUserId, txnHash, position, amount, status, block }) =>
    [externalUserId, txnHash, position, amount, status, block.hash].join(' '),
  )
}

import { encodeCall, type Sent } from '@sluice/simulator'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OperatorToken } from '../../src/catalogue/operator-token.ts'
import {
  type AnvilChain,
  listed,
  OTHER,
  PAYER,
  startAnvilChain,
  tokenId,
} from '../support/anvil-chain.ts'
import { ETHER, simulated, worldOn } from '../support/opened-world.ts'
import type { World } from '../support/world.ts'
import { REQUIRED, SEPOLIA } from '../support/world-life.ts'

let anvil: AnvilChain
beforeAll(async () => {
  anvil = await startAnvilChain(SEPOLIA)
})
afterAll(() => anvil.stop())

test('a deposit whose block vanishes before its credit is orphaned [R01]', async () => {
  const { world, address } = await open()
  await anvil.pay(address, 5n)
  await anvil.mine(REQUIRED - 1)
  await world.settle()
  expect(await world.balances()).toEqual({
    [`${ETHER} claim:unconfirmed`]: 5n,
    [`${ETHER} place:deposits:${address.toLowerCase()}`]: 5n,
  })
  await anvil.reorg(REQUIRED)
  await world.settle()
  expect(await world.deposits()).toMatchObject([{ amount: 5n, status: 'Orphaned' }])
  expect(await world.balances()).toEqual({})
  expect(await told(world)).toEqual(['deposit.detected', 'deposit.reverted'])
  expect(await world.events('deposit.reverted')).toMatchObject([
    { payload: { status: 'Orphaned', previousStatus: 'Detected' } },
  ])
  await anvil.mine(REQUIRED + 5)
  await world.settle()
  expect(await world.deposits()).toMatchObject([{ status: 'Orphaned' }])
  expect((await world.state()).condition).toBe('running')
})

test('the same transaction in another block is the same deposit, credited once [R02]', async () => {
  const { world, address } = await open()
  const sent = await pay(address, 5n)
  await anvil.mine(REQUIRED - 1)
  await world.settle()
  const [before] = await world.deposits()
  await anvil.reorg(REQUIRED, [[sent.raw, 2]])
  await world.settle()
  const [after, ...others] = await world.deposits()
  expect(others).toEqual([])
  expect(after?.id).toBe(before?.id)
  expect(after?.status).toBe('Detected')
  expect(after?.block.height).toBe((before?.block.height ?? 0) + 2)
  expect(after?.block.hash).not.toBe(before?.block.hash)
  await anvil.mine(REQUIRED)
  await world.settle()
  expect(await world.deposits()).toMatchObject([{ id: before?.id, status: 'Confirmed' }])
  expect(await world.balance(ETHER)).toBe(5n)
  expect(await told(world)).toEqual([
    'deposit.detected',
    'deposit.reverted',
    'deposit.detected',
    'deposit.confirmed',
    'balance.updated',
  ])
})

test('a deposit replaced by a payment to another address is orphaned [R03]', async () => {
  const { world, address } = await open()
  const sent = await pay(address, 5n)
  await world.settle()
  await anvil.mine()
  const other = anvil.sign({ to: OTHER.address, value: 5n, nonce: sent.nonce })
  await anvil.reorg(2, [[other, 0]])
  await anvil.mine(REQUIRED)
  await world.settle()
  expect(await world.deposits()).toMatchObject([{ status: 'Orphaned' }])
  expect(await world.balances()).toEqual({})
  expect(await told(world)).toEqual(['deposit.detected', 'deposit.reverted'])
})

test('a reorg while the service is down is undone at start [R05]', async () => {
  const { world, address } = await open()
  const moved = await pay(address, 5n)
  await pay(address, 7n)
  await anvil.mine(REQUIRED - 2)
  await world.settle()
  const before = (await world.deposits()).find(({ amount }) => amount === 5n)
  await anvil.reorg(REQUIRED, [[moved.raw, 1]])
  await anvil.mine(REQUIRED)
  await world.restart()
  await world.settle()
  const after = await world.deposits()
  expect(after.toSorted((one, other) => Number(one.amount - other.amount))).toMatchObject([
    { id: before?.id, amount: 5n, status: 'Confirmed' },
    { amount: 7n, status: 'Orphaned' },
  ])
  expect(await world.balances()).toEqual({
    [`${ETHER} claim:available`]: 5n,
    [`${ETHER} place:deposits:${address.toLowerCase()}`]: 5n,
  })
})

test('another transaction with logs before ours creates no second deposit [R06]', async () => {
  const token = await anvil.create()
  const { world, address } = await open([listed(SEPOLIA, token)])
  await anvil.payToken(token, OTHER.address, 100n)
  const transfer = (to: string, amount: bigint) =>
    encodeCall('transfer(address,uint256)', [to, amount])
  const ours = await anvil.keep({ to: token, data: transfer(address, 5n) })
  await world.settle()
  const [before] = await world.deposits()
  const theirs = await anvil.keep({ to: token, data: transfer(PAYER.address, 1n) }, OTHER)
  await anvil.reorg(2, [
    [theirs.raw, 1],
    [ours.raw, 1],
  ])
  await anvil.mine(REQUIRED)
  await world.settle()
  const after = await world.deposits()
  expect(after).toMatchObject([{ id: before?.id, position: 'log:0', status: 'Confirmed' }])
  expect(await world.balance(tokenId(SEPOLIA, token))).toBe(5n)
})

test('a head that decreases never makes confirmations negative [R08]', async () => {
  const { world, address } = await open()
  await anvil.pay(address, 5n)
  await anvil.mine(1)
  await world.settle()
  const [before] = await world.deposits()
  await anvil.rpc('anvil_rollback', [2])
  await world.settle()
  expect((await world.state()).tip.height).toBe(before ? before.block.height + 1 : 0)
  await anvil.mine(1)
  await world.settle()
  expect(await world.deposits()).toMatchObject([{ status: 'Orphaned' }])
  const events = await world.events('deposit.detected', 'deposit.reverted')
  expect(events.map(({ payload }) => payload['confirmations'])).toEqual([0, 0])
  await anvil.pay(address, 6n)
  await anvil.mine(REQUIRED)
  await world.settle()
  expect(await world.balance(ETHER)).toBe(6n)
})

test('alternating branches leave one deposit and one credit [R07]', async () => {
  const { world, chain, mine, confirm } = await simulated()
  const { address } = await world.issue('ann')
  chain.mine(3)
  chain.pay({ to: address, amount: 5n })
  await mine(2)
  const [first] = await world.deposits()
  const here = chain.head().hash
  chain.reorg({ depth: 2, keep: 'shuffled' })
  const there = chain.head().hash
  for (let turns = 0; turns < 10; turns += 1) {
    await world.settle()
    chain.setHead(turns % 2 === 0 ? here : there)
  }
  await confirm()
  expect(await world.deposits()).toMatchObject([{ id: first?.id, status: 'Confirmed' }])
  expect(await world.balance(ETHER)).toBe(5n)
  expect(await world.events('deposit.confirmed')).toHaveLength(1)
})

test('a reorg across the first scanned block loses nothing [R02]', async () => {
  const world = await worldOn(anvil)
  const { address } = await world.issue('ann')
  const kept = await pay(address, 5n)
  const started = (await world.state()).startHeight
  await world.settle()
  await anvil.reorg(4, [[kept.raw, 1]])
  await anvil.mine(REQUIRED)
  await world.settle()
  const [deposit] = await world.deposits()
  expect(deposit).toMatchObject({ amount: 5n, status: 'Confirmed' })
  expect(deposit?.block.height).toBeLessThan(started)
  expect((await world.state()).startHeight).toBe(started)
})

/** A world that has followed some blocks, and an address in it. */
async function open(
  tokens: readonly OperatorToken[] = [],
): Promise<{ world: World; address: string }> {
  const world = await worldOn(anvil, { tokens })
  const { address } = await world.issue('ann')
  await anvil.mine(5)
  await world.settle()
  return { world, address }
}

function pay(to: string, value: bigint): Promise<Sent> {
  return anvil.keep({ to, value, gas: 21_000 })
}

async function told(world: World): Promise<string[]> {
  const events = await world.events()
  return events.map(({ type }) => type).filter((type) => type !== 'account.created')
}

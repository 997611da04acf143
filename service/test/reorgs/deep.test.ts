import type { EvmChain } from '@sluice/simulator'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { post } from '../../src/ledger/post.ts'
import { REORG_DEPTH_MAX } from '../../src/scanner/reconcile.ts'
import { parseToken } from '../adapters/brands.ts'
import { type AnvilChain, startAnvilChain } from '../support/anvil-chain.ts'
import { ETHER, openedWorld, simulated, TBNB } from '../support/opened-world.ts'
import type { World } from '../support/world.ts'
import { BSC_TESTNET, REQUIRED, SEPOLIA } from '../support/world-life.ts'

const DEPTH = REQUIRED + 50
/** Deeper than any reorg that is undone block by block. */
const TOO_DEEP = REORG_DEPTH_MAX + 10
const TOO_DEEP_HALT = {
  condition: 'halted',
  cause: `a reorg goes deeper than the ${REORG_DEPTH_MAX} blocks kept`,
}

let anvil: AnvilChain
let other: AnvilChain
beforeAll(async () => {
  anvil = await startAnvilChain(SEPOLIA)
  other = await startAnvilChain(BSC_TESTNET)
})
afterAll(() => Promise.all([anvil.stop(), other.stop()]))

test('a credited deposit that leaves the chain freezes it, and is reversed [R04]', async () => {
  const { world, address } = await openCredited()
  await anvil.reorg(DEPTH)
  await world.settle(SEPOLIA)
  expect(await world.state()).toMatchObject({ condition: 'frozen' })
  expect(await world.deposits()).toMatchObject([{ status: 'Orphaned', amount: 50n }])
  expect(await world.balances()).toEqual({})
  expect(await world.events('deposit.reverted', 'chain.frozen')).toMatchObject([
    { type: 'deposit.reverted', payload: { previousStatus: 'Confirmed', status: 'Orphaned' } },
    { type: 'chain.frozen', payload: { chainId: SEPOLIA, state: 'frozen' } },
  ])
  expect((await world.events('balance.updated')).at(-1)).toMatchObject({
    payload: {
      accountId: address,
      previousBalance: '50',
      balance: '0',
      delta: '-50',
      reason: 'reversal',
    },
  })
  expect(await world.alerts()).toMatchObject([{ code: 'chain.frozen', subject: SEPOLIA }])
})

test('reserved money of a lost deposit makes the balance negative, and flagged [R04]', async () => {
  const { world } = await openCredited()
  await reserve(world, 30n)
  await anvil.reorg(DEPTH)
  await world.settle(SEPOLIA)
  expect(await world.balances()).toEqual({
    [`${ETHER} claim:available`]: -30n,
    [`${ETHER} claim:reserved`]: 30n,
  })
  expect((await world.events('balance.updated')).at(-1)?.payload).toMatchObject({
    previousBalance: '20',
    balance: '-30',
  })
  await expect(reserve(world, 1n)).rejects.toThrow('a balance would fall below zero')
})

test('a frozen chain detects and credits nothing, and stops no other [R04]', async () => {
  const { world, address } = await openCredited()
  await anvil.reorg(DEPTH)
  await anvil.pay(address, 8n)
  await anvil.mine(REQUIRED + 5)
  await other.pay(address, 9n)
  await other.mine(REQUIRED)
  await world.settle()
  const { condition, tip, headHeight } = await world.state()
  expect({ condition, height: tip.height }).toEqual({ condition: 'frozen', height: headHeight })
  expect(await world.deposits()).toMatchObject([
    { amount: 50n, status: 'Orphaned' },
    { amount: 8n, status: 'Detected' },
    { amount: 9n, status: 'Confirmed' },
  ])
  expect(await world.balance(ETHER)).toBe(0n)
  expect(await world.balance(TBNB)).toBe(9n)
  expect((await world.state(BSC_TESTNET)).condition).toBe('running')
})

test('a resumed chain credits returned and new deposits [R04]', async () => {
  const { world, address, raw } = await openCredited()
  const [before] = await world.deposits()
  await anvil.reorg(DEPTH, [[raw, 7]])
  await anvil.pay(address, 8n)
  await anvil.mine(REQUIRED)
  await world.settle()
  await world.restart()
  await world.settle()
  expect(await world.deposits()).toMatchObject([
    { id: before?.id, amount: 50n, status: 'Detected' },
    { amount: 8n, status: 'Detected' },
  ])
  await world.resume()
  await world.settle()
  expect(await world.deposits()).toMatchObject([
    { id: before?.id, amount: 50n, status: 'Confirmed' },
    { amount: 8n, status: 'Confirmed' },
  ])
  expect(await world.balance(ETHER)).toBe(58n)
  expect((await world.audit()).findings).toEqual([])
})

test('a reorg deeper than the kept blocks halts a chain until it is resumed [R04]', async () => {
  const { world, chain } = await openUnfinal()
  chain.mine(TOO_DEEP + 20)
  await world.settle()
  const { address } = await world.issue('ann')
  for (const times of [1n, 2n]) {
    chain.reorg({ depth: TOO_DEEP, keep: 'same', extra: 1 })
    await world.settle()
    expect(await world.state()).toMatchObject(TOO_DEEP_HALT)
    chain.pay({ to: address, amount: 7n })
    // Too deep for the next reorg.
    chain.mine(TOO_DEEP + 1)
    await world.resume()
    await world.settle()
    await expectFollowed(world, chain)
    expect(await world.balance(ETHER)).toBe(7n * times)
  }
  expect(await world.alerts()).toEqual([])
})

for (const { keep, status, balance, outcome } of [
  { keep: 'none', status: 'Orphaned', balance: 0n, outcome: 'is taken back' },
  { keep: 'same', status: 'Confirmed', balance: 7n, outcome: 'is credited once' },
] as const) {
  test(`a credit below the kept blocks ${outcome} after a reorg (${keep}) [R04]`, async () => {
    const { world, chain, address } = await openUnfinal()
    chain.pay({ to: address, amount: 7n })
    await mineApart(world, chain, TOO_DEEP)
    chain.reorg({ depth: TOO_DEEP, keep, extra: 1 })
    await world.settle()
    expect(await world.state()).toMatchObject(TOO_DEEP_HALT)
    expect(await world.deposits()).toMatchObject([{ status: 'Confirmed' }])
    await world.resume()
    await world.settle()
    // It had been credited: that is another thing to look at.
    expect(await world.state()).toMatchObject({ condition: 'frozen' })
    expect((await world.state()).cause).toContain('left the chain with 1 credited deposits')
    expect(await world.balance(ETHER)).toBe(0n)
    await world.resume()
    await world.settle()
    await expectFollowed(world, chain)
    expect(await world.deposits()).toMatchObject([{ amount: 7n, status }])
    expect(await world.balance(ETHER)).toBe(balance)
    expect((await world.audit()).findings).toEqual([])
  })
}

test('a credit below a reorg deeper than the kept blocks is unchanged [R04]', async () => {
  const { world, chain, address } = await openUnfinal()
  chain.pay({ to: address, amount: 7n })
  await mineApart(world, chain, TOO_DEEP + 1)
  const before = await world.deposits()
  chain.reorg({ depth: TOO_DEEP, keep: 'none', extra: 1 })
  await world.settle()
  expect(await world.state()).toMatchObject(TOO_DEEP_HALT)
  await world.resume()
  await world.settle()
  await expectFollowed(world, chain)
  expect(await world.deposits()).toEqual(before)
  expect(await world.events('deposit.reverted')).toEqual([])
})

test('a chain resumed after a deep reorg continues when the nodes return to it [R04]', async () => {
  const { world, chain, address } = await openUnfinal()
  chain.pay({ to: address, amount: 7n })
  await mineApart(world, chain, TOO_DEEP)
  const here = chain.head().hash
  chain.reorg({ depth: TOO_DEEP, keep: 'none', extra: 1 })
  await world.settle()
  expect(await world.state()).toMatchObject(TOO_DEEP_HALT)
  chain.setHead(here)
  await world.resume()
  await world.settle()
  await expectFollowed(world, chain)
  expect(await world.deposits()).toMatchObject([{ amount: 7n, status: 'Confirmed' }])
  expect(await world.events('deposit.reverted')).toEqual([])
})

test('contradicted finality and a deep reorg are two halts, each resumed [R10]', async () => {
  const { world, chain } = await openUnfinal()
  chain.setFinalizedDistance(2)
  chain.mine(TOO_DEEP + 20)
  await world.settle()
  chain.reorg({ depth: TOO_DEEP, keep: 'none', extra: 1 })
  await world.settle()
  expect(await world.state()).toMatchObject({ condition: 'halted' })
  expect((await world.state()).cause).toContain('was final')
  await world.resume()
  await world.settle()
  expect(await world.state()).toMatchObject(TOO_DEEP_HALT)
  await world.resume()
  await world.settle()
  await expectFollowed(world, chain)
})

/** A world, and a user of its, on a chain that calls nothing final. */
async function openUnfinal() {
  const { world, chain } = await simulated()
  chain.setFinalizedDistance(null)
  const { address } = await world.issue('ann')
  return { world, chain, address }
}

/** Mines what waits so deep that no row of its block is kept, and has it credited before. */
async function mineApart(world: World, chain: EvmChain, blocks: number): Promise<void> {
  chain.mine(blocks - 5)
  await world.settle()
  expect(await world.deposits()).toMatchObject([{ status: 'Confirmed' }])
  chain.mine(5)
  await world.settle()
}

async function expectFollowed(world: World, chain: EvmChain): Promise<void> {
  const { condition, tip } = await world.state()
  const { height, hash } = chain.head()
  expect({ condition, tip }).toEqual({ condition: 'running', tip: { height, hash } })
}

/** A world with a credited deposit of 50 in a block as deep as the reorgs of these tests. */
async function openCredited(): Promise<{ world: World; address: string; raw: string }> {
  const chains = [anvil, other].map(({ id, url }) => ({ id, nodes: [url] }))
  const world = await openedWorld(chains)
  const { address } = await world.issue('ann')
  await anvil.mine(5)
  const { raw } = await anvil.keep({ to: address, value: 50n, gas: 21_000 })
  await anvil.mine(DEPTH - 1)
  await world.settle()
  expect(await world.balance(ETHER)).toBe(50n)
  return { world, address, raw }
}

/** The postings of a new withdrawal. */
async function reserve(world: World, amount: bigint): Promise<void> {
  const tokenId = parseToken(ETHER)
  await world.database.transaction((tx) =>
    post(tx, [
      {
        orgId: world.orgId,
        chainId: SEPOLIA,
        tokenId,
        debit: 'claim:available',
        credit: 'claim:reserved',
        amount,
        reason: 'withdrawal.created',
        reversal: false,
        referenceId: world.orgId,
        blockHeight: null,
      },
    ]),
  )
}

test('a chain resumed after contradicted finality is followed, and frozen [R10]', async () => {
  const { world, chain, confirm } = await simulated()
  const { address } = await world.issue('ann')
  chain.setFinalizedDistance(2)
  chain.pay({ to: address, amount: 7n })
  await confirm()
  expect(await world.deposits()).toMatchObject([{ status: 'Confirmed' }])
  chain.reorg({ depth: REQUIRED + 3, keep: 'none', extra: 1 })
  await world.settle()
  expect(await world.state()).toMatchObject({ condition: 'halted' })
  await world.resume()
  await world.settle()
  // The credited deposit left the chain: it is taken back, and that is another thing to look at.
  expect(await world.deposits()).toMatchObject([{ status: 'Orphaned' }])
  expect(await world.state()).toMatchObject({ condition: 'frozen' })
  await world.resume()
  await confirm()
  expect(await world.state()).toMatchObject({ condition: 'running' })
  expect((await world.state()).tip.height).toBe(chain.head().height)
})

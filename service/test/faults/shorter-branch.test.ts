import type { EvmChain, FaultProxy } from '@sluice/simulator'
import { expect, test } from 'vitest'
import { closeByOperator } from '../../src/journal/close-alert.ts'
import { listAlerts } from '../../src/journal/list-alerts.ts'
import type { World } from '../support/world.ts'
import { created, openEvmHouse } from '../support/evm-house.ts'
import { simulatedNode } from '../support/opened-world.ts'
import { REQUIRED, SEPOLIA } from '../support/world-life.ts'
import { openFaulty, proxied } from './fault-world.ts'

/** Blocks of its own after which the other node's branch stands still. */
const LENGTH = 3
const ONE_ETHER = 10n ** 18n

test('N05 one wei to anybody does not end a dispute about a deposit of somebody else', async () => {
  const { world, chain, payer, proxy, node } = await openFaulty()
  const second = standStill(chain, await proxied(node.url))
  await world.restart({ chains: [{ id: SEPOLIA, nodes: [proxy.url, second.url] }] })
  const [ann, bob] = [await payer.address('ann'), await payer.address('bob')]
  payer.payCoins(ann, ONE_ETHER)
  await mineEach(world, chain, LENGTH + REQUIRED)
  expect(await statuses(world)).toEqual(['Detected'])
  expect(await world.alerts()).toMatchObject([{ code: 'chain.disputed', subject: SEPOLIA }])
  payer.payCoins(bob, 1n)
  await mineEach(world, chain, 1 + REQUIRED)
  expect(await statuses(world)).toEqual(['Detected', 'Detected'])
  expect(await world.balance(payer.coin)).toBe(0n)
  expect(await world.alerts()).toMatchObject([{ code: 'chain.disputed', subject: SEPOLIA }])
  // The second node finds back to the chain that the first one follows.
  second.rules.clear()
  await world.settle()
  await payer.expectAllCredited()
  expect(await world.alerts()).toEqual([])
})

test('N05 a deposit in a disputed block is not credited along with a later one', async () => {
  const { world, chain, payer, proxy, node } = await openFaulty()
  const second = standStill(chain, await proxied(node.url))
  await world.restart({ chains: [{ id: SEPOLIA, nodes: [proxy.url, second.url] }] })
  const [ann, bob] = [await payer.address('ann'), await payer.address('bob')]
  payer.payCoins(ann, ONE_ETHER)
  chain.mine(LENGTH + 1)
  payer.payCoins(bob, 1n)
  chain.mine(1 + REQUIRED)
  await world.settle()
  expect(await statuses(world)).toEqual(['Detected', 'Detected'])
  expect(await world.balance(payer.coin)).toBe(0n)
  expect(await world.alerts()).toMatchObject([{ code: 'chain.disputed', subject: SEPOLIA }])
})

test('N05 a withdrawal above the end of the other branch is not called completed', async () => {
  const { node, chain, house } = await openEvmHouse()
  const second = standStill(chain, await proxied(node.url))
  chain.mine(LENGTH + 1)
  await house.world.settle()
  const id = await created(house, 'shorter branch')
  await house.spend()
  await house.world.restart({ chains: [{ id: SEPOLIA, nodes: [node.url, second.url] }] })
  await house.mine(1 + REQUIRED)
  expect(await house.read(id)).toMatchObject({ status: 'Processing' })
  expect(await house.world.alerts()).toMatchObject([{ code: 'chain.disputed', subject: SEPOLIA }])
  second.rules.clear()
  await house.world.settle()
  expect(await house.read(id)).toMatchObject({ status: 'Completed' })
  expect(await house.world.alerts()).toEqual([])
})

test('N05 a deposit below the fork ends no dispute about a withdrawal above it', async () => {
  const { node, chain, house } = await openEvmHouse()
  const { address } = await house.world.issue('ann')
  chain.pay({ to: address, amount: ONE_ETHER })
  chain.mine(1)
  await house.world.settle()
  const second = standStill(chain, await proxied(node.url))
  const id = await created(house, 'shorter branch')
  await house.spend()
  chain.mine(1)
  await house.world.settle()
  await house.world.restart({ chains: [{ id: SEPOLIA, nodes: [node.url, second.url] }] })
  // The deposit and the withdrawal are due in the same step.
  await house.mine(REQUIRED)
  expect(await statuses(house.world)).toEqual(['Confirmed'])
  expect(await house.read(id)).toMatchObject({ status: 'Processing' })
  const told = await house.world.database.transaction((tx) => listAlerts(tx))
  expect(told).toMatchObject([{ code: 'chain.disputed', resolvedAt: null }])
})

test('N05 a node that disputed a block keeps its say while it is away', async () => {
  const { world, chain, payer, proxy, node } = await openFaulty()
  const second = standStill(chain, await proxied(node.url))
  const chains = [{ id: SEPOLIA, nodes: [proxy.url, second.url] }]
  await world.restart({ chains })
  payer.payCoins(await payer.address('ann'), ONE_ETHER)
  await mineEach(world, chain, LENGTH + REQUIRED)
  const away = second.rules.add({ action: { do: 'dropBefore' } })
  await mineEach(world, chain, 2)
  expect(await statuses(world)).toEqual(['Detected'])
  // Nor does a restart forget who it was.
  await world.restart({ chains })
  await mineEach(world, chain, 2)
  expect(await statuses(world)).toEqual(['Detected'])
  expect(await world.alerts()).toMatchObject([{ code: 'chain.disputed', subject: SEPOLIA }])
  away.remove()
  await mineEach(world, chain, 1)
  expect(await statuses(world)).toEqual(['Detected'])
  second.rules.clear()
  await world.settle()
  await payer.expectAllCredited()
  expect(await world.alerts()).toEqual([])
})

test('N05 a node that is no longer configured disputes nothing', async () => {
  const { world, chain, payer, proxy, node } = await openFaulty()
  const second = standStill(chain, await proxied(node.url))
  await world.restart({ chains: [{ id: SEPOLIA, nodes: [proxy.url, second.url] }] })
  payer.payCoins(await payer.address('ann'), ONE_ETHER)
  await mineEach(world, chain, LENGTH + REQUIRED)
  expect(await statuses(world)).toEqual(['Detected'])
  await world.restart({ chains: [{ id: SEPOLIA, nodes: [proxy.url] }] })
  await world.settle()
  await payer.expectAllCredited()
  expect(await world.alerts()).toEqual([])
})

test('N05 an operator who closes the alert takes its say from a node that is away', async () => {
  const { world, chain, payer, proxy, node } = await openFaulty()
  const second = standStill(chain, await proxied(node.url))
  await world.restart({ chains: [{ id: SEPOLIA, nodes: [proxy.url, second.url] }] })
  payer.payCoins(await payer.address('ann'), ONE_ETHER)
  await mineEach(world, chain, LENGTH + REQUIRED)
  const openKey = () => world.keys.serviceKey
  const given = {
    code: 'chain.disputed',
    subject: SEPOLIA,
    actor: 'operator',
    reason: 'a test',
    openKey,
  }
  const close = () => world.database.transaction((tx) => closeByOperator(tx, given))
  await close()
  await mineEach(world, chain, 1)
  // It answers, and says again what it said.
  expect(await world.alerts()).toMatchObject([{ code: 'chain.disputed', subject: SEPOLIA }])
  second.rules.add({ action: { do: 'dropBefore' } })
  await close()
  await world.settle()
  await payer.expectAllCredited()
  expect(await world.alerts()).toEqual([])
})

test('N05 each of several nodes that dispute a block must come back to it', async () => {
  const { world, chain, payer, proxy, node } = await openFaulty()
  const second = standStill(chain, await proxied(node.url))
  const third = standStill(chain, await proxied(node.url))
  await world.restart({ chains: [{ id: SEPOLIA, nodes: [proxy.url, second.url, third.url] }] })
  payer.payCoins(await payer.address('ann'), ONE_ETHER)
  await mineEach(world, chain, LENGTH + REQUIRED)
  second.rules.clear()
  const away = third.rules.add({ action: { do: 'dropBefore' } })
  await mineEach(world, chain, 2)
  expect(await statuses(world)).toEqual(['Detected'])
  expect(await world.alerts()).toMatchObject([{ code: 'chain.disputed', subject: SEPOLIA }])
  // The second one has come back, and may be away from now on.
  second.rules.add({ action: { do: 'dropBefore' } })
  away.remove()
  third.rules.clear()
  await world.settle()
  await payer.expectAllCredited()
  expect(await world.alerts()).toEqual([])
})

test('N05 a withdrawal that is found while others settle is asked about', async () => {
  const { node, chain, house } = await openEvmHouse()
  chain.pay({ to: house.settlement, amount: ONE_ETHER })
  await house.mine(1 + REQUIRED)
  const first = await created(house, 'shorter branch')
  await house.spend()
  chain.mine(1)
  await house.world.settle()
  const later = await created(house, 'a later one')
  await house.spend()
  expect(await house.read(later)).toMatchObject({ status: 'Processing' })
  const second = standStill(chain, await proxied(node.url))
  await house.world.restart({ chains: [{ id: SEPOLIA, nodes: [node.url, second.url] }] })
  // Both are deep enough when this run is read, and the second node has the first one's block only.
  chain.mine(1 + REQUIRED)
  await house.world.settle()
  expect(await house.read(first)).toMatchObject({ status: 'Completed' })
  expect(await house.read(later)).toMatchObject({ status: 'Processing' })
  expect(await house.world.alerts()).toMatchObject([{ code: 'chain.disputed', subject: SEPOLIA }])
  second.rules.clear()
  await house.world.settle()
  expect(await house.read(later)).toMatchObject({ status: 'Completed' })
  expect(await house.world.alerts()).toEqual([])
})

test('N05 a withdrawal waits while nodes disagree, though nothing is due', async () => {
  const { chain, house, second } = await openTwo()
  standStill(chain, second)
  await house.mine(LENGTH + 1 + REQUIRED)
  // Nothing was to be credited or settled: nobody has asked.
  expect(await house.world.alerts()).toEqual([])
  const id = await created(house, 'shorter branch')
  await house.spend()
  expect(await house.read(id)).toMatchObject({ status: 'Pending', txnHash: null })
  expect(await house.world.alerts()).toMatchObject([{ code: 'chain.disputed', subject: SEPOLIA }])
  // Nor is it signed while the node that dissents is away.
  const away = second.rules.add({ action: { do: 'dropBefore' } })
  await house.mine()
  await house.spend()
  expect(await house.read(id)).toMatchObject({ status: 'Pending' })
  away.remove()
  second.rules.clear()
  await house.mine()
  expect(await house.world.alerts()).toEqual([])
  expect(await house.conclude(id)).toMatchObject({ status: 'Completed' })
})

test('N05 a node that is away, behind, or has another tip stops no payment', async () => {
  const { chain, house, second } = await openTwo()
  const away = second.rules.add({ action: { do: 'dropBefore' } })
  const first = await created(house, 'while it is away')
  await house.spend()
  expect(await house.read(first)).toMatchObject({ status: 'Processing' })
  away.remove()
  const behind = second.rules.add({ action: { do: 'stale', blocks: 30 } })
  const next = await created(house, 'while it is behind')
  await house.spend()
  expect(await house.read(next)).toMatchObject({ status: 'Processing' })
  behind.remove()
  standStill(chain, second)
  chain.mine(1)
  await house.world.settle()
  const last = await created(house, 'a fork as any day has it')
  await house.spend()
  expect(await house.read(last)).toMatchObject({ status: 'Processing' })
  expect(await house.world.alerts()).toEqual([])
})

test('N05 nodes are asked for their branch once in a round that signs, or not at all', async () => {
  const { house } = await openTwo()
  const { adapter } = house.spender
  // Gas for what is to be paid.
  await house.spend()
  let asked = 0
  const dissent: typeof adapter.dissent = (...given) => {
    asked += 1
    return adapter.dissent(...given)
  }
  house.spender.adapter = { ...adapter, dissent }
  await house.spend()
  expect(asked).toBe(0)
  const ids = [await created(house, 'the first'), await created(house, 'the second')]
  await house.spend()
  expect(asked).toBe(1)
  for (const id of ids) expect(await house.read(id)).toMatchObject({ status: 'Processing' })
})

/** A service that can pay, and knows a second node of its chain. */
async function openTwo() {
  const node = await simulatedNode()
  const second = await proxied(node.url)
  const opened = await openEvmHouse({ node, others: [second.url] })
  // What it was paid is credited.
  await opened.house.mine()
  return { ...opened, second }
}

/** From now on the node has a few blocks of a branch of its own, and none that come later. */
function standStill(chain: EvmChain, second: FaultProxy): FaultProxy {
  const forked = chain.head().height
  second.rules.add({
    action: {
      do: 'stale',
      get blocks() {
        return Math.max(0, chain.head().height - forked - LENGTH)
      },
    },
  })
  second.rules.add({
    match: { method: 'eth_getBlockByNumber' },
    action: {
      do: 'mutate',
      change: (block: { number: string; hash: string } | null) =>
        block === null || Number(block.number) <= forked
          ? block
          : { ...block, hash: `0x${block.number.slice(2).padStart(64, 'b')}` },
    },
  })
  return second
}

/** Blocks one by one, each of which the world sees before the next. */
async function mineEach(world: World, chain: EvmChain, blocks: number): Promise<void> {
  for (let mined = 0; mined < blocks; mined += 1) {
    chain.mine(1)
    await world.settle()
  }
}

async function statuses(world: World): Promise<string[]> {
  return (await world.deposits()).map(({ status }) => status)
}

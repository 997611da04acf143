import type { EvmChain, FaultProxy } from '@sluice/simulator'
import { expect, test } from 'vitest'
import { closeByOperator } from '../../src/audit-log/close-alert.ts'
import { listAlerts } from '../../src/alerts/list-alerts.ts'
import type { World } from '../support/world.ts'
import { created, openEvmHarness } from '../support/evm-harness.ts'
import { simulatedNode } from '../support/opened-world.ts'
import { REQUIRED, SEPOLIA } from '../support/world-life.ts'
import { openFaulty, proxied } from './fault-world.ts'

/** The length of the other node's own branch, which does not grow further. */
const LENGTH = 3
const ONE_ETHER = 10n ** 18n

test('a small deposit of another user does not end the dispute about a deposit [N05]', async () => {
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
  // The second node returns to the branch of the first one.
  second.rules.clear()
  await world.settle()
  await payer.expectAllCredited()
  expect(await world.alerts()).toEqual([])
})

test('a deposit in a disputed block is not credited with a later one [N05]', async () => {
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

test('a withdrawal above the end of the other branch is not completed [N05]', async () => {
  const { node, chain, harness } = await openEvmHarness()
  const second = standStill(chain, await proxied(node.url))
  chain.mine(LENGTH + 1)
  await harness.world.settle()
  const id = await created(harness, 'shorter branch')
  await harness.spend()
  await harness.world.restart({ chains: [{ id: SEPOLIA, nodes: [node.url, second.url] }] })
  await harness.mine(1 + REQUIRED)
  expect(await harness.read(id)).toMatchObject({ status: 'Processing' })
  expect(await harness.world.alerts()).toMatchObject([{ code: 'chain.disputed', subject: SEPOLIA }])
  second.rules.clear()
  await harness.world.settle()
  expect(await harness.read(id)).toMatchObject({ status: 'Completed' })
  expect(await harness.world.alerts()).toEqual([])
})

test('a deposit below the fork ends no dispute about a withdrawal above it [N05]', async () => {
  const { node, chain, harness } = await openEvmHarness()
  const { address } = await harness.world.issue('ann')
  chain.pay({ to: address, amount: ONE_ETHER })
  chain.mine(1)
  await harness.world.settle()
  const second = standStill(chain, await proxied(node.url))
  const id = await created(harness, 'shorter branch')
  await harness.spend()
  chain.mine(1)
  await harness.world.settle()
  await harness.world.restart({ chains: [{ id: SEPOLIA, nodes: [node.url, second.url] }] })
  // The deposit and the withdrawal are due in the same step.
  await harness.mine(REQUIRED)
  expect(await statuses(harness.world)).toEqual(['Confirmed'])
  expect(await harness.read(id)).toMatchObject({ status: 'Processing' })
  const told = await harness.world.database.transaction((tx) => listAlerts(tx))
  expect(told).toMatchObject([{ code: 'chain.disputed', resolvedAt: null }])
})

test('a node that disputed a block still counts while it does not answer [N05]', async () => {
  const { world, chain, payer, proxy, node } = await openFaulty()
  const second = standStill(chain, await proxied(node.url))
  const chains = [{ id: SEPOLIA, nodes: [proxy.url, second.url] }]
  await world.restart({ chains })
  payer.payCoins(await payer.address('ann'), ONE_ETHER)
  await mineEach(world, chain, LENGTH + REQUIRED)
  const away = second.rules.add({ action: { do: 'dropBefore' } })
  await mineEach(world, chain, 2)
  expect(await statuses(world)).toEqual(['Detected'])
  // The dispute survives a restart.
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

test('a node that is no longer configured disputes nothing [N05]', async () => {
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

test('closing the alert ends the dispute of a node that does not answer [N05]', async () => {
  const { world, chain, payer, proxy, node } = await openFaulty()
  const second = standStill(chain, await proxied(node.url))
  await world.restart({ chains: [{ id: SEPOLIA, nodes: [proxy.url, second.url] }] })
  payer.payCoins(await payer.address('ann'), ONE_ETHER)
  await mineEach(world, chain, LENGTH + REQUIRED)
  const openKey = () => world.keys.serviceKey
  const closing = {
    code: 'chain.disputed',
    subject: SEPOLIA,
    actor: 'operator',
    reason: 'a test',
    openKey,
  }
  const close = () => world.database.transaction((tx) => closeByOperator(tx, closing))
  await close()
  await mineEach(world, chain, 1)
  // It answers again, and repeats its dispute.
  expect(await world.alerts()).toMatchObject([{ code: 'chain.disputed', subject: SEPOLIA }])
  second.rules.add({ action: { do: 'dropBefore' } })
  await close()
  await world.settle()
  await payer.expectAllCredited()
  expect(await world.alerts()).toEqual([])
})

test('each of several nodes that dispute a block must agree with it again [N05]', async () => {
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
  // The second node agrees again, and may stop answering from now on.
  second.rules.add({ action: { do: 'dropBefore' } })
  away.remove()
  third.rules.clear()
  await world.settle()
  await payer.expectAllCredited()
  expect(await world.alerts()).toEqual([])
})

test('a withdrawal found while others settle is checked with the second node [N05]', async () => {
  const { node, chain, harness } = await openEvmHarness()
  chain.pay({ to: harness.settlement, amount: ONE_ETHER })
  await harness.mine(1 + REQUIRED)
  const first = await created(harness, 'shorter branch')
  await harness.spend()
  chain.mine(1)
  await harness.world.settle()
  const later = await created(harness, 'a later one')
  await harness.spend()
  expect(await harness.read(later)).toMatchObject({ status: 'Processing' })
  const second = standStill(chain, await proxied(node.url))
  await harness.world.restart({ chains: [{ id: SEPOLIA, nodes: [node.url, second.url] }] })
  // Both are deep enough in this run, and the second node has only the block of the first one.
  chain.mine(1 + REQUIRED)
  await harness.world.settle()
  expect(await harness.read(first)).toMatchObject({ status: 'Completed' })
  expect(await harness.read(later)).toMatchObject({ status: 'Processing' })
  expect(await harness.world.alerts()).toMatchObject([{ code: 'chain.disputed', subject: SEPOLIA }])
  second.rules.clear()
  await harness.world.settle()
  expect(await harness.read(later)).toMatchObject({ status: 'Completed' })
  expect(await harness.world.alerts()).toEqual([])
})

test('a withdrawal waits while nodes disagree, even if no block is due [N05]', async () => {
  const { chain, harness, second } = await openTwo()
  standStill(chain, second)
  await harness.mine(LENGTH + 1 + REQUIRED)
  // No deposit or withdrawal was due, so no node was queried.
  expect(await harness.world.alerts()).toEqual([])
  const id = await created(harness, 'shorter branch')
  await harness.spend()
  expect(await harness.read(id)).toMatchObject({ status: 'Pending', txnHash: null })
  expect(await harness.world.alerts()).toMatchObject([{ code: 'chain.disputed', subject: SEPOLIA }])
  // It is not signed while the disputing node does not answer.
  const away = second.rules.add({ action: { do: 'dropBefore' } })
  await harness.mine()
  await harness.spend()
  expect(await harness.read(id)).toMatchObject({ status: 'Pending' })
  away.remove()
  second.rules.clear()
  await harness.mine()
  expect(await harness.world.alerts()).toEqual([])
  expect(await harness.conclude(id)).toMatchObject({ status: 'Completed' })
})

test('a node that does not answer, lags or has another tip delays no payment [N05]', async () => {
  const { chain, harness, second } = await openTwo()
  const away = second.rules.add({ action: { do: 'dropBefore' } })
  const first = await created(harness, 'during its outage')
  await harness.spend()
  expect(await harness.read(first)).toMatchObject({ status: 'Processing' })
  away.remove()
  const behind = second.rules.add({ action: { do: 'stale', blocks: 30 } })
  const next = await created(harness, 'while it is behind')
  await harness.spend()
  expect(await harness.read(next)).toMatchObject({ status: 'Processing' })
  behind.remove()
  standStill(chain, second)
  chain.mine(1)
  await harness.world.settle()
  const last = await created(harness, 'a fork as any day has it')
  await harness.spend()
  expect(await harness.read(last)).toMatchObject({ status: 'Processing' })
  expect(await harness.world.alerts()).toEqual([])
})

test('nodes are queried for their branch at most once in a signing round [N05]', async () => {
  const { harness } = await openTwo()
  const { adapter } = harness.spender
  // Gas for the payments.
  await harness.spend()
  let asked = 0
  const dissent: typeof adapter.dissent = (...args) => {
    asked += 1
    return adapter.dissent(...args)
  }
  harness.spender.adapter = { ...adapter, dissent }
  await harness.spend()
  expect(asked).toBe(0)
  const ids = [await created(harness, 'the first'), await created(harness, 'the second')]
  await harness.spend()
  expect(asked).toBe(1)
  for (const id of ids) expect(await harness.read(id)).toMatchObject({ status: 'Processing' })
})

/** A service with money and a second node of its chain. */
async function openTwo() {
  const node = await simulatedNode()
  const second = await proxied(node.url)
  const opened = await openEvmHarness({ node, others: [second.url] })
  // Its deposits are credited.
  await opened.harness.mine()
  return { ...opened, second }
}

/** From now on the node has a few blocks of another branch, and no later ones. */
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

/** Mines blocks one by one, each scanned before the next. */
async function mineEach(world: World, chain: EvmChain, blocks: number): Promise<void> {
  for (let mined = 0; mined < blocks; mined += 1) {
    chain.mine(1)
    await world.settle()
  }
}

async function statuses(world: World): Promise<string[]> {
  return (await world.deposits()).map(({ status }) => status)
}

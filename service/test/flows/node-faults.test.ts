import {
  type EvmNode,
  type FaultProxy,
  type MinedReceiptJson,
  startEvmNode,
  startFaultProxy,
} from '@sluice/simulator'
import { describe, expect, onTestFinished, test } from 'vitest'
import { watchChain } from '../../src/app/chain-watch.ts'
import { parseToken } from '../adapters/brands.ts'
import { METADATA } from '../support/anvil-chain.ts'
import { silentLog } from '../support/clock.ts'
import { ETHER, openedWorld, simulatedNode, TBNB } from '../support/opened-world.ts'
import type { World } from '../support/world.ts'
import { BSC_TESTNET, REQUIRED, SEPOLIA, type WorldChain } from '../support/world-life.ts'

const RECEIPTS = 'eth_getBlockReceipts'
const STALL_MS = 3_000
const LATE_MS = 60_000

describe('a node with incomplete answers', () => {
  test('a node that sometimes returns empty lists loses no deposit [N02]', async () => {
    const { world, node, proxies } = await open(1, { runMax: 10 })
    const rule = proxies[0]?.rules.add({
      match: { method: /^(eth_getBlockReceipts|trace_block)$/, rate: 0.2 },
      action: { do: 'emptyResult' },
    })
    const { address, token } = await withToken(world, node)
    const paid = await traffic({ node, world, address, token, blocks: 200 })
    expect(rule?.hits).toBeGreaterThan(5)
    await expectAll(world, paid)
  })

  test('truncated logs of a block are not accepted [N03]', async () => {
    const { world, node, proxies } = await open(1)
    const { address, token } = await withToken(world, node)
    const { tip } = await world.state()
    proxies[0]?.rules.add({
      match: { method: RECEIPTS },
      action: {
        do: 'mutate',
        change: (receipts: MinedReceiptJson[]) =>
          receipts.map((one) => ({ ...one, logs: one.logs.slice(0, -1) })),
      },
    })
    node.chain.batch([
      { to: address, amount: 5n, token },
      { to: address, amount: 6n, token },
    ])
    node.chain.mine()
    expect((await world.outage()).message).toContain('receipts root')
    expect((await world.state()).tip).toEqual(tip)
    proxies[0]?.rules.clear()
    await world.settle()
    expect((await world.deposits()).map(({ amount }) => amount)).toEqual([5n, 6n])
  })

  test('a block without all its receipts is not skipped [N04]', async () => {
    const { world, node, proxies } = await open(1)
    const { address } = await world.issue('ann')
    const { tip } = await world.state()
    const block = () => node.chain.blockAt(tip.height + 2)
    const namesOf = () => [
      block()?.hash,
      ...(block()?.transactions ?? []).map(({ json }) => json.hash),
    ]
    proxies[0]?.rules.add({
      // All receipts of the block, or the receipt of one of its transactions.
      match: {
        method: /^eth_get(Block|Transaction)Receipts?$/,
        params: ([name]) => namesOf().some((one) => one === name),
      },
      action: { do: 'mutate', change: () => null },
    })
    node.chain.mine()
    node.chain.pay({ to: address, amount: 5n })
    node.chain.mine(REQUIRED + 2)
    await world.outage()
    expect((await world.state()).tip.height).toBe(tip.height + 1)
    expect(await world.deposits()).toEqual([])
    proxies[0]?.rules.clear()
    await world.settle()
    expect(await world.deposits()).toMatchObject([{ amount: 5n, status: 'Confirmed' }])
  })

  test('a node that lacks the block of its head is queried again [N04]', async () => {
    const { world, node, proxies } = await open(1)
    const { address } = await world.issue('ann')
    const { tip } = await world.state()
    proxies[0]?.rules.add({
      match: { method: 'eth_getBlockByNumber', params: ([, full]) => full === true, times: 5 },
      action: { do: 'mutate', change: () => null },
    })
    node.chain.pay({ to: address, amount: 5n })
    node.chain.mine()
    await world.settle()
    expect((await world.state()).tip.height).toBe(tip.height)
    proxies[0]?.rules.clear()
    await world.settle()
    expect(await world.deposits()).toHaveLength(1)
  })

  test('receipts that lag behind the head lose no deposit [N01]', async () => {
    const { world, node, proxies } = await open(2, { runMax: 5 })
    proxies[0]?.rules.add({ match: { method: RECEIPTS }, action: { do: 'stale', blocks: 20 } })
    const { address, token } = await withToken(world, node)
    const paid = await traffic({ node, world, address, token, blocks: 60 })
    await expectAll(world, paid)
  })
})

describe('a node that does not answer', () => {
  test('a node that times out is replaced by the second node [N08]', async () => {
    const { world, node, proxies } = await open(2, { timeoutMs: STALL_MS })
    const { address } = await world.issue('ann')
    proxies[0]?.rules.add({ action: { do: 'delay', ms: LATE_MS } })
    node.chain.pay({ to: address, amount: 5n })
    node.chain.mine(REQUIRED + 1)
    await world.settle()
    expect(await world.deposits()).toMatchObject([{ amount: 5n, status: 'Confirmed' }])
    expect(proxies[1]?.requests).toBeGreaterThan(0)
  })

  test('a node that fails within a block is replaced by one that has all of it [N08]', async () => {
    const { world, node, proxies } = await open(2)
    const { address, token } = await withToken(world, node)
    proxies[0]?.rules.add({ match: { method: RECEIPTS }, action: { do: 'dropAfter' } })
    node.chain.payToken({ to: address, amount: 5n, token })
    node.chain.mine(REQUIRED + 1)
    await world.settle()
    expect(await world.deposits()).toMatchObject([{ amount: 5n, status: 'Confirmed' }])
  })

  test('an outage of all nodes delays deposits and loses none [N14]', async () => {
    const { world, node, proxies } = await open(2)
    const { address } = await world.issue('ann')
    const { tip } = await world.state()
    for (const { rules } of proxies) rules.add({ action: { do: 'http', status: 503 } })
    node.chain.pay({ to: address, amount: 5n })
    node.chain.mine(100)
    await world.outage()
    expect((await world.state()).tip).toEqual(tip)
    for (const { rules } of proxies) rules.clear()
    await world.settle()
    expect((await world.state()).tip.height).toBe(tip.height + 100)
    expect(await world.balance(ETHER)).toBe(5n)
  })
})

describe('a node of another chain', () => {
  test('a node of another chain halts its own chain only [N06]', async () => {
    const node = await simulatedNode()
    const bsc = await startEvmNode({ chainId: 97, seed: 'bsc' })
    onTestFinished(() => bsc.stop())
    const world = await openedWorld([
      { id: SEPOLIA, nodes: [node.url] },
      { id: BSC_TESTNET, nodes: [bsc.url] },
    ])
    const { address } = await world.issue('ann', SEPOLIA)
    node.setChainId(999)
    for (const chain of [node.chain, bsc.chain]) {
      chain.pay({ to: address, amount: 5n })
      chain.mine(REQUIRED + 1)
    }
    for (const chainId of [SEPOLIA, BSC_TESTNET]) await look(world, chainId)
    await world.settle()
    expect((await world.state(SEPOLIA)).condition).toBe('halted')
    expect((await world.state(BSC_TESTNET)).condition).toBe('running')
    expect(await world.balance(ETHER)).toBe(0n)
    expect(await world.balance(TBNB)).toBe(5n)
    const alerts = await world.alerts()
    // The chain's own time is far behind the world's clock, so the chain counts as stalled too.
    const codes = alerts.filter(({ subject }) => subject === SEPOLIA).map(({ code }) => code)
    expect(codes.sort()).toEqual(['chain.halted', 'chain.stalled', 'chain.wrong_network'])
    expect(await world.events('chain.frozen')).toMatchObject([
      { payload: { chainId: SEPOLIA, state: 'halted' } },
    ])
    node.setChainId(null)
    await world.resume(SEPOLIA)
    await look(world, SEPOLIA)
    await world.settle()
    expect(await world.balance(ETHER)).toBe(5n)
  })

  test('a node of another chain next to a correct one is excluded and reported [N06]', async () => {
    const node = await simulatedNode()
    const stranger = await startEvmNode({ chainId: 999, seed: 'stranger' })
    onTestFinished(() => stranger.stop())
    const nodes = [stranger.url, node.url]
    const world = await openedWorld([{ id: SEPOLIA, nodes }])
    const { address } = await world.issue('ann')
    node.chain.pay({ to: address, amount: 5n })
    node.chain.mine(REQUIRED + 1)
    await look(world, SEPOLIA)
    await world.settle()
    expect(await world.balance(ETHER)).toBe(5n)
    const alerts = await world.alerts()
    expect(alerts.find(({ code }) => code === 'chain.wrong_network')?.message).toContain(
      stranger.url,
    )
  })
})

interface Behind {
  world: World
  node: EvmNode
  proxies: FaultProxy[]
}

/** A world with several proxies for one simulated node. */
async function open(count: number, chain: Partial<WorldChain> = {}): Promise<Behind> {
  const node = await simulatedNode()
  const proxies = await Promise.all(
    Array.from({ length: count }, (_, at) => startFaultProxy({ target: node.url, seed: at })),
  )
  onTestFinished(async () => {
    await Promise.all(proxies.map((proxy) => proxy.stop()))
  })
  const nodes = proxies.map(({ url }) => url)
  const world = await openedWorld([{ id: SEPOLIA, nodes, ...chain }])
  return { world, node, proxies }
}

/** An address, and a listed token on the chain. */
async function withToken(world: World, { chain }: EvmNode) {
  const token = chain.deployToken(METADATA)
  const id = parseToken(`${SEPOLIA}/erc20:${token}`)
  await world.restart({ tokens: [{ id, ...METADATA }] })
  const { address } = await world.issue('ann')
  return { address, token }
}

/** Pays in each third block, in turn directly, internally and in a token; returns the payments. */
async function traffic(plan: {
  node: EvmNode
  world: World
  address: string
  token: string
  blocks: number
}): Promise<bigint[]> {
  const { node, world, address: to, token, blocks } = plan
  const paid: bigint[] = []
  for (let block = 0; block < blocks; block += 1) {
    if (block % 3 === 0) {
      const amount = BigInt(1_000 + block)
      paid.push(amount)
      if (block % 9 === 0) node.chain.pay({ to, amount })
      else if (block % 9 === 3) node.chain.payInternal({ to, amount })
      else node.chain.payToken({ to, amount, token })
    }
    node.chain.mine()
    if (block % 20 === 19) await world.settle()
  }
  return paid
}

async function expectAll(world: World, paid: readonly bigint[]): Promise<void> {
  await world.settle()
  expect((await world.deposits()).map(({ amount }) => amount)).toEqual(paid)
  expect((await world.audit()).findings).toEqual([])
}

/** Runs the check that the program runs every minute for each chain. */
async function look(world: World, chainId: WorldChain['id']): Promise<void> {
  const { database, clock } = world
  const log = silentLog()
  await watchChain({ database, clock, log }, world.adapter(chainId), world.entry(chainId))
}

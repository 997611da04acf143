import { type FaultAction, startEvmNode } from '@sluice/simulator'
import { describe, expect, onTestFinished, test } from 'vitest'
import { listAlerts } from '../../src/alerts/list-alerts.ts'
import { judgeDue } from '../../src/scanner/judge-due.ts'
import { BSC_TESTNET, REQUIRED, SEPOLIA } from '../support/world-life.ts'
import { confirm, type Faulty, openFaulty, proxied } from './fault-world.ts'
import { type Running, runProgram } from './running-world.ts'

const MINUTE_MS = 60_000
const WHILE_MS = 30_000
const SECOND_MS = 1_000
const DEPOSITS = 60

/** A world with a chain whose node fails on request, and a second chain that works. */
interface TwoChains extends Faulty {
  well: Faulty['proxy']
  running: Running
  payBoth: () => Promise<void>
}

describe('a busy node', () => {
  test.each<[string, FaultAction]>([
    ['429 without Retry-After', { do: 'http', status: 429 }],
    ['503', { do: 'http', status: 503 }],
    ['a reset connection', { do: 'reset' }],
    ['malformed JSON', { do: 'malformed' }],
  ])(
    'a node that answers %s is queried less, and other chains continue [N07]',
    async (_what, action) => {
      const { proxy, well, running, payBoth, world } = await openTwoChains()
      const [ours, theirs] = await requestsIn(running, [proxy, well], WHILE_MS)
      const rule = proxy.rules.add({ action })
      await payBoth()
      await running.pass(MINUTE_MS)
      const [busy, alive] = await requestsIn(running, [proxy, well], WHILE_MS)
      expect(busy).toBeLessThan((ours ?? 0) / 4)
      expect(busy).toBeGreaterThan(0)
      expect(alive).toBeGreaterThan((theirs ?? 0) * 0.9)
      expect(await creditedOn(world)).toEqual([BSC_TESTNET])
      rule.remove()
      await running.pass(MINUTE_MS)
      expect(await creditedOn(world)).toEqual([SEPOLIA, BSC_TESTNET])
    },
  )

  test('a node is not queried before the time in its Retry-After [N07]', async () => {
    const { proxy, well, running } = await openTwoChains()
    const headers = { 'retry-after': '45' }
    proxy.rules.add({ action: { do: 'http', status: 429, headers } })
    await running.pass(2 * SECOND_MS)
    const [ours, theirs] = await requestsIn(running, [proxy, well], 40 * SECOND_MS)
    expect(ours).toBe(0)
    expect(theirs).toBeGreaterThan(40)
    const [again] = await requestsIn(running, [proxy], 10 * SECOND_MS)
    expect(again).toBeGreaterThan(0)
  })
})

describe('a node that answers for few deposits at once', () => {
  test('the next commit queries other deposits than the current one [N07]', async () => {
    const { chain, payer, world } = await openFaulty()
    const to = await payer.address()
    for (let paid = 1n; paid <= 5n; paid += 1n) payer.payCoins(to, paid)
    chain.mine(1)
    await world.settle()
    chain.mine(REQUIRED + 1)
    const holder = await world.holder()
    const { height, hash } = chain.head()
    const due = { tip: { height, hash }, final: null, limit: 2 }
    const first = await judgeDue(holder, due)
    const second = await judgeDue(holder, { ...due, besides: first })
    const ids = [...first, ...second].map(({ transfer }) => transfer.id)
    expect([first.length, second.length, new Set(ids).size]).toEqual([2, 2, 4])
  })
})

describe('an outage of all nodes', () => {
  test('an outage of half an hour loses no deposit [N14]', async () => {
    const { chain, payer, proxy, world } = await openFaulty()
    const running = await runProgram(world, [SEPOLIA])
    const rule = proxy.rules.add({ action: { do: 'dropBefore' } })
    for (let minute = 0; minute < 30; minute += 1) {
      await payer.payAnything()
      chain.mine(5)
      await running.pass(MINUTE_MS)
    }
    expect(await creditedOn(world)).toEqual([])
    const codes = (await world.alerts()).map(({ code, subject }) => `${code} ${subject}`)
    expect(codes).toContain(`chain.unreachable ${SEPOLIA}`)
    rule.remove()
    await running.pass(MINUTE_MS)
    expect((await world.state()).tip.height).toBe(chain.head().height)
    await payer.expectAllCredited()
    await running.pass(MINUTE_MS)
    const after = (await world.alerts()).map(({ code, subject }) => `${code} ${subject}`)
    expect(after).not.toContain(`chain.unreachable ${SEPOLIA}`)
  })
})

describe('a node with occasional errors', () => {
  test('many deposits are credited in parts when their states are queried [N07]', async () => {
    const { payer, proxy, chain, running, world } = await openTwoChains()
    for (let at = 0; at < DEPOSITS; at += 1) payer.payDollars(await payer.address(`user ${at}`), 7n)
    chain.mine(1 + REQUIRED)
    const rule = proxy.rules.add({
      match: { every: 25 },
      action: { do: 'http', status: 503 },
    })
    await running.pass(2 * MINUTE_MS)
    expect(rule.hits).toBeGreaterThan(10)
    const waiting = (await world.deposits()).filter(({ status }) => status !== 'Confirmed')
    expect(waiting).toEqual([])
    rule.remove()
    await running.pass(20 * SECOND_MS)
    await payer.expectAllCredited()
  })
})

describe('alerts of a chain', () => {
  const told = async (world: Faulty['world'], open?: boolean) => {
    const filter = open === undefined ? {} : { open }
    const alerts = await world.database.transaction((tx) => listAlerts(tx, filter))
    return alerts.map(({ code }) => code).filter((code) => code === 'chain.unreachable')
  }

  test('a node that was busy for a moment is no outage [N07]', async () => {
    const { proxy, running, world } = await openTwoChains()
    await running.pass(MINUTE_MS - SECOND_MS)
    const rule = proxy.rules.add({ action: { do: 'http', status: 429 } })
    await running.pass(2 * SECOND_MS)
    expect(rule.hits).toBeGreaterThan(0)
    rule.remove()
    await running.pass(10 * SECOND_MS)
    expect(await told(world)).toEqual([])
  })

  test('the alert of an outage is resolved soon after the outage ends [N14]', async () => {
    const { proxy, running, world } = await openTwoChains()
    const rule = proxy.rules.add({ action: { do: 'dropBefore' } })
    await running.pass(MINUTE_MS + 10 * SECOND_MS)
    expect(await told(world, true)).toEqual(['chain.unreachable'])
    rule.remove()
    await running.pass(25 * SECOND_MS)
    expect(await told(world, true)).toEqual([])
  })
})

describe('a node of another chain', () => {
  test('a node of another chain is found within a minute, and its chain halts [N06]', async () => {
    const { node, payBoth, running, world } = await openTwoChains()
    node.setChainId(999)
    await running.pass(MINUTE_MS + SECOND_MS)
    expect(await world.state()).toMatchObject({ condition: 'halted' })
    await payBoth()
    await running.pass(10 * SECOND_MS)
    expect(await creditedOn(world)).toEqual([BSC_TESTNET])
    const alert = (await world.alerts()).find(({ code }) => code === 'chain.wrong_network')
    expect(alert).toMatchObject({ subject: SEPOLIA, message: expect.stringContaining('999') })
  })
})

describe('a slow node', () => {
  test('a slow node delays no other chain [N08]', async () => {
    const faulty = await openFaulty({ timeoutMs: 10_000 })
    const { payer, proxy, world } = faulty
    const other = await addWell(faulty)
    let answer: () => void = () => undefined
    const held = new Promise<void>((resolve) => (answer = resolve))
    const change = async (result: unknown) => {
      await held
      return result
    }
    proxy.rules.add({ action: { do: 'mutate', change } })
    let isOver = false
    const slow = world.step(SEPOLIA).finally(() => (isOver = true))
    other.chain.pay({ to: await payer.address('ann'), amount: 7n })
    other.chain.mine(1 + REQUIRED)
    await world.settle(BSC_TESTNET)
    expect(await creditedOn(world)).toEqual([BSC_TESTNET])
    expect(isOver).toBe(false)
    answer()
    await slow
  })

  test('a slow node is waited for up to its timeout [N08]', async () => {
    const faulty = await openFaulty({ timeoutMs: 3_000 })
    const { payer, proxy, world } = faulty
    proxy.rules.add({ action: { do: 'delay', ms: MINUTE_MS } })
    await expect(world.step()).rejects.toThrow('no answer within 3000 ms')
    proxy.rules.clear()
    await payer.payAnything()
    await confirm(faulty)
    await payer.expectAllCredited()
  })
})

async function openTwoChains(): Promise<TwoChains> {
  const faulty = await openFaulty()
  const { payer, world, chain } = faulty
  const other = await addWell(faulty)
  const running = await runProgram(world, [SEPOLIA, BSC_TESTNET])
  const payBoth = async () => {
    const to = await payer.address('ann')
    payer.payCoins(to, 7n)
    other.chain.pay({ to, amount: 7n })
    for (const one of [chain, other.chain]) one.mine(1 + REQUIRED)
  }
  return { ...faulty, well: other.proxy, running, payBoth }
}

/** Adds the second test network. */
async function addWell({ world, proxy }: Faulty) {
  const node = await startEvmNode({ chainId: 97, seed: 'well' })
  onTestFinished(() => node.stop())
  node.chain.mine(5)
  const well = await proxied(node.url)
  await world.restart({
    chains: [
      { id: SEPOLIA, nodes: [proxy.url] },
      { id: BSC_TESTNET, nodes: [well.url] },
    ],
  })
  await world.settle()
  return { chain: node.chain, proxy: well }
}

/** The number of requests to each node in this time. */
async function requestsIn(
  running: Running,
  proxies: readonly Faulty['proxy'][],
  ms: number,
): Promise<number[]> {
  const before = proxies.map(({ requests }) => requests)
  await running.pass(ms)
  return proxies.map(({ requests }, at) => requests - (before[at] ?? 0))
}

/** The chains with a credited deposit. */
async function creditedOn(world: Faulty['world']): Promise<string[]> {
  const deposits = await world.deposits()
  const credited = deposits.filter(({ status }) => status === 'Confirmed')
  return [...new Set(credited.map(({ chainId }) => chainId))].sort()
}

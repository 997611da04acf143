import { quantity } from '@sluice/simulator'
import { describe, expect, test } from 'vitest'
import { iso } from '../../src/base/clock.ts'
import { Outage } from '../../src/base/fault.ts'
import { openWorld } from '../support/world.ts'
import { SEPOLIA } from '../support/world-life.ts'
import { simulatedNode } from '../support/opened-world.ts'
import {
  confirm,
  type Faulty,
  followWhilePossible,
  openFaulty,
  proxied,
  rescanStates,
} from './fault-world.ts'

const HEADERS = 'eth_getBlockByNumber'
const HOUR_SECONDS = 3_600

describe('two nodes on two branches', () => {
  test('no deposit is credited while nodes disagree about its block [N05]', async () => {
    const faulty = await openFaulty()
    const { chain, payer, world } = faulty
    const minority = await branchOff(faulty)
    await payer.payAnything()
    payer.payCoins(await payer.address(), 7n)
    await confirm(faulty)
    const deposits = await world.deposits()
    expect(new Set(deposits.map(({ status }) => status))).toEqual(new Set(['Detected']))
    expect(await world.balance(payer.coin)).toBe(0n)
    expect(await world.alerts()).toMatchObject([{ code: 'chain.disputed', subject: SEPOLIA }])
    // The second node returns to the branch of the first one.
    minority.rules.clear()
    chain.mine(1)
    await world.settle()
    await payer.expectAllCredited()
    expect(await world.alerts()).toEqual([])
  })

  test('an abandoned branch leaves no records [N05]', async () => {
    const faulty = await openFaulty()
    const { payer, proxy, world } = faulty
    const majority = await branchOff(faulty)
    payer.payCoins(await payer.address(), 7n)
    await confirm(faulty)
    expect(await world.deposits()).toMatchObject([{ status: 'Detected' }])
    // The first node was on the minority branch and does not answer now.
    proxy.rules.add({ action: { do: 'dropBefore' } })
    await world.settle()
    expect(majority.requests).toBeGreaterThan(0)
    expect(await world.deposits()).toMatchObject([{ status: 'Orphaned' }])
    expect(await world.balances()).toEqual({})
    expect((await world.state()).condition).toBe('running')
    expect(await world.events('deposit.confirmed', 'chain.frozen')).toEqual([])
  })

  test('a second node that lags or does not answer delays nothing [N05]', async () => {
    const faulty = await openFaulty()
    const { payer, world } = faulty
    const second = await proxied(faulty.node.url)
    await world.restart({ chains: [{ id: SEPOLIA, nodes: [faulty.proxy.url, second.url] }] })
    second.rules.add({ match: { method: HEADERS }, action: { do: 'stale', blocks: 30 } })
    await payer.payAnything()
    await confirm(faulty)
    await payer.expectAllCredited()
    second.rules.add({ action: { do: 'dropBefore' } })
    await payer.payAnything()
    await confirm(faulty)
    await payer.expectAllCredited()
  })
})

describe('final blocks that change', () => {
  test('a different block at a final height halts the chain without a repair [R10]', async () => {
    const faulty = await openFaulty()
    const { chain, payer, world } = faulty
    chain.setFinalizedDistance(2)
    payer.payCoins(await payer.address(), 7n)
    await confirm(faulty)
    await payer.expectAllCredited()
    const { tip, final } = await world.state()
    expect(final?.height).toBe(tip.height - 2)
    chain.reorg({ depth: 4, keep: 'none', extra: 1 })
    await world.settle()
    // Blocks above the final one are undone.
    expect(await world.state()).toMatchObject({ condition: 'halted', tip: final, final })
    expect(await world.alerts()).toMatchObject([{ code: 'chain.halted', subject: SEPOLIA }])
    expect(await world.events('chain.frozen')).toMatchObject([
      { payload: { chainId: SEPOLIA, state: 'halted' } },
    ])
    // No block is undone or read until an operator resumes the chain.
    payer.payCoins(await payer.address(), 8n)
    await confirm(faulty)
    expect(await world.events('deposit.reverted')).toEqual([])
    expect(await world.deposits()).toMatchObject([{ amount: 7n, status: 'Confirmed' }])
    expect((await world.state()).tip).toEqual(final)
  })

  test('a changed final block below an unchanged tip halts the chain [R10]', async () => {
    const faulty = await openFaulty()
    const { chain, proxy, world } = faulty
    chain.setFinalizedDistance(2)
    chain.mine(5)
    await world.settle()
    const other = `0x${'0b'.repeat(32)}`
    proxy.rules.add({
      match: { method: HEADERS, params: ([tag]) => tag === 'finalized' },
      action: { do: 'mutate', change: (block: object) => ({ ...block, hash: other }) },
    })
    await world.settle()
    expect((await world.state()).condition).toBe('halted')
    expect(await world.alerts()).toMatchObject([{ code: 'chain.halted' }])
  })
})

describe('blocks in a different order', () => {
  test('a head that jumps and repeated blocks change nothing [N10]', async () => {
    const faulty = await openFaulty()
    const { chain, payer, proxy, world } = faulty
    for (const blocks of [1, 2, 5]) {
      proxy.rules.add({
        match: { method: HEADERS, params: ([tag]) => tag === 'latest', rate: 0.25 },
        action: { do: 'stale', blocks },
      })
    }
    const first = (await world.state()).tip.height
    for (let blocks = 0; blocks < 60; blocks += 1) {
      if (payer.random.chance(1 / 2)) await payer.payAnything()
      chain.mine(1)
      await world.step().catch((error: unknown) => expect(error).toBeInstanceOf(Outage))
    }
    proxy.rules.clear()
    await confirm(faulty)
    await world.rescan(first, chain.head().height)
    await world.rescan(first, chain.head().height)
    await world.settle()
    expect(await rescanStates(world)).toEqual(['done', 'done'])
    await payer.expectAllCredited()
  })
})

describe('block timestamps', () => {
  test.each([
    ['an hour ahead', () => HOUR_SECONDS],
    ['a century ahead', () => 876_000 * HOUR_SECONDS],
    ['back and forth', (height: number) => (height % 2 === 0 ? 1 : -1) * HOUR_SECONDS],
  ])('block times %s change no event and stop no cursor [N12]', async (_which, aheadOf) => {
    const faulty = await openFaulty()
    const { payer, proxy, world, chain } = faulty
    const now = world.clock.now()
    proxy.rules.add({
      match: { method: /^eth_getBlockBy/ },
      action: {
        do: 'mutate',
        change: (block: { number: string } | null) =>
          block && { ...block, timestamp: quantity(now / 1_000 + aheadOf(Number(block.number))) },
      },
    })
    await payer.payAnything()
    payer.payCoins(await payer.address(), 7n)
    await confirm(faulty)
    await payer.expectAllCredited()
    expect(chain.head()).toMatchObject((await world.state()).tip)
    for (const { createdAt, confirmedAt } of await world.deposits()) {
      expect([createdAt, confirmedAt]).toEqual([now, now])
    }
    const told = await world.events('deposit.detected', 'deposit.confirmed', 'balance.updated')
    for (const event of told) expect(event).toMatchObject({ timestamp: iso(now) })
  })

  test('an invalid timestamp is rejected [N12]', async () => {
    const faulty = await openFaulty()
    const { payer, proxy, world } = faulty
    proxy.rules.add({
      match: { method: HEADERS, params: ([, full]) => full === true },
      action: {
        do: 'mutate',
        change: (block: object) => ({ ...block, timestamp: quantity(Number.MAX_SAFE_INTEGER) }),
      },
    })
    await payer.payAnything()
    faulty.chain.mine(1)
    expect((await followWhilePossible(world))?.message).toContain('timestamp')
    proxy.rules.clear()
    await confirm(faulty)
    await payer.expectAllCredited()
  })
})

describe('a node without its history', () => {
  test('a node without old blocks is reported, and no block is skipped [N13]', async () => {
    const faulty = await openFaulty()
    const { chain, payer, proxy, world } = faulty
    const { tip } = await world.state()
    await payer.payAnything()
    chain.mine(200)
    forgetBelow(proxy, chain.head().height - 50)
    expect((await followWhilePossible(world))?.message).toContain('history missing')
    expect((await world.state()).tip).toEqual(tip)
    const second = await proxied(faulty.node.url)
    await world.restart({ chains: [{ id: SEPOLIA, nodes: [proxy.url, second.url] }] })
    await world.settle()
    await payer.expectAllCredited()
  })

  test('missing history at the first contact is reported, without addresses [N13]', async () => {
    const node = await simulatedNode()
    node.chain.mine(200)
    const proxy = await proxied(node.url)
    forgetBelow(proxy, 150)
    const chains = [{ id: SEPOLIA, nodes: [proxy.url], startHeight: 10 }]
    const world = await openWorld({ seed: 'N13', chains })
    try {
      expect((await followWhilePossible(world))?.message).toContain('history missing')
      await expect(world.issue('ann')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
      proxy.rules.clear()
      await world.settle()
      await world.issue('ann')
      expect((await world.state()).startHeight).toBe(9)
    } finally {
      await world.close()
    }
  })
})

/**
 * Gives the second node other blocks of the same height from now on, without the payments that
 * follow.
 */
async function branchOff(faulty: Faulty): Promise<Faulty['proxy']> {
  const { chain, world, proxy } = faulty
  const other = await simulatedNode({ chain })
  const forked = chain.head().height
  const second = await proxied(other.url)
  second.rules.add({
    match: { method: /^(eth_getBlock|trace_block|debug_)/ },
    action: { do: 'mutate', change: (answer: unknown) => onOtherBranch(answer, forked) },
  })
  await world.restart({ chains: [{ id: SEPOLIA, nodes: [proxy.url, second.url] }] })
  return second
}

/** The same answer from a branch without payments. */
function onOtherBranch(answer: unknown, forked: number): unknown {
  const block = Object(answer)
  if (typeof block.number !== 'string') return answer
  const height = Number(block.number)
  const hashAt = (at: number, own: string) =>
    at > forked ? `0x${at.toString(16).padStart(64, 'f')}` : own
  if (height <= forked) return answer
  return {
    ...block,
    hash: hashAt(height, block.hash),
    parentHash: hashAt(height - 1, block.parentHash),
    transactions: [],
    transactionsRoot: EMPTY_ROOT,
    receiptsRoot: EMPTY_ROOT,
  }
}

/** The root of an empty list (yellow paper, appendix D). */
const EMPTY_ROOT = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'

function forgetBelow({ rules }: Faulty['proxy'], height: number): void {
  rules.add({
    match: {
      method: HEADERS,
      params: ([at]) => typeof at === 'string' && Number(at) < height && Number(at) > 0,
    },
    action: { do: 'emptyResult' },
  })
}

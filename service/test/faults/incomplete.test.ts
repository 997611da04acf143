import type { FaultAction, MinedReceiptJson } from '@sluice/simulator'
import { describe, expect, test } from 'vitest'
import { BSC_TESTNET } from '../support/world-life.ts'
import {
  confirm,
  type Faulty,
  followWhilePossible,
  LOG_CALLS,
  openFaulty,
  proxied,
} from './fault-world.ts'

const BLOCK_CALLS = /^eth_getBlockBy(Number|Hash)$/
const TRACE_CALLS = /^trace_block$|^debug_trace/

/** Mines blocks, every third with a payment, and scans now and then as far as possible. */
async function payThrough(faulty: Faulty, blocks: number): Promise<void> {
  const { chain, payer, world } = faulty
  for (let mined = 0; mined < blocks; mined += 1) {
    if (payer.random.chance(1 / 3)) await payer.payAnything()
    chain.mine(1)
    if (payer.random.chance(1 / 10)) await followWhilePossible(world)
  }
}

describe('a node behind a load balancer', () => {
  test('receipts 20 blocks behind the heads lose nothing in 1,000 blocks [N01]', async () => {
    const faulty = await openFaulty()
    const lag = { do: 'stale', blocks: 20 } as const
    const rule = faulty.proxy.rules.add({ match: { method: LOG_CALLS, rate: 0.3 }, action: lag })
    await payThrough(faulty, 1_000)
    await confirm(faulty)
    expect(rule.hits).toBeGreaterThan(100)
    expect(faulty.payer.paid.length).toBeGreaterThan(100)
    await faulty.payer.expectAllCredited()
  })

  test('lagging empty lists of logs lose nothing without receipt roots [N01]', async () => {
    const faulty = await openFaulty({ completeness: 'logs' })
    const lag = { do: 'stale', blocks: 20 } as const
    const rule = faulty.proxy.rules.add({ match: { method: LOG_CALLS, rate: 0.3 }, action: lag })
    await payThrough(faulty, 100)
    await confirm(faulty)
    expect(rule.hits).toBeGreaterThan(5)
    await faulty.payer.expectAllCredited()
  })

  test('the cursor waits for receipts that always lag, block by block [N01]', async () => {
    const faulty = await openFaulty()
    const { chain, payer, proxy, world } = faulty
    await payer.payAnything()
    chain.mine(1)
    const paidAt = chain.head().height
    chain.mine(19)
    proxy.rules.add({ match: { method: LOG_CALLS }, action: { do: 'stale', blocks: 20 } })
    expect((await followWhilePossible(world))?.message).toContain('receipt')
    expect((await world.state()).tip.height).toBe(paidAt - 1)
    chain.mine(20)
    await followWhilePossible(world)
    await payer.expectAllCredited()
  })
})

describe('a node with incomplete answers', () => {
  test.each([
    ['receipts', LOG_CALLS],
    ['traces', TRACE_CALLS],
    ['blocks', BLOCK_CALLS],
  ])('no deposit is lost if some answers for %s are empty [N02]', async (_what, method) => {
    const faulty = await openFaulty()
    const rule = faulty.proxy.rules.add({
      match: { method, every: 20 },
      action: { do: 'emptyResult' },
    })
    await payThrough(faulty, 120)
    await confirm(faulty)
    expect(rule.hits).toBeGreaterThan(0)
    await faulty.payer.expectAllCredited()
  })

  test('a header that hides all of its transactions is rejected [N02]', async () => {
    const faulty = await openFaulty()
    await expectWaits(faulty, BLOCK_CALLS, {
      do: 'mutate',
      change: (block: object) => ({ ...block, transactions: [] }),
    })
  })

  test.each([
    ['first', 0],
    ['last', -1],
  ])('a list of receipts without its %s item is rejected [N03]', async (_which, at) => {
    const faulty = await openFaulty()
    await expectWaits(faulty, LOG_CALLS, {
      do: 'mutate',
      change: (receipts: unknown[]) => receipts.toSpliced(at, 1),
    })
  })

  test.each([
    ['first', 0],
    ['second', 1],
  ])('the missing %s of two equal transfers with one bloom is noticed [N03]', async (_w, at) => {
    const faulty = await openFaulty()
    await expectWaits(faulty, LOG_CALLS, { do: 'mutate', change: dropEqualLog(at) })
  })

  test.each([
    ['a block', BLOCK_CALLS],
    ['the receipts of a block', LOG_CALLS],
  ])('the cursor stops when %s inside a range is null [N04]', async (_what, method) => {
    const faulty = await openFaulty()
    const { chain, payer, proxy, world } = faulty
    const before = chain.head().height
    for (let blocks = 0; blocks < 20; blocks += 1) {
      await payer.payAnything()
      chain.mine(1)
    }
    const missing = chain.blockAt(before + 10)
    const hashes = missing?.transactions.map(({ json }) => json.hash) ?? []
    const names = [missing?.hash, `0x${(before + 10).toString(16)}`, ...hashes]
    proxy.rules.add({
      match: { method, params: ([named]) => names.some((name) => name === named) },
      action: { do: 'mutate', change: () => null },
    })
    await followWhilePossible(world)
    expect((await world.state()).tip.height).toBe(before + 9)
    proxy.rules.clear()
    await confirm(faulty)
    await payer.expectAllCredited()
  })
})

describe('a chain whose headers do not commit to its receipts', () => {
  test('a gap in the indices reveals a missing one of two equal transfers [N03]', async () => {
    const faulty = await openLoose()
    faulty.proxy.rules.add({
      match: { method: LOG_CALLS },
      action: { do: 'mutate', change: dropEqualLog(0) },
    })
    await payEqual(faulty)
    expect((await followWhilePossible(faulty.world, BSC_TESTNET))?.message).toContain('indices')
    faulty.proxy.rules.clear()
    await expectLooseTruth(faulty)
  })

  test('a second node reveals the missing last of two equal transfers [N03]', async () => {
    const faulty = await openLoose()
    const second = await proxied(faulty.node.url)
    loosen(second)
    await faulty.world.restart({
      chains: [{ id: BSC_TESTNET, nodes: [faulty.proxy.url, second.url] }],
    })
    faulty.proxy.rules.add({
      match: { method: LOG_CALLS },
      action: { do: 'mutate', change: dropEqualLog(1) },
    })
    second.rules.add({ match: { method: BLOCK_CALLS }, action: { do: 'dropBefore' } })
    await payEqual(faulty)
    const outage = await followWhilePossible(faulty.world, BSC_TESTNET)
    expect(outage).not.toBeNull()
    expect(await faulty.world.deposits()).toEqual([])
    faulty.proxy.rules.clear()
    loosen(faulty.proxy)
    await expectLooseTruth(faulty)
  })

  test('the audit reveals the missing last of two equal transfers [N03]', async () => {
    const faulty = await openLoose()
    const { world, payer } = faulty
    const lie = faulty.proxy.rules.add({
      match: { method: LOG_CALLS },
      action: { do: 'mutate', change: dropEqualLog(1) },
    })
    await payEqual(faulty)
    const before = (await world.state(BSC_TESTNET)).tip.height
    await world.settle(BSC_TESTNET)
    lie.remove()
    const { compared } = await world.auditCycle(BSC_TESTNET)
    const findings = compared.filter(({ expected, found }) => expected !== found)
    expect(findings).toMatchObject([{ tokenId: payer.dollar, expected: 70n, found: 140n }])
    await world.rescan(before + 1, before + 1, BSC_TESTNET)
    await confirm(faulty, BSC_TESTNET)
    expect(await world.deposits()).toHaveLength(2)
    expect((await world.audit(BSC_TESTNET)).findings).toEqual([])
  })
})

/** Expects no commit of the block while the answers are edited; then all of it, once. */
async function expectWaits(faulty: Faulty, method: RegExp, action: FaultAction): Promise<void> {
  const { chain, payer, proxy, world } = faulty
  const rule = proxy.rules.add({ match: { method }, action })
  payer.payTwice(await payer.address(), 70n)
  payer.payCoins(await payer.address(), 5n)
  const before = chain.head().height
  chain.mine(1)
  expect(await followWhilePossible(world)).not.toBeNull()
  expect(rule.hits).toBeGreaterThan(0)
  expect((await world.state()).tip.height).toBe(before)
  expect(await world.deposits()).toEqual([])
  proxy.rules.clear()
  await confirm(faulty)
  await payer.expectAllCredited()
}

/** Removes one of the two logs from every receipt with two, without changing its bloom. */
function dropEqualLog(at: number) {
  return (receipts: MinedReceiptJson[]): MinedReceiptJson[] =>
    receipts.map((receipt) =>
      receipt.logs.length === 2 ? { ...receipt, logs: receipt.logs.toSpliced(at, 1) } : receipt,
    )
}

/** A chain whose receipts root cannot be recomputed. */
async function openLoose(): Promise<Faulty> {
  const faulty = await openFaulty({ id: BSC_TESTNET, chainNumber: 97 })
  loosen(faulty.proxy)
  return faulty
}

function loosen({ rules }: Faulty['proxy']): void {
  const root = `0x${'5e'.repeat(32)}`
  const change = (block: object | null) => block && { ...block, receiptsRoot: root }
  rules.add({ match: { method: BLOCK_CALLS }, action: { do: 'mutate', change } })
}

async function payEqual({ chain, payer }: Faulty): Promise<void> {
  payer.payTwice(await payer.address('ann'), 70n)
  chain.mine(1)
}

async function expectLooseTruth(faulty: Faulty): Promise<void> {
  await confirm(faulty, BSC_TESTNET)
  await faulty.payer.expectAllCredited()
}

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type FaultAction, startXrplNode } from '@sluice/simulator'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Outage } from '../../src/base/fault.ts'
import { openedWorld } from '../support/opened-world.ts'
import type { World } from '../support/world.ts'
import { REQUIRED, SEPOLIA } from '../support/world-life.ts'
import { LEDGER } from '../support/xrpl-harness.ts'
import { confirm, type Faulty, LOG_CALLS, openFaulty } from './fault-world.ts'
import { type Flood, type FloodingNode, startFloodingNode } from './flooding-node.ts'

const MEGABYTE = 1_000_000
const FLOOD_BYTES = 50 * MEGABYTE
/** Part of an overlong answer is read: two answers of 32 MB, the first not yet collected. */
const MEMORY_MAX = 96 * MEGABYTE
/** For an acceptable length: the pieces and the whole of two answers, one not yet collected. */
const COPIES_MAX = 6

/** The queries of a scanner, in order. */
const ASKED: readonly [string, RegExp][] = [
  ['its chain id', /^eth_chainId$/],
  ['a block', /^eth_getBlockByNumber$/],
  ['the receipts of a block', LOG_CALLS],
  ['the traces of a block', /^trace_block$|^debug_trace/],
  ['a balance', /^eth_getBalance$|^eth_call$/],
]

const answering = (result: unknown): FaultAction => ({ do: 'mutate', change: () => result })
const saying = (body: string): FaultAction => ({ do: 'malformed', body })

const NONSENSE: readonly [string, FaultAction][] = [
  ['an HTML page', saying('<!doctype html><html><body>Bad gateway</body></html>')],
  ['half of its answer', { do: 'truncate' }],
  ['nothing', saying('')],
  ['a JSON null', saying('null')],
  ['a list for an object', saying('[]')],
  ['a text', saying('"0x1"')],
  ['bytes that are not text', saying('\u0000\u0001\ufffd')],
  ['100,000 brackets', saying('['.repeat(100_000))],
  ['100,000 nested lists', answering(nested(100_000))],
  ['the answer to another call', saying('{"jsonrpc":"2.0","id":987654321,"result":"0x1"}')],
  ['an id as text', saying('{"jsonrpc":"2.0","id":"1","result":"0x1"}')],
  ['neither result nor error', saying('{"jsonrpc":"2.0","id":1}')],
  ['an error as text', saying('{"jsonrpc":"2.0","id":1,"error":"oops"}')],
  ['an unknown error', { do: 'error', code: 1e9, message: '\u0000\u001b[31m' }],
  ['a number without 0x', answering('12')],
  ['a number as a number', answering(12)],
  ['a number below zero', answering('-0x1')],
  ['a number too large', answering(`0x${'f'.repeat(65)}`)],
  ['not a number', answering('NaN')],
  ['true', answering(true)],
  ['an empty object', answering({})],
  ['a list of nulls', answering([null, null])],
  ['a list of lists', answering([[], [[]]])],
  ['an object with __proto__', answering({ ['__proto__']: { number: '0x1' } })],
  ['every field null', { do: 'mutate', change: (answer: object) => nulled(answer) }],
  ['every number as decimal text', { do: 'mutate', change: (answer: never) => decimal(answer) }],
  ['an HTTP error with a page', { do: 'http', status: 502, body: '<h1>502</h1>' }],
  ['a redirect', { do: 'http', status: 307, headers: { location: 'http://127.0.0.1:9/' } }],
]

describe('a node with invalid answers', () => {
  test.each(ASKED)('an invalid answer about %s stops its chain [N09]', async (_about, method) => {
    const faulty = await openFaulty()
    const { world, proxy, payer, chain } = faulty
    for (const [what, action] of NONSENSE) {
      // A subject for every call: a payment to read, and one to credit.
      payer.payDollars(await payer.address(), BigInt(100 + payer.paid.length))
      chain.mine(1)
      const { tip } = await world.state()
      const rule = proxy.rules.add({ match: { method }, action })
      const faults = await faultsWhile(faulty)
      rule.remove()
      expect([what, faults.filter((fault) => !(fault instanceof Outage))]).toEqual([what, []])
      if (rule.hits > 0) expect([what, faults.length]).not.toEqual([what, 0])
      expect((await world.state()).tip.height - tip.height).toBeLessThanOrEqual(1)
      await world.clock.advance(60_000)
      await world.settle()
    }
    await confirm(faulty)
    await payer.expectAllCredited()
  })

  test('an invalid part of a batch invalidates the whole batch [N09]', async () => {
    const faulty = await openFaulty()
    const { proxy, payer, chain, world } = faulty
    const missing = { do: 'error', code: -32_601, message: 'method not found' } as const
    proxy.rules.add({ match: { method: 'eth_getBlockReceipts' }, action: missing })
    payer.payCoins(await payer.address(), 7n)
    payer.payDollars(await payer.address(), 8n)
    chain.mine(1)
    const { tip } = await world.state()
    const busy = { do: 'error', code: -32_005, message: 'limit exceeded' } as const
    // Always the same receipt: alone it is rejected too, however the batch is divided.
    let refused: unknown = null
    const isRefused = ([hash]: readonly unknown[]) => (refused ??= hash) === hash
    const half = proxy.rules.add({
      match: { method: 'eth_getTransactionReceipt', params: isRefused },
      action: busy,
    })
    const faults = await faultsWhile(faulty)
    expect(half.hits).toBeGreaterThan(0)
    expect(faults.length).toBeGreaterThan(0)
    expect((await world.state()).tip).toEqual(tip)
    half.remove()
    await confirm(faulty)
    await payer.expectAllCredited()
  })
})

describe('a node that answers with far too much', () => {
  test.each<[Flood, string, RegExp]>([
    ['unannounced', 'its head', /^eth_getBlockByNumber$/],
    ['unannounced', 'receipts', LOG_CALLS],
    ['announced', 'receipts', LOG_CALLS],
    ['zipped', 'receipts', LOG_CALLS],
    ['endless', 'receipts', LOG_CALLS],
    ['announced', 'balances', /^eth_call$/],
    ['endless', 'balances', /^eth_call$/],
  ])('a huge answer (%s) for %s needs little memory [N09]', async (how, _what, method) => {
    const faulty = await openFaulty()
    const { node, payer, world, chain } = faulty
    const flooding = await startFloodingNode(node.url)
    await world.restart({ chains: [{ id: SEPOLIA, nodes: [flooding.url] }] })
    await world.settle()
    payer.payDollars(await payer.address(), 7n)
    chain.mine(1)
    // The balance is queried when the deposit is about to be credited.
    if (method.test('eth_call')) chain.mine(REQUIRED)
    flooding.flood(method, how, FLOOD_BYTES)
    await expectCheap(world, flooding, { times: 3, peakMax: MEMORY_MAX })
    flooding.flood(null, how, 0)
    await confirm(faulty)
    await payer.expectAllCredited()
  })
})

describe('a node that answers with too many objects of an acceptable length', () => {
  test.each<[string, RegExp, number]>([
    ['receipts', LOG_CALLS, 31 * MEGABYTE],
    ['traces', /^trace_|^debug_trace/, 63 * MEGABYTE],
  ])('a large answer for %s needs memory of its length [N09]', async (_what, method, bytes) => {
    const faulty = await openFaulty()
    const { node, payer, world, chain } = faulty
    const flooding = await startFloodingNode(node.url)
    await world.restart({ chains: [{ id: SEPOLIA, nodes: [flooding.url] }] })
    payer.payDollars(await payer.address(), 7n)
    chain.mine(1)
    // The way of tracing blocks is known from here on.
    await world.settle()
    payer.payDollars(await payer.address(), 7n)
    chain.mine(1)
    flooding.flood(method, 'dense', bytes)
    await expectCheap(world, flooding, { times: 3, peakMax: bytes * COPIES_MAX })
    flooding.flood(null, 'dense', 0)
    await confirm(faulty)
    await payer.expectAllCredited()
  })

  test('a huge ledger costs memory of its length, and no ledger is lost [N09]', async () => {
    const node = await startXrplNode()
    onTestFinished(() => node.stop())
    const flooding = await startFloodingNode(node.url)
    const world = await openedWorld([{ id: LEDGER, nodes: [flooding.url] }])
    node.chain.close(2)
    const bytes = 63 * MEGABYTE
    flooding.flood(/^ledger$/, 'dense', bytes, '"expand":true')
    await expectCheap(world, flooding, { times: 2, peakMax: bytes * COPIES_MAX })
    flooding.flood(null, 'dense', 0)
    await world.clock.advance(60_000)
    await world.settle()
    expect((await world.state(LEDGER)).tip.height).toBe(node.chain.closed().height)
  })
})

describe('a node with wrong balances', () => {
  test.each<[string, (word: string) => string]>([
    ['more', (word) => `0x${(BigInt(word) * 2n + 5n).toString(16).padStart(64, '0')}`],
    ['nothing', () => `0x${'0'.repeat(64)}`],
    ['2^256-1', () => `0x${'f'.repeat(64)}`],
  ])('a deposit is not credited when the balance changes by %s [N11]', async (_what, change) => {
    const faulty = await openFaulty()
    const { payer, proxy, world } = faulty
    proxy.rules.add({ match: { method: 'eth_call' }, action: { do: 'mutate', change } })
    payer.payDollars(await payer.address(), 7n)
    await confirm(faulty)
    expect(await world.deposits()).toMatchObject([{ status: 'Held', amount: 7n }])
    expect(await world.balance(payer.dollar)).toBe(0n)
    expect(await world.balance(payer.dollar, 'claim:held')).toBe(7n)
    const codes = (await world.alerts()).map(({ code }) => code).sort()
    expect(codes).toEqual(['deposit.held', 'token.suspended'])
  })
})

/** A few steps with the world's own time passing between; returns the faults. */
async function faultsWhile({ world }: Faulty): Promise<unknown[]> {
  const faults: unknown[] = []
  for (let steps = 0; steps < 3; steps += 1) {
    await world.step().catch((error: unknown) => faults.push(error))
    await world.clock.advance(20_000)
  }
  return faults
}

/** Steps until that number of floods was met, none of which used more than that memory. */
async function expectCheap(
  world: World,
  flooding: FloodingNode,
  { times, peakMax }: { times: number; peakMax: number },
): Promise<void> {
  const [chain] = world.catalogue.chains.filter(({ id }) => world.catalogue.isConfigured(id))
  for (let steps = 1; flooding.floods < times; steps += 1) {
    const step = () => world.step(chain?.id).then(() => undefined, expectOutage)
    expect(await peakWhile(step)).toBeLessThan(peakMax)
    await world.clock.advance(20_000)
    expect(steps).toBeLessThan(20)
  }
}

function expectOutage(error: unknown): void {
  expect(error).toBeInstanceOf(Outage)
}

/** The highest memory use during the work, above the use before it. */
async function peakWhile(work: () => Promise<void>): Promise<number> {
  collectGarbage()
  const inUse = () => {
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  const before = inUse()
  let peak = before
  const watch = setInterval(() => {
    peak = Math.max(peak, inUse())
  }, 1)
  await work()
  clearInterval(watch)
  return peak - before
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}

function nested(depth: number): unknown {
  let value: unknown = '0x1'
  for (let level = 0; level < depth; level += 1) value = [value]
  return value
}

function nulled(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(nulled)
  return Object.fromEntries(Object.keys(Object(answer)).map((key) => [key, null]))
}

/** The same with each quantity in decimal digits. */
function decimal(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(decimal)
  if (typeof answer === 'object' && answer !== null) {
    return Object.fromEntries(Object.entries(answer).map(([key, value]) => [key, decimal(value)]))
  }
  return typeof answer === 'string' && /^0x[0-9a-f]+$/.test(answer) ? `${BigInt(answer)}` : answer
}

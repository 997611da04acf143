import { describe, expect, test } from 'vitest'
import {
  A,
  adapterOf,
  answersOf,
  BSC,
  CONTRACT_CALL,
  D,
  failing,
  scope,
  traceOf,
} from '../../../test/adapters/scripted-chain.ts'
import { refuse } from '../../../test/adapters/scripted-node.ts'
import { AUTO, INNER } from '../../../test/adapters/traced-chain.ts'
import { hex, sampleBlock } from '../../../test/adapters/evm-sample.ts'
import type { Json } from '../../../test/adapters/evm-sample.ts'
import { ManualClock, silentLog } from '../../../test/support/clock.ts'
import { Outage } from '../../base/fault.ts'
import { Unfinished } from '../http.ts'
import { RpcRefusal } from '../json-rpc.ts'
import type { JsonRpc, RpcCall } from '../json-rpc.ts'
import type { TraceMode } from '../options.ts'
import { parseBlock } from './rpc.ts'
import { openTracing } from './tracing.ts'

const MINUTE_MS = 60_000
const CONTRACT = { transaction: { to: D, value: '0x5', gas: '0xffff', input: '0x01' } }
const TIMED_OUT = { result: undefined, error: 'execution timeout' }
const MOVED = { failed: false, moves: [{ from: A, to: D, value: 9n }] }

type Mode = Exclude<TraceMode, 'auto' | 'off'>

/** The limits of a node; all transactions in neither set are traced. */
interface Power {
  /** Heights whose traces are too much for one answer. */
  tooMuch: Set<number>
  /** Transactions whose own trace is. */
  hashes: Set<string>
  /** The index of a transaction that is an error among the traces of its block. */
  fails: number | null
  /** How long a question about transactions takes. */
  partMs: number
  isAway: boolean
}

/** A traced chain of blocks with three contract calls each, on nodes that get so much done. */
function chainOf(mode: Mode, more: { count?: number; traces?: TraceMode } = {}) {
  const { count = 1, traces = 'auto' } = more
  const clock = new ManualClock()
  const samples = new Map<number, ReturnType<typeof sampleBlock>['block']>()
  const blockOf = (height: number) => {
    const known = samples.get(height)
    const made = known ?? sampleBlock([CONTRACT, CONTRACT, CONTRACT], { number: hex(height) }).block
    samples.set(height, made)
    return made
  }
  const nodes = Array.from({ length: count }, (_, at) => nodeOf(`node ${at}`, { clock, blockOf }))
  const rpcs = nodes.map(({ rpc }) => rpc)
  const tracing = openTracing({
    chainId: BSC,
    mode: traces,
    nodes: rpcs,
    others: (rpc) => rpcs.filter((one) => one !== rpc),
    clock,
    log: silentLog(),
  })
  const [first] = nodes
  if (first === undefined) throw new Error('a chain without nodes')
  for (const { knows } of nodes) knows.add(mode)
  return {
    ...first,
    nodes,
    clock,
    blockOf,
    hashAt: (height: number, at: number) => String(blockOf(height).transactions[at]?.['hash']),
    trace: (height: number, { at = 0, isRepair = false } = {}) =>
      tracing.trace(rpcs[at] ?? first.rpc, parseBlock(blockOf(height)), { isRepair }),
  }
}

type Sample = ReturnType<typeof sampleBlock>['block']

function nodeOf(
  name: string,
  { clock, blockOf }: { clock: ManualClock; blockOf: (height: number) => Sample },
) {
  const power: Power = {
    tooMuch: new Set(),
    hashes: new Set(),
    fails: null,
    partMs: 0,
    isAway: false,
  }
  const knows = new Set<Mode>()
  const sizes: number[] = []
  const tracesOf = (block: Sample, mode: Mode) => {
    const { calls, frames } = traceOf(block)
    if (power.fails !== null) Object.assign(calls[power.fails] ?? {}, TIMED_OUT)
    if (power.tooMuch.has(Number(block['number']))) throw tooLong()
    return mode === 'debug' ? calls : frames
  }
  const call = async ({ method, params: [first] }: RpcCall): Promise<unknown> => {
    if (power.isAway) throw new Unfinished(name, 'no answer within 10000 ms')
    if (method === 'eth_getBlockByNumber') {
      return blockOf(first === 'latest' ? 99 : Number(first))
    }
    const [mode]: Mode[] = method.startsWith('debug') ? ['debug'] : ['trace']
    if (mode === undefined || !knows.has(mode)) throw refusal(-32601, 'method not found')
    if (first === '0x0') return []
    return tracesOf(blockOf(mode === 'trace' ? Number(first) : Number(first) - 0xb10c000), mode)
  }
  const alone = ({ method, params: [hash] }: RpcCall): unknown => {
    if (power.hashes.has(String(hash))) throw tooLong()
    const height = Math.floor((Number(hash) - 0x7a0000) / 256)
    const { calls, frames } = traceOf(blockOf(height))
    if (method === 'trace_transaction') return frames.filter((f) => f.transactionHash === hash)
    return (calls as Json[]).find(({ txHash }) => txHash === hash)?.['result']
  }
  const settle = async (calls: readonly RpcCall[]) => {
    clock.set(clock.now() + power.partMs)
    sizes.push(calls.length)
    return calls.map(alone)
  }
  return { rpc: { name, call, settle } as Partial<JsonRpc> as JsonRpc, power, knows, sizes }
}

function tooLong() {
  return new Unfinished('node', 'answered more than 64000000 bytes', { retryAfterMs: 1_000 })
}

function refusal(code: number, message: string) {
  return new RpcRefusal('node', 'debug', { code, message })
}

describe('a block whose traces are too much for one answer [E03]', () => {
  test.each<Mode>(['debug', 'trace'])('is traced by its transactions, with %s', async (mode) => {
    const { trace, power, sizes } = chainOf(mode)
    expect(await trace(7)).toEqual([MOVED, MOVED, MOVED])
    expect(sizes).toEqual([])
    power.tooMuch.add(8)
    expect(await trace(8)).toEqual([MOVED, MOVED, MOVED])
    expect(sizes).toEqual([3])
  })

  test('waits ten minutes when one trace is unavailable, and is then read without', async () => {
    const { trace, power, clock, hashAt } = chainOf('debug')
    power.tooMuch.add(8)
    power.hashes.add(hashAt(8, 1))
    for (const ms of [300_000, 299_999, 1]) {
      await failing(trace(8))
      clock.set(clock.now() + ms)
    }
    expect(await trace(8)).toEqual([MOVED, null, MOVED])
    await failing(trace(8, { isRepair: true }))
    power.hashes.clear()
    expect(await trace(8, { isRepair: true })).toEqual([MOVED, MOVED, MOVED])
  })

  test('stalls the chain once, and not for each of its kind that strangers make', async () => {
    const { trace, power, clock, hashAt } = chainOf('debug')
    const begunAt = clock.now()
    for (let height = 8; height < 88; height += 1) {
      if (height % 2 === 1) {
        expect(await trace(height)).toEqual([MOVED, MOVED, MOVED])
        continue
      }
      power.tooMuch.add(height)
      for (const at of [0, 1, 2]) power.hashes.add(hashAt(height, at))
      for (;;) {
        const read = await trace(height).catch(() => undefined)
        if (read !== undefined) break
        clock.set(clock.now() + 1_000)
      }
    }
    expect(clock.now() - begunAt).toBeLessThan(15 * MINUTE_MS)
  })

  test('holds up the chain for a part of the time when its transactions are slow', async () => {
    const { trace, power, clock } = chainOf('debug')
    power.partMs = 60_000
    const begunAt = clock.now()
    for (let height = 8; height < 108; height += 1) {
      power.tooMuch.add(height)
      for (;;) {
        const read = await trace(height).catch(() => undefined)
        if (read !== undefined) break
        clock.set(clock.now() + 1_000)
      }
    }
    expect(clock.now() - begunAt).toBeLessThan(15 * MINUTE_MS)
  })

  test('is always traced by its transactions when the method is configured', async () => {
    const { trace, power } = chainOf('debug', { traces: 'debug' })
    power.partMs = 60_000
    for (let height = 8; height < 38; height += 1) {
      power.tooMuch.add(height)
      expect(await trace(height)).toEqual([MOVED, MOVED, MOVED])
    }
  })

  test('is waited for as long as ever, hours after another was read without', async () => {
    const { trace, power, clock, hashAt } = chainOf('debug')
    for (const height of [8, 9]) {
      power.tooMuch.add(height)
      for (const at of [0, 1, 2]) power.hashes.add(hashAt(height, at))
      for (const ms of [300_000, 299_999]) {
        await failing(trace(height))
        clock.set(clock.now() + ms)
      }
      await failing(trace(height))
      clock.set(clock.now() + 1)
      expect(await trace(height)).toBeNull()
      clock.set(clock.now() + 240 * MINUTE_MS)
    }
  })

  test('costs no later block its traces where the node was slow for a moment', async () => {
    const { trace, power, clock, hashAt } = chainOf('debug')
    for (const height of [8, 10, 12]) {
      power.tooMuch.add(height)
      for (const at of [0, 1, 2]) power.hashes.add(hashAt(height, at))
      for (const ms of [300_000, 240_000]) {
        await failing(trace(height))
        clock.set(clock.now() + ms)
      }
      power.tooMuch.clear()
      expect(await trace(height)).toEqual([MOVED, MOVED, MOVED])
    }
  })

  test('has an unlimited wait while the node is down', async () => {
    const { trace, power, clock } = chainOf('debug')
    expect(await trace(7)).toHaveLength(3)
    power.isAway = true
    for (let waited = 0; waited < 30; waited += 1) {
      await expect(trace(8)).rejects.toBeInstanceOf(Outage)
      clock.set(clock.now() + MINUTE_MS)
    }
  })

  test('is queried from another node, too, before it is read without', async () => {
    const { trace, nodes, clock, hashAt } = chainOf('debug', { count: 2 })
    const [slow] = nodes
    slow?.power.tooMuch.add(8)
    slow?.power.hashes.add(hashAt(8, 0))
    for (const ms of [300_000, 299_999, 1]) {
      await failing(trace(8))
      clock.set(clock.now() + ms)
    }
    await failing(trace(8))
    expect(await trace(8, { at: 1 })).toEqual([MOVED, MOVED, MOVED])
  })
})

describe('a transaction that is an error among the traces of its block [E03]', () => {
  test('is traced singly', async () => {
    const { trace, power, sizes } = chainOf('debug')
    power.fails = 1
    expect(await trace(8)).toEqual([MOVED, MOVED, MOVED])
    expect(sizes).toEqual([1])
  })

  test('waits ten minutes when it fails singly too, and is then read without', async () => {
    const { trace, power, clock, hashAt } = chainOf('debug')
    power.fails = 1
    power.hashes.add(hashAt(8, 1))
    for (const ms of [300_000, 299_999, 1]) {
      await failing(trace(8))
      clock.set(clock.now() + ms)
    }
    expect(await trace(8)).toEqual([MOVED, null, MOVED])
  })

  test.each(['receipts', 'logs'] as const)(
    'E01 is credited thereafter only if it succeeded, with %s',
    async (completeness) => {
      const failed = { ...CONTRACT, receipt: { status: '0x0' } }
      const { answers, block } = answersOf([failed, CONTRACT_CALL])
      const { calls } = traceOf(block)
      const [first, ...others] = calls
      answers['debug_traceBlockByNumber'] = () => refuse(-32000, 'genesis is not traceable')
      answers['debug_traceBlockByHash'] = () => [{ ...first, ...TIMED_OUT }, ...others]
      const { adapter, pass } = await adapterOf([answers], { ...AUTO, completeness })
      const ours = { ...scope, mayWatch: (one: unknown) => one === D }
      for (const ms of [300_000, 299_999, 60_001]) {
        await failing(adapter.blockAt({ height: 7 }, ours))
        pass(ms)
      }
      const read = await adapter.blockAt({ height: 7 }, ours)
      expect(read?.transfers.map(({ position }) => position)).toEqual(INNER)
    },
  )
})

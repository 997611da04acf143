import { describe, expect, test } from 'vitest'
import { openLog } from '../../base/log.ts'
import { Unfinished } from '../http.ts'
import type { JsonRpc } from '../json-rpc.ts'
import type { TraceMode } from '../options.ts'
import { hashOf, sampleBlock } from '../../../test/adapters/evm-sample.ts'
import {
  adapterOf,
  answersOf,
  BSC,
  CONTRACT_CALL,
  failing,
  PLAIN,
  positions,
  scope,
  traceOf,
} from '../../../test/adapters/scripted-chain.ts'
import type { Answer } from '../../../test/adapters/scripted-node.ts'
import { AUTO, busy, INNER, tracedBy } from '../../../test/adapters/traced-chain.ts'
import { parseBlock } from './rpc.ts'
import { openTracing } from './tracing.ts'

describe('traces', () => {
  const wellOf = new Map<Record<string, Answer>, Record<string, Answer>>()
  const AWAY: Record<string, Answer> = { eth_chainId: busy, trace_block: busy }
  /** A node that is too busy to identify itself and to show whether it traces. */
  const away = (answers: Record<string, Answer>) => {
    wellOf.set(answers, { ...answers })
    return Object.assign(answers, AWAY)
  }
  const comeBack = (answers: Record<string, Answer>) => {
    for (const method of Object.keys(AWAY)) delete answers[method]
    Object.assign(answers, wellOf.get(answers))
  }

  test.each([
    ['trace_block alone', ['trace_block'], 'trace_block'],
    ['callTracer alone', ['debug_'], 'debug_traceBlockByHash'],
    ['both, of which the cheaper is taken', ['trace_block', 'debug_'], 'trace_block'],
  ])('inner transfers are found on a node with %s [E03]', async (_what, methods, used) => {
    const { adapter, node } = await adapterOf([tracedBy(methods)], AUTO)
    expect(await positions(adapter)).toEqual(INNER)
    expect(await positions(adapter)).toEqual(INNER)
    expect(node.counts[used]).toBeGreaterThanOrEqual(2)
    expect(node.counts['debug_traceBlockByNumber'] ?? 0).toBeLessThanOrEqual(1)
  })

  test('a chain whose nodes do not trace logs it once and goes on', async () => {
    const { adapter, lines } = await adapterOf([tracedBy([])], AUTO)
    expect(await positions(adapter)).toEqual(['tx', 'log:0'])
    expect(await positions(adapter)).toEqual(['tx', 'log:0'])
    expect(lines.filter((line) => line.includes('no node traces'))).toHaveLength(1)
  })

  test('a node that does not trace leaves the blocks to one that does', async () => {
    const { adapter, node } = await adapterOf([tracedBy([]), tracedBy(['trace_block'])], AUTO)
    expect(await positions(adapter)).toEqual(INNER)
    expect(node.counts['trace_block']).toBeGreaterThan(0)
  })

  test('a node that traces is awaited during a short outage [E03]', async () => {
    const answers = tracedBy(['trace_block'])
    const { adapter, lines, pass } = await adapterOf([away(answers), tracedBy([])], AUTO)
    await failing(adapter.blockAt({ height: 7 }, scope))
    // The node that serves is blamed for nothing.
    expect((await adapter.tip()).head.height).toBe(7)
    expect(lines.filter((line) => line.includes('node is down'))).toHaveLength(1)
    comeBack(answers)
    pass(60_000)
    expect(await positions(adapter)).toEqual(INNER)
  })

  test('blocks read in an outage of days are named once the node traces [E03]', async () => {
    const answers = tracedBy(['trace_block'])
    const { adapter, lines, nodes, pass } = await adapterOf([tracedBy([]), away(answers)], AUTO)
    await failing(adapter.blockAt({ height: 7 }, scope))
    pass(599_999)
    await failing(adapter.blockAt({ height: 7 }, scope))
    pass(1)
    expect(await positions(adapter)).toEqual(['tx', 'log:0'])
    const asked = nodes[1]?.counts['trace_block']
    expect(await positions(adapter)).toEqual(['tx', 'log:0'])
    expect(nodes[1]?.counts['trace_block']).toBe(asked)
    const [said, ...more] = lines.filter((line) => line.includes('are not seen while'))
    expect([JSON.parse(said ?? '{}'), more]).toMatchObject([{ level: 'error', from: 7 }, []])
    comeBack(answers)
    pass(300_000)
    expect(await positions(adapter)).toEqual(INNER)
    const named = lines.find((line) => line.includes('have them read again'))
    expect(JSON.parse(named ?? '{}')).toMatchObject({ level: 'error', from: 7, to: 7 })
  })

  test('blocks that are read again wait while a node that may trace is down', async () => {
    const { adapter, pass } = await adapterOf([tracedBy([]), away(tracedBy(['trace_block']))], AUTO)
    const again = () => adapter.blockAt({ height: 7 }, { ...scope, isRepair: true })
    await failing(adapter.blockAt({ height: 7 }, scope))
    pass(300_000)
    await failing(adapter.blockAt({ height: 7 }, scope))
    pass(300_000)
    expect(await positions(adapter)).toEqual(['tx', 'log:0'])
    await failing(again())
    const { adapter: other } = await adapterOf([tracedBy([])], AUTO)
    const moved = await other.blockAt({ height: 7 }, { ...scope, isRepair: true })
    expect(moved?.transfers).toHaveLength(2)
  })

  test('an abandoned wait for a node that may trace starts again', async () => {
    const { adapter, pass } = await adapterOf([tracedBy([]), away(tracedBy(['trace_block']))], AUTO)
    await failing(adapter.blockAt({ height: 7 }, scope))
    pass(3_600_000)
    await failing(adapter.blockAt({ height: 7 }, scope))
    pass(599_999)
    await failing(adapter.blockAt({ height: 7 }, scope))
    pass(1)
    expect(await positions(adapter)).toEqual(['tx', 'log:0'])
  })

  test('a chain counts as not traced when the last node has refused', async () => {
    const answers = tracedBy([])
    const { adapter, lines, nodes } = await adapterOf([tracedBy([]), away(answers)], AUTO)
    await failing(adapter.blockAt({ height: 7 }, scope))
    comeBack(answers)
    expect(await positions(adapter)).toEqual(['tx', 'log:0'])
    const asked = nodes.map(({ counts }) => counts['trace_block'])
    expect(await positions(adapter)).toEqual(['tx', 'log:0'])
    expect(nodes.map(({ counts }) => counts['trace_block'])).toEqual(asked)
    expect(lines.filter((line) => line.includes('no node traces'))).toHaveLength(1)
  })

  test('a payment is looked up although a node that may trace is down', async () => {
    const answers = tracedBy([])
    const [transaction] = answersOf([CONTRACT_CALL]).block.transactions
    answers['eth_getTransactionByHash'] = () => transaction
    const { adapter } = await adapterOf([answers, away(tracedBy(['trace_block']))], AUTO)
    const found = await adapter.transaction(String(transaction?.['hash']), scope)
    expect(found?.transfers.map(({ position }) => position)).toEqual(['tx', 'log:0'])
  })

  test('the way of tracing does not change while the process lives', async () => {
    const { adapter, node } = await adapterOf([tracedBy(['trace_block', 'debug_'])], AUTO)
    await positions(adapter)
    delete node.answers['trace_block']
    await failing(adapter.blockAt({ height: 7 }, scope))
    expect(node.counts['debug_traceBlockByHash']).toBeUndefined()
  })

  describe('that are too much for the node [E03]', () => {
    const { block } = answersOf([CONTRACT_CALL])
    const parsed = parseBlock(block)
    const HEAD = { ...block, number: '0x9' }
    type Call = { method: string; params: readonly unknown[] }
    /** A node that traces what the test says; undefined for what it does not get done. */
    const tracingOf = (mode: TraceMode, says: { frames: unknown; head: unknown }) => {
      let now = 1_000_000
      const call = async ({ method, params }: Call) => {
        const isHead = method === 'eth_getBlockByNumber'
        const answer = isHead ? says.head : params[0] === '0x0' ? [] : says.frames
        if (answer === undefined) throw new Unfinished('node', 'no answer within 10000 ms')
        return answer
      }
      const settle = () => Promise.reject(new Unfinished('node', 'no answer within 10000 ms'))
      const log = openLog({ level: 'error', pretty: false, destination: { write: () => {} } })
      const rpc = { name: 'node', call, settle } as Partial<JsonRpc> as JsonRpc
      const tracing = openTracing({
        chainId: BSC,
        mode,
        nodes: [rpc],
        others: () => [],
        clock: { now: () => now, sleep: () => Promise.resolve() },
        log,
      })
      return {
        pass: (ms: number) => (now += ms),
        trace: (isRepair = false) => tracing.trace(rpc, parsed, { isRepair }),
      }
    }

    test('are waited for ten minutes, and then the block is read without', async () => {
      const says: { frames: unknown; head: unknown } = { frames: undefined, head: HEAD }
      const { trace, pass } = tracingOf('auto', says)
      await failing(trace())
      pass(599_999)
      await failing(trace())
      pass(1)
      expect(await trace()).toBeNull()
      await failing(trace(true))
      says.frames = traceOf(block).frames
      expect(await trace()).toHaveLength(1)
    })

    test.each<[string, TraceMode, unknown]>([
      ['does not return its head either', 'auto', undefined],
      ['is to trace as the operator says', 'trace', HEAD],
    ])('are waited for without an end where the node %s', async (_what, mode, head) => {
      const { trace, pass } = tracingOf(mode, { frames: undefined, head })
      for (let waited = 0; waited < 1_200_000; waited += 300_000) {
        await failing(trace())
        pass(300_000)
      }
      await failing(trace())
    })
  })

  test('frames of another block are an outage [N01]', async () => {
    const answers = tracedBy(['trace_block'])
    const { frames } = traceOf({ ...sampleBlock([CONTRACT_CALL]).block, hash: hashOf(1) })
    answers['trace_block'] = () => frames
    const { adapter } = await adapterOf([answers], { traces: 'trace' })
    await failing(adapter.blockAt({ height: 7 }, scope))
  })

  test('a block of plain sends is not traced', async () => {
    const { answers } = answersOf([PLAIN, PLAIN])
    const { adapter, node } = await adapterOf([answers], { traces: 'debug' })
    expect(await positions(adapter)).toEqual(['tx', 'tx'])
    expect(node.counts['debug_traceBlockByHash']).toBeUndefined()
  })
})

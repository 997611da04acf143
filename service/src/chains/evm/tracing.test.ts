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
import { refuse } from '../../../test/adapters/scripted-node.ts'
import type { Answer } from '../../../test/adapters/scripted-node.ts'
import { parseBlock } from './rpc.ts'
import { openTracing } from './tracing.ts'

describe('traces', () => {
  const wellOf = new Map<Record<string, Answer>, Record<string, Answer>>()
  const traced = (methods: readonly string[]) => {
    const made = answersOf([CONTRACT_CALL])
    const { calls, frames } = traceOf(made.block)
    const offers: Record<string, Answer> = {
      trace_block: (height: string) => (height === '0x0' ? [] : frames),
      debug_traceBlockByNumber: () => refuse(-32000, 'genesis is not traceable'),
      debug_traceBlockByHash: () => calls,
    }
    for (const [method, answer] of Object.entries(offers)) {
      if (methods.some((name) => method.startsWith(name))) made.answers[method] = answer
    }
    return made.answers
  }
  const auto = { traces: 'auto' as const }
  const INNER = ['tx', 'call:1', 'log:0']
  const busy = () => refuse(-32005, 'busy')
  const AWAY: Record<string, Answer> = { eth_chainId: busy, trace_block: busy }
  /** What a node answers that is too busy to say who it is, and whether it traces. */
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
  ])('E03 inner transfers are found on a node with %s', async (_what, methods, used) => {
    const { adapter, node } = await adapterOf([traced(methods)], auto)
    expect(await positions(adapter)).toEqual(INNER)
    expect(await positions(adapter)).toEqual(INNER)
    expect(node.counts[used]).toBeGreaterThanOrEqual(2)
    expect(node.counts['debug_traceBlockByNumber'] ?? 0).toBeLessThanOrEqual(1)
  })

  test('a chain whose nodes do not trace says so once and goes on', async () => {
    const { adapter, lines } = await adapterOf([traced([])], auto)
    expect(await positions(adapter)).toEqual(['tx', 'log:0'])
    expect(await positions(adapter)).toEqual(['tx', 'log:0'])
    expect(lines.filter((line) => line.includes('no node traces'))).toHaveLength(1)
  })

  test('a node that does not trace leaves the blocks to one that does', async () => {
    const { adapter, node } = await adapterOf([traced([]), traced(['trace_block'])], auto)
    expect(await positions(adapter)).toEqual(INNER)
    expect(node.counts['trace_block']).toBeGreaterThan(0)
  })

  test('E03 a node that traces and was away for a moment is waited for', async () => {
    const answers = traced(['trace_block'])
    const { adapter, lines, pass } = await adapterOf([away(answers), traced([])], auto)
    await failing(adapter.blockAt({ height: 7 }, scope))
    // The node that serves is blamed for nothing.
    expect((await adapter.tip()).head.height).toBe(7)
    expect(lines.filter((line) => line.includes('set aside'))).toHaveLength(1)
    comeBack(answers)
    pass(60_000)
    expect(await positions(adapter)).toEqual(INNER)
  })

  test('E03 blocks read while a node is away for days are named once it traces', async () => {
    const answers = traced(['trace_block'])
    const { adapter, lines, nodes, pass } = await adapterOf([traced([]), away(answers)], auto)
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

  test('blocks that are read again wait as long as a node is away that may trace', async () => {
    const { adapter, pass } = await adapterOf([traced([]), away(traced(['trace_block']))], auto)
    const again = () => adapter.blockAt({ height: 7 }, { ...scope, isRepair: true })
    await failing(adapter.blockAt({ height: 7 }, scope))
    pass(300_000)
    await failing(adapter.blockAt({ height: 7 }, scope))
    pass(300_000)
    expect(await positions(adapter)).toEqual(['tx', 'log:0'])
    await failing(again())
    const { adapter: other } = await adapterOf([traced([])], auto)
    const moved = await other.blockAt({ height: 7 }, { ...scope, isRepair: true })
    expect(moved?.transfers).toHaveLength(2)
  })

  test('a wait for a node that may trace that nobody went on with begins anew', async () => {
    const { adapter, pass } = await adapterOf([traced([]), away(traced(['trace_block']))], auto)
    await failing(adapter.blockAt({ height: 7 }, scope))
    pass(3_600_000)
    await failing(adapter.blockAt({ height: 7 }, scope))
    pass(599_999)
    await failing(adapter.blockAt({ height: 7 }, scope))
    pass(1)
    expect(await positions(adapter)).toEqual(['tx', 'log:0'])
  })

  test('that no node traces is known once the last has said so', async () => {
    const answers = traced([])
    const { adapter, lines, nodes } = await adapterOf([traced([]), away(answers)], auto)
    await failing(adapter.blockAt({ height: 7 }, scope))
    comeBack(answers)
    expect(await positions(adapter)).toEqual(['tx', 'log:0'])
    const asked = nodes.map(({ counts }) => counts['trace_block'])
    expect(await positions(adapter)).toEqual(['tx', 'log:0'])
    expect(nodes.map(({ counts }) => counts['trace_block'])).toEqual(asked)
    expect(lines.filter((line) => line.includes('no node traces'))).toHaveLength(1)
  })

  test('O04 a clock that is set back ends no wait for a node that may trace', async () => {
    const nodes = [traced([]), away(traced(['trace_block']))]
    const { adapter, pass } = await adapterOf(nodes, auto)
    await failing(adapter.blockAt({ height: 7 }, scope))
    pass(-3_600_000)
    await failing(adapter.blockAt({ height: 7 }, scope))
    pass(599_999)
    await failing(adapter.blockAt({ height: 7 }, scope))
    pass(1)
    expect(await positions(adapter)).toEqual(['tx', 'log:0'])
  })

  test('a payment is looked up although a node is away that may trace', async () => {
    const answers = traced([])
    const [transaction] = answersOf([CONTRACT_CALL]).block.transactions
    answers['eth_getTransactionByHash'] = () => transaction
    const { adapter } = await adapterOf([answers, away(traced(['trace_block']))], auto)
    const found = await adapter.lookUp(String(transaction?.['hash']), scope)
    expect(found?.transfers.map(({ position }) => position)).toEqual(['tx', 'log:0'])
  })

  test('the way of tracing does not change while the process lives', async () => {
    const { adapter, node } = await adapterOf([traced(['trace_block', 'debug_'])], auto)
    await positions(adapter)
    delete node.answers['trace_block']
    await failing(adapter.blockAt({ height: 7 }, scope))
    expect(node.counts['debug_traceBlockByHash']).toBeUndefined()
  })

  describe('E03 that a node refuses, although it was found to trace', () => {
    const OUTER = ['tx', 'log:0']
    const PRUNED = 'required historical state unavailable (reexec=128)'
    const refused = () => refuse(-32000, PRUNED)
    const saying = (lines: readonly string[], words: string) =>
      lines.filter((line) => line.includes(words)).map((line) => JSON.parse(line))
    /** A chain that was traced, on whose nodes traces are refused from now on. */
    const nowRefused = async (answer: Answer, options: object = auto, count = 1) => {
      const nodes = Array.from({ length: count }, () => traced(['trace_block']))
      const opened = await adapterOf(nodes, options)
      expect(await positions(opened.adapter)).toEqual(INNER)
      const [trace] = nodes.map(({ trace_block }) => trace_block)
      for (const node of nodes) node['trace_block'] = answer
      const heal = (at: number) => Object.assign(nodes[at] ?? {}, { trace_block: trace })
      const fail = () => failing(opened.adapter.blockAt({ height: 7 }, scope))
      /** Eleven minutes in which the block is asked for again and again. */
      const waitOut = async () => {
        await fail()
        for (const ms of [300_000, 299_999]) {
          opened.pass(ms)
          await fail()
        }
        opened.pass(60_001)
      }
      return { ...opened, heal, fail, waitOut }
    }

    test('are waited for ten minutes, and then the blocks are read without', async () => {
      const { adapter, lines, pass } = await nowRefused(refused)
      await failing(adapter.blockAt({ height: 7 }, scope))
      pass(599_999)
      await failing(adapter.blockAt({ height: 7 }, scope))
      pass(60_000)
      expect(await positions(adapter)).toEqual(OUTER)
      expect(await positions(adapter)).toEqual(OUTER)
      const [said, ...more] = saying(lines, 'are not seen while')
      expect(said).toMatchObject({ level: 'error', from: 7, to: 7 })
      expect(JSON.stringify(said)).toContain(PRUNED)
      expect(more).toEqual([])
    })

    test('are found again as soon as the node traces, and the gap is named', async () => {
      const { adapter, lines, heal, waitOut } = await nowRefused(refused)
      await waitOut()
      expect(await positions(adapter)).toEqual(OUTER)
      heal(0)
      expect(await positions(adapter)).toEqual(INNER)
      expect(await positions(adapter)).toEqual(INNER)
      const [named, ...more] = saying(lines, 'have them read again')
      expect([named, more]).toMatchObject([{ level: 'error', from: 7, to: 7 }, []])
    })

    test('are waited for anew once the node has traced in between', async () => {
      const { adapter, node, heal, waitOut } = await nowRefused(refused)
      await waitOut()
      expect(await positions(adapter)).toEqual(OUTER)
      heal(0)
      await positions(adapter)
      node.answers['trace_block'] = refused
      await failing(adapter.blockAt({ height: 7 }, scope))
    })

    test('are waited for without an end where the operator has named the way', async () => {
      const { fail, waitOut } = await nowRefused(refused, { traces: 'trace' })
      await waitOut()
      await fail()
    })

    test.each<[string, Answer]>([
      ['is asked too often', busy],
      ['answers nonsense', () => 42],
    ])('N07 are waited for without an end where the node %s', async (_what, answer) => {
      const { fail, waitOut } = await nowRefused(answer)
      await waitOut()
      await fail()
    })

    test('N07 are waited for without an end where the node lacks the block by now', async () => {
      // It is there when it is read, and gone when its traces are asked for.
      let isGone = false
      const { node, fail, waitOut } = await nowRefused(() => {
        isGone = true
        return refuse(-32000, 'header not found')
      })
      const { eth_getBlockByNumber: byNumber } = node.answers
      node.answers['eth_getBlockByNumber'] = (tag: never) => {
        const isAnswered = tag !== '0x7' || !isGone
        isGone = false
        return isAnswered ? byNumber?.(tag) : null
      }
      await waitOut()
      await fail()
    })

    test('are not waited for without an end where the node has the block all the same', async () => {
      const { adapter, waitOut } = await nowRefused(() => refuse(-32000, 'block not found'))
      await waitOut()
      expect(await positions(adapter)).toEqual(OUTER)
    })

    test('begin to be waited for anew where long nobody asked for them', async () => {
      const { adapter, pass, fail, waitOut } = await nowRefused(refused)
      await fail()
      pass(600_000)
      await waitOut()
      expect(await positions(adapter)).toEqual(OUTER)
    })

    test('are asked of another node, every five minutes once the wait is over', async () => {
      const { adapter, pass, heal, waitOut } = await nowRefused(refused, auto, 2)
      await waitOut()
      expect(await positions(adapter)).toEqual(OUTER)
      heal(1)
      pass(300_000)
      expect(await positions(adapter)).toEqual(INNER)
    })

    test('are asked of another node as soon as it is back', async () => {
      const { adapter, nodes, pass, heal, waitOut } = await nowRefused(refused, auto, 2)
      await waitOut()
      // The first is good for the head, so that it is not set aside for long.
      await adapter.tip()
      Object.assign(nodes[1]?.answers ?? {}, { trace_block: busy })
      await failing(adapter.blockAt({ height: 7 }, scope))
      // The first has its turn again while the second is still set aside.
      pass(500)
      expect(await positions(adapter)).toEqual(OUTER)
      heal(1)
      pass(60_000)
      expect(await positions(adapter)).toEqual(INNER)
    })

    test('are not waited for from another node that lacks the block for ever', async () => {
      const { adapter, nodes, pass } = await nowRefused(refused, auto, 2)
      const { eth_getBlockByNumber: byNumber } = nodes[1]?.answers ?? {}
      const lacking: Answer = (tag: never) => (tag === '0x7' ? null : byNumber?.(tag))
      Object.assign(nodes[1]?.answers ?? {}, { eth_getBlockByNumber: lacking })
      const read = () => adapter.blockAt({ height: 7 }, scope)
      for (const ms of [300_000, 299_999, 60_001]) {
        expect(await read()).toBeNull()
        pass(ms)
      }
      expect(await read()).toBeNull()
      pass(60_000)
      expect(await positions(adapter)).toEqual(OUTER)
      pass(60_000)
      expect(await positions(adapter)).toEqual(OUTER)
    })

    test('are never gone without where blocks are read again for them', async () => {
      const { adapter, pass, heal, waitOut } = await nowRefused(refused)
      const again = () => adapter.blockAt({ height: 7 }, { ...scope, isRepair: true })
      await failing(again())
      pass(660_000)
      await expect(again()).rejects.toThrow(PRUNED)
      await waitOut()
      expect(await positions(adapter)).toEqual(OUTER)
      await expect(again()).rejects.toThrow(PRUNED)
      heal(0)
      pass(60_000)
      const moved = (await again())?.transfers.map(({ position }) => position)
      expect(moved).toEqual(INNER)
    })

    test('are not waited for anew because a newer block is traced meanwhile', async () => {
      const answers = traced(['trace_block'])
      const newer = answersOf([CONTRACT_CALL], { number: '0x8' })
      const { frames } = traceOf(newer.block)
      const { eth_getBlockByNumber: byNumber, eth_getBlockReceipts: receipts } = answers
      answers['eth_getBlockByNumber'] = (tag: never) =>
        tag === '0x8' ? newer.block : byNumber?.(tag)
      answers['eth_getBlockReceipts'] = (hash: never) =>
        hash === newer.block.hash ? newer.receipts : receipts?.(hash)
      answers['trace_block'] = (tag) => (tag === '0x8' ? frames : tag === '0x0' ? [] : refused())
      const { adapter, pass } = await adapterOf([answers], auto)
      const innerAt8 = async () =>
        (await adapter.blockAt({ height: 8 }, scope))?.transfers.map(({ position }) => position)
      await failing(adapter.blockAt({ height: 7 }, scope))
      pass(540_000)
      expect(await innerAt8()).toEqual(INNER)
      await failing(adapter.blockAt({ height: 7 }, scope))
      pass(60_000)
      expect(await positions(adapter)).toEqual(OUTER)
      // What is refused above it is another matter.
      expect(await innerAt8()).toEqual(INNER)
      answers['eth_getBlockByNumber'] = (tag: never) =>
        tag === '0x9' ? { ...newer.block, number: '0x9' } : byNumber?.(tag)
      await failing(adapter.blockAt({ height: 9 }, scope))
    })

    test('O04 are waited for no shorter where the clock is set back', async () => {
      const { adapter, pass } = await nowRefused(refused)
      await failing(adapter.blockAt({ height: 7 }, scope))
      pass(-3_600_000)
      await failing(adapter.blockAt({ height: 7 }, scope))
      pass(540_000)
      await failing(adapter.blockAt({ height: 7 }, scope))
      pass(120_000)
      expect(await positions(adapter)).toEqual(OUTER)
    })
  })

  describe('E03 that are too much for the node', () => {
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
      const log = openLog({ level: 'error', pretty: false, destination: { write: () => {} } })
      const rpc = { name: 'node', call } as Partial<JsonRpc> as JsonRpc
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
      ['does not tell its head either', 'auto', undefined],
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

  test('N01 frames of another block are an outage', async () => {
    const answers = traced(['trace_block'])
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

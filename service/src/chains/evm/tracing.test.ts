import { describe, expect, test } from 'vitest'
import { hashOf, sampleBlock } from '../../../test/adapters/evm-sample.ts'
import {
  adapterOf,
  answersOf,
  CONTRACT_CALL,
  failing,
  PLAIN,
  positions,
  scope,
  traceOf,
} from '../../../test/adapters/scripted-chain.ts'
import { refuse } from '../../../test/adapters/scripted-node.ts'
import type { Answer } from '../../../test/adapters/scripted-node.ts'

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
    pass(600_000)
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

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

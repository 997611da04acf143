import { describe, expect, test } from 'vitest'
import {
  adapterOf,
  answersOf,
  CONTRACT_CALL,
  failing,
  positions,
  scope,
  traceOf,
} from '../../../test/adapters/scripted-chain.ts'
import { refuse } from '../../../test/adapters/scripted-node.ts'
import type { Answer } from '../../../test/adapters/scripted-node.ts'
import { AUTO, busy, INNER, tracedBy } from '../../../test/adapters/traced-chain.ts'

describe('traces that a node refuses, although it was found to trace [E03]', () => {
  const OUTER = ['tx', 'log:0']
  const PRUNED = 'required historical state unavailable (reexec=128)'
  const refused = () => refuse(-32000, PRUNED)
  const saying = (lines: readonly string[], words: string) =>
    lines.filter((line) => line.includes(words)).map((line) => JSON.parse(line))
  /** A chain that was traced, on whose nodes traces are refused from now on. */
  const nowRefused = async (answer: Answer, options: object = AUTO, count = 1) => {
    const nodes = Array.from({ length: count }, () => tracedBy(['trace_block']))
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

  test('restart the wait once the node has traced in between', async () => {
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
  ])('are waited for without an end where the node %s [N07]', async (_what, answer) => {
    const { fail, waitOut } = await nowRefused(answer)
    await waitOut()
    await fail()
  })

  test('are waited for without an end where the node lacks the block by now [N07]', async () => {
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

  test('have a limited wait when the node has the block', async () => {
    const { adapter, waitOut } = await nowRefused(() => refuse(-32000, 'block not found'))
    await waitOut()
    expect(await positions(adapter)).toEqual(OUTER)
  })

  test('restart the wait after a long time without queries', async () => {
    const { adapter, pass, fail, waitOut } = await nowRefused(refused)
    await fail()
    pass(600_000)
    await waitOut()
    expect(await positions(adapter)).toEqual(OUTER)
  })

  test('are queried from another node every five minutes after the wait', async () => {
    const { adapter, pass, heal, waitOut } = await nowRefused(refused, AUTO, 2)
    await waitOut()
    expect(await positions(adapter)).toEqual(OUTER)
    heal(1)
    pass(300_000)
    expect(await positions(adapter)).toEqual(INNER)
  })

  test('are queried from another node as soon as it is up again', async () => {
    const { adapter, nodes, pass, heal, waitOut } = await nowRefused(refused, AUTO, 2)
    await waitOut()
    // The first node answers for the head, so it is set aside for a short time only.
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

  test('have a limited wait for another node that lacks the block', async () => {
    const { adapter, nodes, pass } = await nowRefused(refused, AUTO, 2)
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

  test('do not restart the wait because a newer block is traced meanwhile', async () => {
    const answers = tracedBy(['trace_block'])
    const newer = answersOf([CONTRACT_CALL], { number: '0x8' })
    const { frames } = traceOf(newer.block)
    const { eth_getBlockByNumber: byNumber, eth_getBlockReceipts: receipts } = answers
    answers['eth_getBlockByNumber'] = (tag: never) =>
      tag === '0x8' ? newer.block : byNumber?.(tag)
    answers['eth_getBlockReceipts'] = (hash: never) =>
      hash === newer.block.hash ? newer.receipts : receipts?.(hash)
    answers['trace_block'] = (tag) => (tag === '0x8' ? frames : tag === '0x0' ? [] : refused())
    const { adapter, pass } = await adapterOf([answers], AUTO)
    const innerAt8 = async () =>
      (await adapter.blockAt({ height: 8 }, scope))?.transfers.map(({ position }) => position)
    await failing(adapter.blockAt({ height: 7 }, scope))
    pass(540_000)
    expect(await innerAt8()).toEqual(INNER)
    await failing(adapter.blockAt({ height: 7 }, scope))
    pass(60_000)
    expect(await positions(adapter)).toEqual(OUTER)
    // A refusal above it starts a new wait.
    expect(await innerAt8()).toEqual(INNER)
    answers['eth_getBlockByNumber'] = (tag: never) =>
      tag === '0x9' ? { ...newer.block, number: '0x9' } : byNumber?.(tag)
    await failing(adapter.blockAt({ height: 9 }, scope))
  })
})

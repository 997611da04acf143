import { describe, expect, test } from 'vitest'
import { hashOf, sampleBlock } from '../../../test/adapters/evm-sample.ts'
import { adapterOf, answersOf, BSC, scope } from '../../../test/adapters/scripted-chain.ts'
import { refuse } from '../../../test/adapters/scripted-node.ts'
import type { Answer } from '../../../test/adapters/scripted-node.ts'

const PRUNED: [string, () => unknown][] = [
  ['code 4444', () => refuse(4_444, 'pruned history unavailable')],
  ['null', () => null],
  ['a refusal in other words', () => refuse(-32_000, 'missing block data')],
]
const GENESIS = sampleBlock([], { number: '0x0' }).block.hash
const EARLY = sampleBlock([], { number: '0x1', hash: hashOf(0xe1) }).block
const OTHER = sampleBlock([], { number: '0x1', hash: hashOf(0xe2) }).block

/** A node with its head at 7 that answers so for its first block, and has this block at 1. */
function pruned(first: () => unknown, early: unknown = EARLY): Record<string, Answer> {
  const { answers } = answersOf([])
  const byNumber = answers['eth_getBlockByNumber']
  return {
    ...answers,
    eth_getBlockByNumber: (tag: never) => {
      if (tag === '0x0') return first()
      return tag === '0x1' ? early : byNumber?.(tag)
    },
  }
}

const stateOf = (genesis: string) => ({
  state: 'serves',
  identity: { chainId: BSC, genesis },
  head: 7,
})
const pinAt = (hash: string) => ({ genesis: `1:${hash}`, kept: null })

describe.each(PRUNED)('a node that answers %s for its first block', (_how, first) => {
  test('serves, identified by a later block', async () => {
    const { adapter } = await adapterOf([pruned(first)])
    const [report] = await adapter.identify()
    expect(report?.outcome).toEqual(stateOf(`1:${EARLY.hash}`))
    expect((await adapter.tip()).head.height).toBe(7)
    expect((await adapter.blockAt({ height: 7 }, scope))?.height).toBe(7)
  })

  test('is of another chain when that block is another one', async () => {
    const { adapter } = await adapterOf([pruned(first), pruned(first, OTHER)])
    const states = (await adapter.identify()).map(({ outcome }) => outcome.state)
    expect(states).toEqual(['serves', 'wrong-chain'])
  })

  test('is identified by the block that was pinned at first contact', async () => {
    const { adapter } = await adapterOf([pruned(first)])
    const [same] = await adapter.identify(pinAt(EARLY.hash))
    expect(same?.outcome).toEqual(stateOf(`1:${EARLY.hash}`))
    const { adapter: later } = await adapterOf([pruned(first, OTHER)])
    const [other] = await later.identify(pinAt(EARLY.hash))
    expect(other?.outcome).toEqual(stateOf(`1:${OTHER.hash}`))
  })

  test('is identified by a stored block when the pinned one is pruned', async () => {
    const kept = { height: 1, hash: EARLY.hash }
    const { adapter } = await adapterOf([pruned(first)])
    const [same] = await adapter.identify({ genesis: GENESIS, kept })
    expect(same?.outcome).toEqual(stateOf(GENESIS))
    const { adapter: other } = await adapterOf([pruned(first, OTHER)])
    const [report] = await other.identify({ genesis: GENESIS, kept })
    expect(report?.outcome).toEqual(stateOf(`1:${OTHER.hash}`))
  })

  test('keeps its identity when it was asked before the pin was known', async () => {
    const { adapter } = await adapterOf([pruned(first)])
    await adapter.tip()
    const [report] = await adapter.identify({ genesis: GENESIS, kept: null })
    expect(report?.outcome).toEqual(stateOf(GENESIS))
    expect((await adapter.tip()).head.height).toBe(7)
  })
})

test('is identified by its first block when it has one, not by a stored block', async () => {
  const { adapter } = await adapterOf([answersOf([]).answers])
  const [report] = await adapter.identify({
    genesis: hashOf(9),
    kept: { height: 7, hash: hashOf(9) },
  })
  expect(report?.outcome).toEqual(stateOf(GENESIS))
})

test('a node without its first block and a recent one is an outage', async () => {
  const { adapter } = await adapterOf([pruned(() => null, null)])
  const [report] = await adapter.identify()
  expect(report?.outcome).toMatchObject({
    state: 'unreachable',
    reason: expect.stringContaining('neither its first block nor a recent one'),
  })
})

import { describe, expect, test } from 'vitest'
import { hashOf } from '../../../test/adapters/evm-sample.ts'
import { adapterOf, answersOf, PLAIN } from '../../../test/adapters/scripted-chain.ts'

describe('the other nodes of a chain', () => {
  const ours = answersOf([PLAIN])
  const ref = { height: 7, hash: ours.block.hash }

  test('one that has another block at a height is named [N05]', async () => {
    const theirs = answersOf([PLAIN], { hash: hashOf(0xbad) })
    const { adapter, nodes } = await adapterOf([ours.answers, ours.answers, theirs.answers])
    expect(await adapter.dissent(ref)).toEqual({ opposed: [nodes[2]?.url], silent: [] })
  })

  test('excludes nodes with the same block or a lower head, or that are down [N05]', async () => {
    const behind = { ...ours.answers, eth_getBlockByNumber: () => null }
    const { adapter, nodes } = await adapterOf([ours.answers, ours.answers, behind, ours.answers])
    await nodes[3]?.stop()
    expect(await adapter.dissent(ref)).toEqual({ opposed: [], silent: [] })
  })

  test('finds no contradiction with a single node [N05]', async () => {
    const { adapter, node } = await adapterOf([ours.answers])
    const unknown = { height: 7, hash: hashOf(1) }
    expect(await adapter.dissent(unknown)).toEqual({ opposed: [], silent: [] })
    expect(node.counts['eth_getBlockByNumber']).toBe(2)
  })
})

import { describe, expect, test } from 'vitest'
import { sampleBlock } from '../../../test/adapters/evm-sample.ts'
import { adapterOf, answersOf, BSC } from '../../../test/adapters/scripted-chain.ts'
import { refuse } from '../../../test/adapters/scripted-node.ts'
import { systemClock } from '../../base/clock.ts'
import { systemRandom } from '../../base/random.ts'
import { openLog } from '../../base/log.ts'
import { openChains } from '../registry.ts'

const OPTIONS = {
  traces: 'off',
  completeness: 'receipts',
  timeoutMs: 1_000,
  finalityTag: true,
} as const

describe('the tip', () => {
  test('names the final block where the node does', async () => {
    const { answers, block } = answersOf([])
    const final = sampleBlock([], { number: '0x5' }).block
    const byNumber = answers['eth_getBlockByNumber']
    answers['eth_getBlockByNumber'] = (tag: never) =>
      tag === 'finalized' ? final : byNumber?.(tag)
    const { adapter } = await adapterOf([answers])
    expect(await adapter.tip()).toEqual({
      head: { height: 7, hash: block.hash },
      final: { height: 5, hash: final.hash },
    })
    expect(await adapter.hashAt(7)).toBe(block.hash)
  })

  test('names none where the node refuses, which is asked again a minute later', async () => {
    const { answers } = answersOf([])
    const byNumber = answers['eth_getBlockByNumber']
    let refused = 0
    answers['eth_getBlockByNumber'] = (tag: never) => {
      if (tag !== 'finalized') return byNumber?.(tag)
      refused += 1
      return refuse(-39001, 'finalized block not available')
    }
    const { adapter, pass } = await adapterOf([answers])
    for (let round = 0; round < 3; round += 1) expect((await adapter.tip()).final).toBeNull()
    expect(refused).toBe(1)
    pass(60_000)
    await adapter.tip()
    expect(refused).toBe(2)
  })

  test('names the final block of another node where the first names none', async () => {
    const [deaf, knowing] = [answersOf([]), answersOf([])]
    const final = sampleBlock([], { number: '0x5' }).block
    const { answers } = deaf
    const [before, byNumber] = [answers, knowing.answers].map((of) => of['eth_getBlockByNumber'])
    answers['eth_getBlockByNumber'] = (tag: never) =>
      tag === 'finalized' ? refuse(-32602, 'invalid block tag') : before?.(tag)
    knowing.answers['eth_getBlockByNumber'] = (tag: never) =>
      tag === 'finalized' ? final : byNumber?.(tag)
    const { adapter } = await adapterOf([answers, knowing.answers])
    expect((await adapter.tip()).final).toEqual({ height: 5, hash: final.hash })
  })

  test('of a node that is asked too often is not said to have no final block [N07]', async () => {
    const { answers } = answersOf([])
    const byNumber = answers['eth_getBlockByNumber']
    answers['eth_getBlockByNumber'] = (tag: never) =>
      tag === 'finalized' ? refuse(-32005, 'limit exceeded') : byNumber?.(tag)
    const { adapter } = await adapterOf([answers])
    await expect(adapter.tip()).rejects.toThrow('limit exceeded')
  })

  test('is not asked for the final block of a chain that has none', async () => {
    const { adapter, node } = await adapterOf([answersOf([]).answers], { finalityTag: false })
    await adapter.identify()
    const before = node.counts['eth_getBlockByNumber'] ?? 0
    expect((await adapter.tip()).final).toBeNull()
    expect(node.counts['eth_getBlockByNumber']).toBe(before + 1)
  })
})

describe('chains', () => {
  test('without nodes are not opened', () => {
    const chains = openChains({
      chains: [{ ...OPTIONS, chainId: BSC, nodes: [] }],
      clock: systemClock,
      random: systemRandom,
      log: openLog({ level: 'silent', pretty: false }),
    })
    expect([chains.get(BSC), chains.all()]).toEqual([null, []])
  })

  test('identify themselves by chain id and genesis', async () => {
    const { adapter, nodes } = await adapterOf([answersOf([]).answers])
    const genesis = sampleBlock([], { number: '0x0' }).block.hash
    expect(await adapter.identify()).toEqual([
      {
        node: nodes[0]?.url,
        outcome: { state: 'serves', identity: { chainId: BSC, genesis }, head: 7 },
        ms: 0,
      },
    ])
  })
})

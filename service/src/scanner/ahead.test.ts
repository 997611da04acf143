import type { ChainId } from '@sluice/wire'
import { describe, expect, test } from 'vitest'
import { parseChain } from '../../test/adapters/brands.ts'
import { Outage } from '../base/fault.ts'
import type { ChainAdapter } from '../chains/chain-adapter.ts'
import type { Block } from '../chains/port.ts'
import { NOTHING_WITNESSED } from '../deposits/confirm-immediately.ts'
import { BlocksAhead } from './ahead.ts'

const SCOPE = { tokens: [] }
const CHAIN: ChainId = parseChain('eip155:1')

describe('BlocksAhead', () => {
  test('limits concurrent requests, and returns blocks in order', async () => {
    const { adapter, asked } = nodeWith()
    const ahead = new BlocksAhead(adapter, 3)
    ahead.start({ from: 5, to: 20, scope: SCOPE })
    expect(asked).toEqual([5, 6, 7])
    expect(heights(await ahead.take(5, 2))).toEqual([5, 6])
    ahead.start({ from: 7, to: 20, scope: SCOPE })
    expect(asked).toEqual([5, 6, 7, 8, 9])
    expect(heights(await ahead.take(7, 10))).toEqual([7, 8, 9, 10, 11, 12, 13, 14, 15, 16])
  })

  test('limits kept blocks, and fetches more as blocks are taken', async () => {
    const { adapter, asked, most } = nodeWith()
    const ahead = new BlocksAhead(adapter, 2, 5)
    ahead.start({ from: 5, to: 20, scope: SCOPE })
    expect(asked).toEqual([5, 6])
    await settle()
    expect(asked).toEqual([5, 6, 7, 8, 9])
    expect(heights(await ahead.take(5, 2))).toEqual([5, 6])
    await settle()
    expect(asked).toEqual([5, 6, 7, 8, 9, 10, 11])
    expect(heights(await ahead.take(7, 100)).at(-1)).toBe(20)
    expect(asked).toEqual([...new Set(asked)])
    expect(most()).toBe(2)
  })

  test('N08 fetches again what a failed step had taken', async () => {
    const { adapter, asked } = nodeWith()
    const ahead = new BlocksAhead(adapter, 3)
    ahead.start({ from: 5, to: 20, scope: SCOPE })
    await ahead.take(5, 2)
    ahead.start({ from: 7, to: 20, scope: SCOPE })
    // The step that had taken 5 and 6 did not commit: they are wanted once more.
    ahead.start({ from: 5, to: 20, scope: SCOPE })
    expect(heights(await ahead.take(5, 3))).toEqual([5, 6, 7])
    expect(asked.filter((height) => height === 5)).toHaveLength(2)
  })

  test('N08 ends a run before a block that failed, and throws for the first', async () => {
    const { adapter } = nodeWith({ failing: [7] })
    const ahead = new BlocksAhead(adapter, 8)
    ahead.start({ from: 5, to: 20, scope: SCOPE })
    expect(heights(await ahead.take(5, 10))).toEqual([5, 6, null])
    ahead.drop()
    ahead.start({ from: 7, to: 20, scope: SCOPE })
    await expect(ahead.take(7, 10)).rejects.toThrow('away')
  })

  test('N04 after an outage blocks come one at a time, until something is committed', async () => {
    const { adapter, asked } = nodeWith({ failing: [7] })
    const ahead = new BlocksAhead(adapter, 8)
    ahead.start({ from: 5, to: 9, scope: SCOPE })
    expect(heights(await ahead.take(5, 10))).toEqual([5, 6, null])
    asked.length = 0
    ahead.prepare({ from: 7, to: 9, scope: SCOPE })
    ahead.start({ from: 5, to: 9, scope: SCOPE })
    expect(heights(await ahead.take(5, 10))).toEqual([5])
    expect(asked).toEqual([5])
    ahead.speedUp()
    ahead.prepare({ from: 6, to: 9, scope: SCOPE })
    expect(asked).toEqual([5, 6, 7, 8, 9])
  })

  test('N04 ends a run at a block that no node has', async () => {
    const { adapter } = nodeWith({ missing: [7] })
    const ahead = new BlocksAhead(adapter, 8)
    ahead.start({ from: 5, to: 20, scope: SCOPE })
    expect(heights(await ahead.take(5, 10))).toEqual([5, 6, null])
  })

  test('returns only blocks that it was started for', async () => {
    const ahead = new BlocksAhead(nodeWith().adapter, 8)
    expect(await ahead.take(5, 10)).toEqual([])
    ahead.start({ from: 5, to: 6, scope: SCOPE })
    ahead.drop()
    expect(await ahead.take(5, 10)).toEqual([])
  })
})

describe('a run that was prepared', () => {
  const run = { onto: blockOf(4), blocks: [blockOf(5)], judged: [], witnessed: NOTHING_WITNESSED }

  test('is returned once, at the tip where it starts', () => {
    const ahead = new BlocksAhead(nodeWith().adapter, 8)
    ahead.keep(run)
    expect(ahead.ready(blockOf(4))).toBe(run)
    expect(ahead.ready(blockOf(4))).toBeNull()
  })

  test('is dropped after a reorg, an outage, or at another tip [R01]', () => {
    const ahead = new BlocksAhead(nodeWith().adapter, 8)
    ahead.keep(run)
    ahead.drop()
    expect(ahead.ready(blockOf(4))).toBeNull()
    ahead.keep(run)
    ahead.slowDown()
    expect(ahead.ready(blockOf(4))).toBeNull()
    ahead.keep(run)
    expect(ahead.ready({ height: 4, hash: '0x4b' })).toBeNull()
    expect(ahead.ready(blockOf(4))).toBeNull()
  })
})

describe('a run that cannot be judged', () => {
  const CHOICES = 24
  /** Whether each of the next runs is to be judged, where every judging fails. */
  const choices = (ahead: BlocksAhead) =>
    Array.from({ length: CHOICES }, () => {
      const isJudged = ahead.judgesNext()
      if (isJudged) ahead.putOffJudging()
      return isJudged ? 'judged' : '-'
    }).join('')

  test('is judged again with the next run, then ever more rarely', () => {
    const ahead = new BlocksAhead(nodeWith().adapter, 8)
    expect(choices(ahead)).toBe(`judgedjudged-judged--judged----judged--------judged---`)
  })

  test('keeps no block from being fetched with many others', async () => {
    const { adapter, asked } = nodeWith()
    const ahead = new BlocksAhead(adapter, 8)
    const { judgeMax } = ahead
    ahead.putOffJudging()
    expect([ahead.isSlow, ahead.isPartial]).toEqual([false, true])
    expect(ahead.judgeMax).toBeLessThan(judgeMax)
    ahead.prepare({ from: 5, to: 9, scope: SCOPE })
    expect(asked).toEqual([5, 6, 7, 8, 9])
  })

  test('is asked for with every run again once a judging succeeded', () => {
    const ahead = new BlocksAhead(nodeWith().adapter, 8)
    choices(ahead)
    ahead.speedUp()
    expect(ahead.isPartial).toBe(false)
    expect(ahead.judgesNext()).toBe(true)
  })

  test('is still postponed after new blocks, which prove no other query', () => {
    const ahead = new BlocksAhead(nodeWith().adapter, 8)
    ahead.putOffJudging()
    ahead.putOffJudging()
    ahead.slowDown()
    const { judgeMax } = ahead
    ahead.blocksCame()
    expect([ahead.isSlow, ahead.isPartial, ahead.judgeMax]).toEqual([false, true, judgeMax])
    expect([ahead.judgesNext(), ahead.judgesNext()]).toEqual([false, true])
  })
})

/** A node that has every block, but for those that are missing or fail. */
function nodeWith({ failing = [], missing = [] }: { failing?: number[]; missing?: number[] } = {}) {
  const asked: number[] = []
  let underWay = 0
  let most = 0
  const adapter: Pick<ChainAdapter, 'blockAt'> = {
    blockAt: async (query) => {
      const height = 'height' in query ? query.height : 0
      asked.push(height)
      underWay += 1
      most = Math.max(most, underWay)
      await tick()
      underWay -= 1
      if (failing.includes(height)) throw new Outage(CHAIN, 'away')
      return missing.includes(height) ? null : blockOf(height)
    },
  }
  return { adapter, asked, most: () => most }
}

/** All that is under way has come to rest. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await tick()
}

function tick(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

function blockOf(height: number): Block {
  const parentHash = `0x${height - 1}`
  return { height, hash: `0x${height}`, parentHash, time: 0, transfers: [], transactions: [] }
}

function heights(blocks: readonly (Block | null)[]): (number | null)[] {
  return blocks.map((block) => block?.height ?? null)
}

import type { ChainId } from '@sluice/wire'
import { describe, expect, test } from 'vitest'
import { parseChain } from '../../test/adapters/brands.ts'
import { Outage } from '../base/fault.ts'
import type { Block, ChainAdapter } from '../chains/port.ts'
import { BlocksAhead } from './ahead.ts'

const SCOPE = { tokens: [] }
const CHAIN: ChainId = parseChain('eip155:1')

describe('BlocksAhead', () => {
  test('fetches no more at once than it may, and hands out in order', async () => {
    const { adapter, asked } = nodeWith()
    const ahead = new BlocksAhead(adapter, 3)
    ahead.start({ from: 5, to: 20, scope: SCOPE })
    expect(asked).toEqual([5, 6, 7])
    expect(heights(await ahead.take(5, 2))).toEqual([5, 6])
    ahead.start({ from: 7, to: 20, scope: SCOPE })
    expect(asked).toEqual([5, 6, 7, 8, 9])
    expect(heights(await ahead.take(7, 10))).toEqual([7, 8, 9])
  })

  test('N08 fetches again what a failed step had taken', async () => {
    const { adapter, asked } = nodeWith()
    const ahead = new BlocksAhead(adapter, 3)
    ahead.start({ from: 5, to: 20, scope: SCOPE })
    await ahead.take(5, 2)
    ahead.start({ from: 7, to: 20, scope: SCOPE })
    // The step that had taken 5 and 6 did not commit: they are wanted once more.
    ahead.start({ from: 5, to: 20, scope: SCOPE })
    expect(heights(await ahead.take(5, 10))).toEqual([5, 6, 7])
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

  test('hands out nothing that it was not told to fetch', async () => {
    const ahead = new BlocksAhead(nodeWith().adapter, 8)
    expect(await ahead.take(5, 10)).toEqual([])
    ahead.start({ from: 5, to: 6, scope: SCOPE })
    ahead.drop()
    expect(await ahead.take(5, 10)).toEqual([])
  })
})

/** A node that has every block, but for those that are missing or fail. */
function nodeWith({ failing = [], missing = [] }: { failing?: number[]; missing?: number[] } = {}) {
  const asked: number[] = []
  const adapter: Pick<ChainAdapter, 'blockAt'> = {
    blockAt: async (query) => {
      const height = 'height' in query ? query.height : 0
      asked.push(height)
      if (failing.includes(height)) throw new Outage(CHAIN, 'away')
      return missing.includes(height) ? null : blockOf(height)
    },
  }
  return { adapter, asked }
}

function blockOf(height: number): Block {
  const parentHash = `0x${height - 1}`
  return { height, hash: `0x${height}`, parentHash, time: 0, transfers: [], transactions: [] }
}

function heights(blocks: readonly (Block | null)[]): (number | null)[] {
  return blocks.map((block) => block?.height ?? null)
}

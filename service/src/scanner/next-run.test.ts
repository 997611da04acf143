import { describe, expect, test } from 'vitest'
import { parseChain } from '../../test/adapters/brands.ts'
import { Outage } from '../base/fault.ts'
import type { Block } from '../chains/port.ts'
import { BlocksAhead } from './ahead.ts'
import { prepareNext } from './next-run.ts'
import type { Watcher } from './watcher.ts'

const CHAIN = parseChain('eip155:1')

describe('the run after the one that commits', () => {
  test('is kept for the tip on which it starts', async () => {
    const { ahead, prepare } = scanning()
    await prepare({ last: 4, to: 20 })
    const ready = ahead.ready(blockOf(4))
    expect(ready?.blocks.map(({ height }) => height)).toEqual([5, 6, 7])
    expect(ready?.judged).toEqual([])
    expect(ready?.witnessed.upTo).toBe(-1)
  })

  test('is not begun at the head, nor while blocks come one by one', async () => {
    const { ahead, prepare, asked } = scanning()
    await prepare({ last: 20, to: 20 })
    ahead.slowDown()
    await prepare({ last: 4, to: 20 })
    expect(asked).toEqual([])
    expect(ahead.ready(blockOf(4))).toBeNull()
  })

  test('ends before a block that does not chain, and drops those above [R01]', async () => {
    const { ahead, prepare, asked } = scanning({ 6: { ...blockOf(6), parentHash: '0xother' } })
    await prepare({ last: 4, to: 20 })
    expect(ahead.ready(blockOf(4))?.blocks.map(({ height }) => height)).toEqual([5])
    asked.length = 0
    ahead.start({ from: 6, to: 6, scope: { tokens: [] } })
    expect(asked).toEqual([6])
  })

  test('is empty if its first block does not chain onto ours [R01]', async () => {
    const { ahead, prepare } = scanning({ 5: { ...blockOf(5), parentHash: '0xother' } })
    await prepare({ last: 4, to: 20 })
    expect(ahead.ready(blockOf(4))).toBeNull()
  })

  test('is empty during an outage of node or database, without an error [N08]', async () => {
    const away = new Outage(CHAIN, 'away')
    for (const faulty of [scanning({ 5: away }), scanning({}, away)]) {
      await faulty.prepare({ last: 4, to: 20 })
      expect(faulty.ahead.ready(blockOf(4))).toBeNull()
    }
  })

  test('throws a bug', async () => {
    const { prepare } = scanning({}, new Error('ours'))
    await expect(prepare({ last: 4, to: 20 })).rejects.toThrow('ours')
  })
})

/** A scanner in runs of three blocks, with a node that has all of them but for the odd ones. */
function scanning(odd: Record<number, Block | Error> = {}, fault: Error | null = null) {
  const asked: number[] = []
  const adapter = {
    blockAt: async (query: { height: number } | { hash: string }) => {
      const height = 'height' in query ? query.height : 0
      asked.push(height)
      const block = odd[height] ?? blockOf(height)
      if (block instanceof Error) throw block
      return block
    },
  }
  const read = async () => {
    if (fault !== null) throw fault
    return []
  }
  const database = { transaction: read, snapshot: read }
  const entry = { id: CHAIN, namespace: 'eip155', finality: 'depth' }
  const watcher = { adapter, database, entry, required: 12, runMax: 3 }
  const ahead = new BlocksAhead(adapter, 8)
  const prepare = ({ last, to }: { last: number; to: number }) => {
    if (!ahead.isSlow) ahead.prepare({ from: last + 1, to, scope: { tokens: [] } })
    const given = { last: blockOf(last), to, final: null, judged: [] }
    return prepareNext(parseWatcher(watcher), ahead, given)
  }
  return { ahead, prepare, asked }
}

/** Nothing else of a watcher is asked for here. */
function parseWatcher(watcher: object): Watcher {
  return watcher as Watcher
}

function blockOf(height: number): Block {
  const parentHash = `0x${height - 1}`
  return { height, hash: `0x${height}`, parentHash, time: 0, transfers: [], transactions: [] }
}

import { expect, test } from 'vitest'
import { Outage } from '../../base/fault.ts'
import { arePooled } from './waiting.ts'

type Told = Record<'blocks' | 'pool', boolean>
interface Node {
  batch: (calls: readonly { method: string; params: readonly unknown[] }[]) => Promise<unknown[]>
}

const COIN = { txnHash: 'aa'.repeat(32), vout: 1 }
const OUTPUT = { value: '0.001', confirmations: 1 }

/** A node that has the coin in its blocks, and spends it in its pool, as each exchange finds it. */
function nodeThat(...exchanges: readonly [Told, ...Told[]]): Node {
  let asked = 0
  return {
    batch: async (calls) => {
      const now = exchanges[Math.min(asked, exchanges.length - 1)] ?? exchanges[0]
      asked += 1
      return calls.map(({ params: [, , countsWaiting] }) => {
        const isThere = now.blocks && !(countsWaiting === true && now.pool)
        return isThere ? OUTPUT : null
      })
    },
  }
}

const away: Node = {
  batch: async () => {
    throw new Outage('away', 'no answer')
  },
}

function ask(first: Node, ...others: readonly Node[]): Promise<boolean[]> {
  const fleet = { others: () => others, proven: async (node: Node) => node }
  return arePooled({ use: (work) => work(first), ...fleet }, [COIN])
}

const unspent = nodeThat({ blocks: true, pool: false })
const spent = nodeThat({ blocks: true, pool: true })

test('a coin is pooled where what waits at any node spends it [W25]', async () => {
  expect(await ask(unspent)).toEqual([false])
  expect(await ask(spent)).toEqual([true])
  expect(await ask(unspent, away, spent)).toEqual([true])
  expect(await ask(unspent, away)).toEqual([false])
})

test('a coin that a node has not in its blocks is not pooled there', async () => {
  expect(await ask(nodeThat({ blocks: false, pool: false }))).toEqual([false])
})

test('a node that reads the block with the coin while it is asked has nothing pooled', async () => {
  const [before, after] = [
    { blocks: false, pool: false },
    { blocks: true, pool: false },
  ]
  expect(await ask(nodeThat(before, after))).toEqual([false])
})

test('is an outage when no node answers', async () => {
  await expect(ask(away, unspent)).rejects.toThrow(Outage)
})

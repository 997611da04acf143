import { Outage } from '../../base/fault.ts'
import type { Failover } from '../failover.ts'
import type { JsonRpc } from '../json-rpc.ts'
import type { CoinPoint } from '../port.ts'
import { NOT_FOUND, orNull, readExact } from './node.ts'
import { areUnspent } from './spending-node.ts'

const BYTES_MAX = 64_000

type AsksAboutCoins = Pick<JsonRpc, 'batch'>

/** Whether any node has each transaction in its pool; an Outage if a node is down. */
export async function areWaiting(
  failover: Failover<JsonRpc>,
  hashes: readonly string[],
): Promise<boolean[]> {
  const nodes = await failover.use(async (node) => [node, ...failover.others(node)])
  return Promise.all(
    hashes.map(async (txnHash) => {
      const found = await Promise.all(
        nodes.map(async (node) => isWaiting(await failover.proven(node), txnHash)),
      )
      return found.includes(true)
    }),
  )
}

/**
 * Whether an unconfirmed transaction spends each output that blocks have unspent, as far as any
 * node knows. Pools differ, so all nodes are queried; one must answer, and a failing one counts as
 * unknown.
 */
export async function arePooled(
  failover: Pick<Failover<AsksAboutCoins>, 'use' | 'others' | 'proven'>,
  coins: readonly CoinPoint[],
): Promise<boolean[]> {
  const [first, others] = await failover.use(async (node) => {
    return [await spentInPool(node, coins), failover.others(node)] as const
  })
  const besides = await Promise.all(
    others.map((node) =>
      besideIn(node).catch((error: unknown) => {
        if (error instanceof Outage) return []
        throw error
      }),
    ),
  )
  return coins.map((_, at) => [first, ...besides].some((told) => told[at] === true))

  async function besideIn(node: AsksAboutCoins): Promise<boolean[]> {
    return spentInPool(await failover.proven(node), coins)
  }
}

async function spentInPool(node: AsksAboutCoins, coins: readonly CoinPoint[]): Promise<boolean[]> {
  const missing = await withoutPresent(node, coins)
  // An output that the node's blocks do not have is not spent by its pool.
  const unspent = await areUnspent(node, missing)
  const suspected = missing.filter((_, at) => unspent[at] === true)
  // A node that catches up may not have had the block of the output at the first query.
  const pooled = new Set(await withoutPresent(node, suspected))
  return coins.map((coin) => pooled.has(coin))
}

/** Outputs that the node no longer has unspent if its pool counts as well. */
async function withoutPresent(
  node: AsksAboutCoins,
  coins: readonly CoinPoint[],
): Promise<readonly CoinPoint[]> {
  const isThere = await areUnspent(node, coins, { countsWaiting: true })
  return coins.filter((_, at) => isThere[at] !== true)
}

async function isWaiting(node: JsonRpc, txnHash: string): Promise<boolean> {
  const call = { method: 'getmempoolentry', params: [txnHash] }
  return (await orNull(NOT_FOUND, readExact(node, call, BYTES_MAX))) !== null
}

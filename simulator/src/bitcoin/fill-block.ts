import { type PoolView, ancestorsOf } from './pool-rules.ts'
import type { BitcoinTransaction } from './transaction.ts'
import type { Waiting } from './waiting.ts'

/** Room in a block of four million weight, less what Core keeps for its coinbase. */
const VSIZE_MAX = 998_000
/** Core's `blockmintxfee`: satoshi a thousand virtual bytes. */
const LEAST_PER_KVB = 1_000n

interface Package {
  members: readonly Waiting[]
  fee: bigint
  vsize: number
}

/**
 * Transactions for a block, parents before children: the best ancestor fee rate first (Core's
 * ancestor score), and nothing below a minimum rate.
 */
export function fillBlock(
  pool: PoolView & { all(): readonly Waiting[] },
  perKvb: bigint,
): BitcoinTransaction[] {
  const least = perKvb > LEAST_PER_KVB ? perKvb : LEAST_PER_KVB
  const taken = new Map<string, Waiting>()
  const left = new Map(pool.all().map((one) => [one.txid, packageOf(pool, one, taken)]))
  let room = VSIZE_MAX
  while (left.size > 0) {
    const [txid, best] = [...left].reduce((a, b) => (isBetter(b[1], a[1]) ? b : a))
    left.delete(txid)
    if (best.fee * 1_000n < least * BigInt(best.vsize)) break
    if (best.vsize > room) continue
    room -= best.vsize
    for (const one of best.members) {
      taken.set(one.txid, one)
      left.delete(one.txid)
    }
    for (const [other, { members }] of left) {
      const waiting = pool.get(other)
      const isTouched = members.some((one) => taken.has(one.txid))
      if (isTouched && waiting) left.set(other, packageOf(pool, waiting, taken))
    }
  }
  return [...taken.values()].map(({ transaction }) => transaction)
}

/** A transaction with its ancestors, the farthest first. */
function packageOf(pool: PoolView, waiting: Waiting, taken: ReadonlyMap<string, Waiting>): Package {
  const ancestors = [...ancestorsOf(pool, waiting.transaction).values()]
  const rankOf = ({ transaction }: Waiting) => ancestorsOf(pool, transaction).size
  const members = [...ancestors, waiting]
    .filter(({ txid }) => !taken.has(txid))
    .sort((a, b) => rankOf(a) - rankOf(b))
  const fee = members.reduce((sum, one) => sum + one.fee, 0n)
  return { members, fee, vsize: members.reduce((sum, one) => sum + one.vsize, 0) }
}

/** Paying more for its room; of two alike the one that came first. */
function isBetter(a: Package, b: Package): boolean {
  return a.fee * BigInt(b.vsize) > b.fee * BigInt(a.vsize)
}

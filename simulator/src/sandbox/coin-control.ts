import type { BitcoinHand } from '../bitcoin-hand.ts'
import { Mistake } from './mistake.ts'

/** Additional controls of Bitcoin chains. */
export interface CoinControl {
  /** Satoshi a thousand virtual bytes that its node says room costs from now on; null: no word. */
  setFeeRate(perKvb: bigint | null): void
  /** Sets the lowest rate that is mined, children counted; null: no minimum. */
  mineFrom(perKvb: bigint | null): void
  /** Transactions in the pool. */
  waiting(): Promise<WaitingPayment[]>
  /** Spends the coin of a payment of the sandbox otherwise, in a branch that takes over. */
  doubleSpend(txnHash: string): Promise<string>
}

export interface WaitingPayment {
  txnHash: string
  vsize: number
  /** Satoshi. */
  fee: string
  perKvb: string
  /** Together with all that must be mined before it. */
  packagePerKvb: string
}

/** As `getrawmempool` returns it. */
interface Entry {
  vsize: number
  ancestorcount: number
  ancestorsize: number
  fees: { base: number; ancestor: number }
  depends: string[]
}

type Pool = Readonly<Record<string, Entry>>

const SATOSHI = 1e8
const KVB = 1_000n
const RATE_MAX = 10n ** 9n

/** Pool of a node, real or simulated, the highest rate first. */
export async function readWaiting({ rpc }: Pick<BitcoinHand, 'rpc'>): Promise<WaitingPayment[]> {
  const pool = await rpc<Pool>('getrawmempool', [true])
  const all = Object.entries(pool).map(([txnHash, { vsize, fees, ancestorsize }]) => {
    const rate = (fee: number, size: number) => (satoshi(fee) * KVB) / BigInt(size)
    return {
      txnHash,
      vsize,
      fee: satoshi(fees.base).toString(),
      perKvb: rate(fees.base, vsize),
      packagePerKvb: rate(fees.ancestor, ancestorsize).toString(),
    }
  })
  return all
    .sort((a, b) => (a.perKvb > b.perKvb ? -1 : 1))
    .map((one) => ({ ...one, perKvb: one.perKvb.toString() }))
}

/** Mines a block of transactions at or above a rate, with their ancestors. */
export async function mineDear(
  { rpc }: Pick<BitcoinHand, 'rpc'>,
  { miner, perKvb }: { miner: string; perKvb: bigint },
): Promise<void> {
  const pool = await rpc<Pool>('getrawmempool', [true])
  const chosen = new Set<string>()
  const take = (txid: string) => {
    const entry = pool[txid]
    if (entry === undefined || chosen.has(txid)) return
    for (const parent of entry.depends) take(parent)
    chosen.add(txid)
  }
  for (const [txid, { fees, ancestorsize }] of Object.entries(pool)) {
    if (satoshi(fees.ancestor) * KVB >= perKvb * BigInt(ancestorsize)) take(txid)
  }
  await rpc('generateblock', [miner, [...chosen]])
}

/** A rate in the body of a request: a string of digits, or null. */
export function parseRate(rate: unknown): bigint | null {
  if (rate === null) return null
  const isRate = typeof rate === 'string' && /^[1-9][0-9]{0,9}$/.test(rate)
  if (isRate && BigInt(rate) <= RATE_MAX) return BigInt(rate)
  throw new Mistake('perKvb must be satoshi a thousand virtual bytes, such as "5000", or null')
}

/** The id of a transaction in the body of a request. */
export function parseTxid(txid: unknown): string {
  if (typeof txid === 'string' && /^[0-9a-f]{64}$/.test(txid)) return txid
  throw new Mistake('txnHash must be the id of a transaction')
}

function satoshi(coins: number): bigint {
  return BigInt(Math.round(coins * SATOSHI))
}

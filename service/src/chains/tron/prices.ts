import { amountOf, demand, listOf, recordOf, textOf } from './rpc.ts'
import type { TronNode } from './tron-node.ts'

/** Prices as voted by the chain's members, in sun. */
export interface Prices {
  /** One byte of bandwidth, and one unit of energy. */
  byte: bigint
  energy: bigint
  /** Activating an address, and the price that replaces bandwidth then. */
  newAccount: bigint
  newAccountBandwidth: bigint
  memo: bigint
  /** The highest allowed `fee_limit`. */
  feeLimitMax: bigint
}

const TRX = 1_000_000n
/** The chain has never had prices this high: a node that reports them is wrong (N11). */
const MOST: Readonly<Record<keyof Prices, bigint>> = {
  byte: 100_000n,
  energy: 10_000n,
  newAccount: 100n * TRX,
  newAccountBandwidth: 100n * TRX,
  memo: 100n * TRX,
  feeLimitMax: 1_000_000n * TRX,
}
const KEYS: Readonly<Record<keyof Prices, string>> = {
  byte: 'getTransactionFee',
  energy: 'getEnergyFee',
  newAccount: 'getCreateNewAccountFeeInSystemContract',
  newAccountBandwidth: 'getCreateAccountFee',
  memo: 'getMemoFee',
  feeLimitMax: 'getMaxFeeLimit',
}
/** These are never free. */
const NEEDED: readonly (keyof Prices)[] = ['byte', 'energy', 'feeLimitMax']

/** The current prices of the chain. An impossible price is an Outage of the node. */
export async function readPrices(node: TronNode): Promise<Prices> {
  return parsePrices(await node.ask({ method: 'getchainparameters' }))
}

/** The answer of `getchainparameters`; it omits values of zero. */
export function parsePrices(answer: unknown): Prices {
  const { chainParameter } = recordOf(answer, 'chain parameters')
  const values = new Map<string, unknown>()
  for (const one of listOf(chainParameter, 'chain parameters')) {
    const { key, value } = recordOf(one, 'chain parameter')
    values.set(textOf(key, 'chain parameter'), value)
  }
  const read = (name: keyof Prices): bigint => {
    const key = KEYS[name]
    const value = amountOf(values.get(key), key)
    demand(values.has(key) || name === 'memo', `a chain without ${key}`)
    demand(value <= MOST[name] && (value > 0n || !NEEDED.includes(name)), `${key} that cannot be`)
    return value
  }
  return {
    byte: read('byte'),
    energy: read('energy'),
    newAccount: read('newAccount'),
    newAccountBandwidth: read('newAccountBandwidth'),
    memo: read('memo'),
    feeLimitMax: read('feeLimitMax'),
  }
}

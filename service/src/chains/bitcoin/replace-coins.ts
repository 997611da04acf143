import { larger } from '../../base/amount.ts'
import type { Coin } from '../port.ts'
import { balance, COINS_MAX, type Choice, type Wish } from './select-coins.ts'
import { dustOf, feeFor, typesOf, vsizeOf } from './size.ts'

/** A transaction that no block has. */
export interface Stuck {
  coins: readonly Coin[]
  /** What it pays, in base units. */
  fee: bigint
  vsize: number
}

/** What a replacement must pay for its own passing on (BIP-125, rule 4), a thousand bytes. */
const INCREMENT = 1_000n

/**
 * The coins of a replacement that pays the same and is dearer: all those of the first, so that the
 * two can never both be included, and more only where its change does not suffice. Null where that
 * is not possible within the cap: then a child may pay (`childFor`).
 */
export function replaceCoins(stuck: Stuck, wish: Wish, more: readonly Coin[]): Choice | null {
  const coins = [...stuck.coins]
  const spare = [...more].sort((a, b) => (a.amount > b.amount ? -1 : 1))
  for (;;) {
    const choice = coins.length > COINS_MAX ? null : balanceAbove(coins, stuck, wish)
    if (choice !== null) return choice
    const next = spare.shift()
    if (next === undefined || coins.length > COINS_MAX) return null
    coins.push(next)
  }
}

/**
 * What a child gives back that spends one output of a stuck transaction and pays for both; null
 * where nothing would be left, or the cap forbids it.
 */
export function childFor(
  stuck: Pick<Stuck, 'fee' | 'vsize'>,
  output: Coin,
  { changeScript, perKvb, maxFee }: Omit<Wish, 'payees'>,
): Choice | null {
  const change = { script: changeScript }
  const vsize = vsizeOf(typesOf([output]), [change])
  const owed = feeFor(stuck.vsize + vsize, perKvb) - stuck.fee
  const least = feeFor(vsize, INCREMENT)
  const fee = owed > least ? owed : least
  const left = output.amount - fee
  return fee > maxFee || left < dustOf(change) ? null : { coins: [output], change: left, fee }
}

/** At the rate, or above it where what nodes ask of a replacement is more. */
function balanceAbove(
  coins: readonly Coin[],
  stuck: Pick<Stuck, 'fee' | 'vsize'>,
  wish: Wish,
): Choice | null {
  const choice = balance(coins, wish)
  if (choice === null) return null
  const { payees, changeScript } = wish
  const outputs = choice.change === 0n ? payees : [...payees, { script: changeScript }]
  const least = leastAbove(stuck, vsizeOf(typesOf(coins), outputs))
  if (choice.fee >= least) return choice
  const change = choice.change - (least - choice.fee)
  const isFit = least <= wish.maxFee && change >= dustOf({ script: changeScript })
  return isFit ? { coins, change, fee: least } : null
}

/**
 * The least that nodes take in the place of another: its fee and the increment, and a dearer rate
 * than it has (Core compares whole units for a thousand bytes). The rate that it was made at may be
 * less than the one that it has, where what would have returned was too little to return.
 */
function leastAbove({ fee, vsize: before }: Pick<Stuck, 'fee' | 'vsize'>, vsize: number): bigint {
  const dearer = feeFor(vsize, (fee * 1_000n) / BigInt(before) + 1n)
  return larger(fee + feeFor(vsize, INCREMENT), dearer)
}

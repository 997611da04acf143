import { larger } from '../../base/amount.ts'
import type { Coin } from '../port.ts'
import { balance, COINS_MAX, type Choice, type Wish } from './select-coins.ts'
import { dustOf, feeFor, typesOf, vsizeOf } from './size.ts'

/** A transaction that no block includes. */
interface Stuck {
  coins: readonly Coin[]
  /** Its fee, in base units. */
  fee: bigint
  vsize: number
}

/** The price of a replacement's own relay (BIP-125, rule 4), for a thousand bytes. */
const INCREMENT = 1_000n

/**
 * The inputs of a replacement with the same payments and a higher fee: all inputs of the first, so
 * that the two can never both be included, and more only if its change does not suffice. Null if
 * the cap forbids it: a child may then pay (`childFor`).
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
 * The amount that a child returns which spends one output of a stuck transaction and pays for both;
 * null if nothing would be left, or the cap forbids it.
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

/** At the rate, or higher if nodes require more of a replacement. */
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
 * The least fee that nodes accept for a replacement: its fee plus the increment, and a higher rate
 * (Core compares whole units for a thousand bytes). The rate it was made at may be below its actual
 * rate, if its change was too small to return.
 */
function leastAbove({ fee, vsize: before }: Pick<Stuck, 'fee' | 'vsize'>, vsize: number): bigint {
  const dearer = feeFor(vsize, (fee * 1_000n) / BigInt(before) + 1n)
  return larger(fee + feeFor(vsize, INCREMENT), dearer)
}

import type { AddressType, Coin } from '../port.ts'
import { addressTypeOf } from './address.ts'
import { dustOf, feeFor, inputVsize, typesOf, vsizeOf } from './size.ts'

/** An output to pay. */
interface Payee {
  script: Uint8Array
  /** Base units. */
  amount: bigint
}

/** The payments, and the fee. */
export interface Wish {
  payees: readonly Payee[]
  /** The script that change returns to. */
  changeScript: Uint8Array
  /** Base units for a thousand virtual bytes. */
  perKvb: bigint
  /** The highest fee. */
  maxFee: bigint
}

/** The inputs of a transaction and their use: payments, change and fee add up to them. */
export interface Choice {
  coins: readonly Coin[]
  /** Base units; 0 without change. */
  change: bigint
  fee: bigint
}

/** Nodes relay nothing above 100,000 virtual bytes: this many inputs leave room for payees. */
export const COINS_MAX = 1_000
/** The type with the largest input. */
const DEAREST: AddressType = 'p2wpkh'

/**
 * Chooses inputs for payments: the smallest single one that suffices, else the largest until they
 * suffice, so the fee is small. An output that costs more than it is worth is never chosen (B06).
 * Null if the outputs do not suffice, or not within the cap. The choice does not depend on the
 * order of the outputs.
 */
export function selectCoins(coins: readonly Coin[], wish: Wish): Choice | null {
  const worthy = worthyOf(coins, wish)
  return selectOne(worthy, wish) ?? selectLargest(worthy, wish)
}

/**
 * Joins all outputs that are worth more than they cost, the largest first if there are too many for
 * one transaction; null if there are fewer than two, or if the cap forbids it.
 */
export function selectAll(coins: readonly Coin[], wish: Omit<Wish, 'payees'>): Choice | null {
  const worthy = worthyOf(coins, wish).slice(0, COINS_MAX)
  return worthy.length < 2 ? null : balance(worthy, { ...wish, payees: [] })
}

/**
 * The least amount that each of this many outputs, of any type, must have so that joining them
 * returns something: the cost of its input and its share of the rest of the transaction.
 */
export function leastJoined(
  count: number,
  { changeScript, perKvb }: Pick<Wish, 'changeScript' | 'perKvb'>,
): bigint {
  const change = { script: changeScript }
  const types = Array.from({ length: count }, () => DEAREST)
  const whole = feeFor(vsizeOf(types, [change]), perKvb) + dustOf(change)
  const [share, cost] = [ceilOf(whole, count), feeFor(inputVsize(DEAREST), perKvb)]
  return share > cost ? share : cost + 1n
}

/**
 * The change and fee of a transaction with exactly these inputs; null if they do not suffice.
 * Change that nodes would not relay is added to the fee, unless it is the only output.
 */
export function balance(coins: readonly Coin[], wish: Wish): Choice | null {
  const { payees, changeScript, perKvb, maxFee } = wish
  const left = sumOf(coins) - sumOf(payees)
  const change = { script: changeScript }
  const types = typesOf(coins)
  const feeWithChange = feeFor(vsizeOf(types, [...payees, change]), perKvb)
  if (left - feeWithChange >= dustOf(change)) {
    return within(maxFee, { coins, change: left - feeWithChange, fee: feeWithChange })
  }
  if (payees.length === 0 || left < feeFor(vsizeOf(types, payees), perKvb)) return null
  return within(maxFee, { coins, change: 0n, fee: left })
}

/** Outputs that are worth more than they cost, by net value, the largest first. */
function worthyOf(coins: readonly Coin[], { perKvb }: Pick<Wish, 'perKvb'>): Coin[] {
  const costs = {
    p2wpkh: feeFor(inputVsize('p2wpkh'), perKvb),
    p2tr: feeFor(inputVsize('p2tr'), perKvb),
  }
  const valued = coins.map((coin) => {
    return { coin, worth: coin.amount - costs[addressTypeOf(coin.address)] }
  })
  const worthy = valued.filter(({ worth }) => worth > 0n).sort(largestFirst)
  return worthy.map(({ coin }) => coin)
}

/** The smallest sufficient output; the list is sorted. */
function selectOne(sorted: readonly Coin[], wish: Wish): Choice | null {
  let [from, to] = [0, sorted.length]
  while (from < to) {
    const middle = (from + to) >> 1
    const coin = sorted[middle]
    if (coin !== undefined && suffices([coin], wish)) from = middle + 1
    else to = middle
  }
  for (let at = from - 1; at >= 0; at -= 1) {
    const coin = sorted[at]
    const choice = coin === undefined ? null : balance([coin], wish)
    if (choice !== null) return choice
  }
  return null
}

function selectLargest(sorted: readonly Coin[], wish: Wish): Choice | null {
  const chosen: Coin[] = []
  for (const coin of sorted.slice(0, COINS_MAX)) {
    chosen.push(coin)
    const choice = suffices(chosen, wish) ? balance(chosen, wish) : null
    if (choice !== null) return { ...choice, coins: [...chosen] }
  }
  return null
}

/** Whether inputs pay for everything except change, ignoring the cap. */
function suffices(coins: readonly Coin[], { payees, perKvb }: Wish): boolean {
  return sumOf(coins) >= sumOf(payees) + feeFor(vsizeOf(typesOf(coins), payees), perKvb)
}

function within(maxFee: bigint, choice: Choice): Choice | null {
  return choice.fee <= maxFee ? choice : null
}

interface Valued {
  coin: Coin
  /** Its amount less the cost of its input, in base units. */
  worth: bigint
}

function largestFirst(a: Valued, b: Valued): number {
  if (a.worth !== b.worth) return a.worth > b.worth ? -1 : 1
  const [one, other] = [a, b].map(
    ({ coin: { txnHash, vout } }) => `${txnHash}:${String(vout).padStart(10)}`,
  )
  return (one ?? '') < (other ?? '') ? -1 : 1
}

function ceilOf(amount: bigint, parts: number): bigint {
  return (amount + BigInt(parts) - 1n) / BigInt(parts)
}

function sumOf(coins: readonly { amount: bigint }[]): bigint {
  return coins.reduce((sum, { amount }) => sum + amount, 0n)
}

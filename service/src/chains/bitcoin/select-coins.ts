import type { AddressType, Coin } from '../port.ts'
import { addressTypeOf } from './address.ts'
import { dustOf, feeFor, inputVsize, typesOf, vsizeOf } from './size.ts'

/** An output that is to be paid. */
export interface Payee {
  script: Uint8Array
  /** Base units. */
  amount: bigint
}

/** What is to be paid, and how. */
export interface Wish {
  payees: readonly Payee[]
  /** The script that change returns to. */
  changeScript: Uint8Array
  /** Base units for a thousand virtual bytes. */
  perKvb: bigint
  /** The most that may be paid as a fee. */
  maxFee: bigint
}

/** The coins of a transaction and what becomes of them: payments, change and fee add up to them. */
export interface Choice {
  coins: readonly Coin[]
  /** Base units; 0 where nothing returns. */
  change: bigint
  fee: bigint
}

/** Nodes pass nothing on above 100,000 virtual bytes: so many coins leave room for payees. */
export const COINS_MAX = 1_000
/** The type of coin that takes the most room as an input. */
const DEAREST: AddressType = 'p2wpkh'

/**
 * Chooses coins for payments: one that does alone, the smallest such, or else the largest until
 * they suffice, so that the fee is small. A coin that costs more than it brings is never chosen
 * (B06). Null where the coins do not suffice, or not within the cap on the fee. The same coins in
 * another order are the same choice.
 */
export function selectCoins(coins: readonly Coin[], wish: Wish): Choice | null {
  const worthy = worthyOf(coins, wish)
  return selectOne(worthy, wish) ?? selectLargest(worthy, wish)
}

/**
 * All coins that bring more than they cost, the largest first where there are too many for one
 * transaction, to be made into one; null where fewer than two do, or the cap forbids it.
 */
export function selectAll(coins: readonly Coin[], wish: Omit<Wish, 'payees'>): Choice | null {
  const worthy = worthyOf(coins, wish).slice(0, COINS_MAX)
  return worthy.length < 2 ? null : balance(worthy, { ...wish, payees: [] })
}

/**
 * The least that each of so many coins must hold, of whatever type, so that joining them gives
 * something back: the cost of its input, and its part of what the transaction costs besides.
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
 * What a transaction of exactly these coins gives back and costs; null where they do not suffice.
 * Change that nodes would not pass on goes to the fee; but where nobody is paid it is all there is.
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

/** Those that bring more than they cost, by what they bring beyond that, the largest first. */
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

/** The smallest that does alone; they are sorted, so what suffices stands before what does not. */
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

/** Whether coins pay for everything but change, whatever the cap. */
function suffices(coins: readonly Coin[], { payees, perKvb }: Wish): boolean {
  return sumOf(coins) >= sumOf(payees) + feeFor(vsizeOf(typesOf(coins), payees), perKvb)
}

function within(maxFee: bigint, choice: Choice): Choice | null {
  return choice.fee <= maxFee ? choice : null
}

interface Valued {
  coin: Coin
  /** What it brings beyond what it costs, in base units. */
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

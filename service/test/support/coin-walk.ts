import fc from 'fast-check'
import { expect } from 'vitest'
import type { Block, Coin } from '../../src/chains/port.ts'
import { unspentOn } from '../../src/transactions/utxo/coin-rows.ts'
import { pointKey } from '../../src/transactions/utxo/coin.ts'
import {
  blockOf,
  COIN_CHAIN,
  type CoinDesk,
  coinOf,
  fresh,
  type MadeTransaction,
  outside,
  stranger,
} from './coin-desk.ts'

/** One event, and the object that it happens to. */
export interface Step {
  verb: 'pay' | 'send' | 'rob' | 'mine' | 'undo' | 'again' | 'credit' | 'reserve' | 'release'
  pick: number
}

export const steps: fc.Arbitrary<Step> = fc.record({
  verb: fc.constantFrom<Step['verb']>(
    'pay',
    'pay',
    'send',
    'rob',
    'mine',
    'mine',
    'mine',
    'undo',
    'again',
    'credit',
    'credit',
    'reserve',
    'reserve',
    'release',
  ),
  pick: fc.nat({ max: 10_000 }),
})

/** A coin as a child would keep it in a list. */
interface Noted {
  coin: Coin
  isChange: boolean
  height: number | null
  isCredited: boolean
  spendId: string | null
  spentAt: number | null
}

/** A made-up chain, what waits for a block of it, and the plain model of the coins. */
export class Walk {
  readonly #desk: CoinDesk
  readonly #noted = new Map<string, Noted>()
  readonly #chain: { block: Block; transactions: readonly MadeTransaction[] }[] = []
  readonly #sent = new Set<string>()
  #waiting: MadeTransaction[] = []
  #spends = 0

  constructor(desk: CoinDesk) {
    this.#desk = desk
  }

  async take({ verb, pick }: Step): Promise<void> {
    if (verb === 'pay') return this.#pay(pick)
    if (verb === 'send') return this.#send(pick)
    if (verb === 'rob') return this.#rob(pick)
    if (verb === 'mine') return this.#mine()
    if (verb === 'undo') return this.#undo()
    if (verb === 'again') return this.#readAgain()
    if (verb === 'credit') return this.#credit(pick)
    if (verb === 'reserve') return this.#reserve(pick)
    return this.#release(pick)
  }

  async compare(): Promise<void> {
    const { deposits, settlement } = this.#desk
    const noted = [...this.#noted.values()]
    const free = noted.filter(isFree).map(({ coin }) => pointKey(coin))
    expect((await this.#desk.free()).map(pointKey).toSorted()).toEqual(free.toSorted())
    const unspent = noted.filter(({ height, spentAt }) => height !== null && spentAt === null)
    const addresses = [deposits, settlement]
    const { database } = this.#desk.harness
    const rows = await database.transaction((tx) =>
      unspentOn(tx, { chainId: COIN_CHAIN.id, addresses }),
    )
    const keys = unspent.map(({ coin }) => pointKey(coin))
    expect(rows.map(pointKey).toSorted()).toEqual(keys.toSorted())
    const held = unspent.reduce((sum, { coin }) => sum + coin.amount, 0n)
    expect(await this.#desk.sum()).toBe(held)
    const mine = noted.filter(({ spendId }) => spendId !== null)
    for (const { spendId, coin } of mine) {
      expect(await this.#desk.reservedFor(spendId ?? '')).toContain(pointKey(coin))
    }
  }

  /** A stranger pays one of the addresses, or both. */
  async #pay(pick: number): Promise<void> {
    const { deposits, settlement } = this.#desk
    const payees = [deposits, settlement, stranger()].slice(pick % 3)
    const paid = outside(payees.map((address) => ({ address, amount: BigInt(1 + (pick % 97)) })))
    this.#note(paid, false)
    this.#waiting.push(paid)
  }

  /** Spends the reserved coins of a spend, with change. */
  async #send(pick: number): Promise<void> {
    const [spendId] = rotate([...this.#spendIds()], pick)
    if (spendId === undefined || this.#sent.has(spendId)) return
    const coins = this.#of(spendId).map(({ coin }) => coin)
    const amount = BigInt(1 + (pick % 50))
    const txnHash = `own ${spendId}`
    const outputs = [{ address: this.#desk.settlement, amount }]
    const transaction = { txnHash, spends: coins, outputs }
    this.#sent.add(spendId)
    this.#note(transaction, true)
    this.#waiting.push(transaction)
  }

  async #rob(pick: number): Promise<void> {
    const [noted] = rotate(this.#listed(), pick)
    if (noted === undefined) return
    this.#waiting.push({ ...outside([]), spends: [noted.coin] })
  }

  /** A block takes what waits and may be taken, in the order in which it came. */
  async #mine(): Promise<void> {
    const height = this.#chain.length + 1
    const taken = new Set<string>()
    const there = new Set(
      this.#listed()
        .filter(stands)
        .map(({ coin }) => pointKey(coin)),
    )
    const transactions: MadeTransaction[] = []
    this.#waiting = this.#waiting.filter((transaction) => {
      const keys = transaction.spends.map(pointKey)
      if (keys.some((key) => !there.has(key) || taken.has(key))) return true
      for (const key of keys) taken.add(key)
      transaction.outputs.forEach((_, vout) => there.add(pointKey({ ...transaction, vout })))
      transactions.push(transaction)
      return false
    })
    const block = blockOf(height, transactions)
    this.#chain.push({ block, transactions })
    await this.#desk.connect(block)
    for (const { txnHash, outputs, spends } of transactions) {
      outputs.forEach((_, vout) => this.#update({ txnHash, vout }, { height }))
      for (const point of spends) this.#update(point, { spentAt: height })
    }
  }

  async #undo(): Promise<void> {
    const last = this.#chain.pop()
    if (last === undefined) return
    await this.#desk.disconnect(last.block)
    for (const { txnHash, outputs, spends } of last.transactions) {
      for (const point of spends) this.#update(point, { spentAt: null })
      const gone = { height: null, isCredited: false }
      outputs.forEach((_, vout) => this.#update({ txnHash, vout }, gone))
    }
    this.#waiting = [...last.transactions, ...this.#waiting]
  }

  async #readAgain(): Promise<void> {
    for (const { block } of this.#chain.slice(-3)) await this.#desk.connect(block)
  }

  async #credit(pick: number): Promise<void> {
    const open = this.#listed().filter(({ height, isChange }) => height !== null && !isChange)
    const [noted] = rotate(open, pick)
    if (noted === undefined) return
    await this.#desk.credit(noted.coin)
    noted.isCredited = true
  }

  /** Of two coins at most, whether they are free or not. */
  async #reserve(pick: number): Promise<void> {
    const wanted = rotate(this.#listed(), pick).slice(0, 1 + (pick % 2))
    if (wanted.length === 0) return
    this.#spends += 1
    const spendId = await this.#desk.spend(fresh('tx '), this.#spends)
    await this.#desk.claimHash(`own ${spendId}`)
    const coins = wanted.map(({ coin }) => coin)
    const reserved = await this.#desk.reserve(spendId, coins).then(
      () => true,
      () => false,
    )
    expect(reserved).toBe(wanted.every(isFree))
    if (reserved) for (const noted of wanted) noted.spendId = spendId
  }

  async #release(pick: number): Promise<void> {
    const [spendId] = rotate([...this.#spendIds()], pick)
    if (spendId === undefined || this.#sent.has(spendId)) return
    const kept = this.#of(spendId).slice(0, pick % 2)
    const coins = kept.map(({ coin }) => coin)
    await this.#desk.release(spendId, coins)
    for (const noted of this.#of(spendId)) if (!kept.includes(noted)) noted.spendId = null
  }

  #note(transaction: MadeTransaction, isChange: boolean): void {
    const { deposits, settlement } = this.#desk
    transaction.outputs.forEach(({ address }, vout) => {
      if (address !== deposits && address !== settlement) return
      const coin = coinOf(transaction, vout)
      const nothing = { height: null, isCredited: false, spendId: null, spentAt: null }
      this.#noted.set(pointKey(coin), { coin, isChange, ...nothing })
    })
  }

  #update(point: { txnHash: string; vout: number }, change: Partial<Noted>): void {
    const noted = this.#noted.get(pointKey(point))
    if (noted !== undefined) Object.assign(noted, change)
  }

  #listed(): Noted[] {
    return [...this.#noted.values()]
  }

  #of(spendId: string): Noted[] {
    return this.#listed().filter((noted) => noted.spendId === spendId)
  }

  #spendIds(): Set<string> {
    return new Set(this.#listed().flatMap(({ spendId }) => (spendId === null ? [] : [spendId])))
  }
}

function isFree({ height, isChange, isCredited, spendId, spentAt }: Noted): boolean {
  return height !== null && (isChange || isCredited) && spendId === null && spentAt === null
}

function stands({ height, spentAt }: Noted): boolean {
  return height !== null && spentAt === null
}

function rotate<T>(list: readonly T[], by: number): T[] {
  if (list.length === 0) return []
  const from = by % list.length
  return [...list.slice(from), ...list.slice(0, from)]
}

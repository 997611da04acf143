import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  blockOf,
  COIN_CHAIN,
  COIN_TOKEN,
  CoinDesk,
  coinOf,
  fresh,
  outside,
  stranger,
} from '../../../test/support/coin-desk.ts'
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { Bug } from '../../base/assert.ts'
import { Outage } from '../../base/fault.ts'
import type { Coin } from '../../chains/port.ts'
import { readBalances } from '../../ledger/balance.ts'
import { post } from '../../ledger/post.ts'
import { fundingDetected } from '../../../test/support/funding-postings.ts'
import { bookCoinSpend, unbookCoinSpend } from './book-coins.ts'
import { coinsAt, coinsSpentBy, countFreeCoins, freeCoins } from './coin-rows.ts'
import { pointKey } from './coin.ts'
import { reserveAgain } from './reserve-rows.ts'
import { reserveForeseen } from './reserve.ts'

const chainId = COIN_CHAIN.id

let harness: TestDatabase
beforeAll(async () => {
  harness = await openTestDatabase()
})
afterAll(() => harness.close())

describe('coins of an organization', () => {
  test('a deposit is free once credited, our change at once [B13]', async () => {
    const desk = await CoinDesk.open(harness)
    const { deposits, settlement } = desk
    const paid = outside([
      { address: deposits, amount: 500n },
      { address: settlement, amount: 700n },
      { address: stranger(), amount: 900n },
    ])
    const ours = outside([
      { address: settlement, amount: 300n },
      { address: deposits, amount: 100n },
    ])
    await desk.spend(ours.txnHash, 0)
    const block = blockOf(1, [paid, ours])
    await desk.connect(block)
    expect(await desk.keys()).toEqual([pointKey(coinOf(ours, 0))])
    expect(await desk.sum()).toBe(1_600n)
    await desk.disconnect(block)
    await expect(desk.credit(coinOf(paid, 0))).rejects.toBeInstanceOf(Bug)
    expect(await desk.keys()).toEqual([])
    await desk.connect(block)
    expect(await desk.keys()).toEqual([pointKey(coinOf(ours, 0))])
    await desk.credit(coinOf(paid, 0))
    expect(await desk.keys()).toEqual([coinOf(paid, 0), coinOf(ours, 0)].map(pointKey))
    await desk.credit(coinOf(paid, 1))
    expect((await desk.free()).map(({ amount }) => amount)).toEqual([700n, 500n, 300n])
    const { orgId } = desk
    const smallest = await harness.database.transaction((tx) =>
      freeCoins(tx, { orgId, chainId, least: 1n, order: 'smallest', limit: 2 }),
    )
    expect(smallest.map(({ amount }) => amount)).toEqual([300n, 500n])
  })

  test('free coins are all counted, beyond the limit of one transaction [B06]', async () => {
    const desk = await CoinDesk.open(harness)
    const { deposits, orgId } = desk
    const coin = { address: deposits, amount: 500n }
    const many = outside(Array.from({ length: 2_001 }, () => coin))
    await desk.connect(blockOf(1, [many]))
    for (let vout = 0; vout < 2_001; vout += 1) await desk.credit(coinOf(many, vout))
    expect(await desk.free()).toHaveLength(2_000)
    const given = { orgId, chainId, least: 1n }
    const count = await harness.database.transaction((tx) => countFreeCoins(tx, given))
    expect(count).toBe(2_001)
  })

  test('coins below the minimum are neither counted nor selected [B06]', async () => {
    const desk = await CoinDesk.open(harness)
    const { orgId } = desk
    await credited(desk, [5n, 5n, 5n, 90n, 70n, 80n])
    const given = { orgId, chainId, least: 70n }
    const { count, smallest } = await harness.database.transaction(async (tx) => {
      const counted = await countFreeCoins(tx, given)
      return {
        count: counted,
        smallest: await freeCoins(tx, { ...given, order: 'smallest', limit: 2 }),
      }
    })
    expect(count).toBe(3)
    expect(smallest.map(({ amount }) => amount)).toEqual([70n, 80n])
  })

  test('an output from another organization is not our change [B13]', async () => {
    const desk = await CoinDesk.open(harness)
    const other = await CoinDesk.open(harness)
    const theirs = outside([{ address: desk.settlement, amount: 300n }])
    await other.spend(theirs.txnHash, 0)
    await desk.connect(blockOf(1, [theirs]))
    expect(await desk.keys()).toEqual([])
  })

  test('a coin reserved for one spend cannot be reserved for another [B12]', async () => {
    const desk = await CoinDesk.open(harness)
    const [coin] = await credited(desk, [800n])
    const ids = [await desk.spend(fresh('tx '), 0), await desk.spend(fresh('tx '), 1)]
    const tries = await Promise.allSettled(ids.map((id) => desk.reserve(id, [coin])))
    expect(tries.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const winner = ids[tries.findIndex(({ status }) => status === 'fulfilled')] ?? ''
    expect(await desk.reservedFor(winner)).toEqual([pointKey(coin)])
    expect(await desk.keys()).toEqual([])
    await desk.release(winner)
    expect(await desk.keys()).toEqual([pointKey(coin)])
  })

  test('a foreign, uncredited or differing coin is not reserved [B12]', async () => {
    const desk = await CoinDesk.open(harness)
    const [coin] = await credited(desk, [800n])
    const [theirs] = await credited(await CoinDesk.open(harness), [800n])
    const waiting = outside([{ address: desk.deposits, amount: 10n }])
    await desk.connect(blockOf(9, [waiting]))
    const id = await desk.spend(fresh('tx '), 0)
    const late = desk.reserve(id, [coin, coinOf(waiting, 0)])
    await expect(late).rejects.toBeInstanceOf(Outage)
    const others = [theirs, { ...coin, amount: 801n }, { ...coin, vout: 7 }]
    for (const other of others) {
      await expect(desk.reserve(id, [coin, other])).rejects.toBeInstanceOf(Bug)
    }
    await expect(desk.reserve(id, [coin, coin])).rejects.toBeInstanceOf(Bug)
    expect(await desk.keys()).toEqual([pointKey(coin)])
  })

  test('a spend keeps some coins and releases the others [B12]', async () => {
    const desk = await CoinDesk.open(harness)
    const [first, second, third] = await credited(desk, [3n, 2n, 1n])
    const id = await desk.spend(fresh('tx '), 0)
    await desk.reserve(id, [first, second, third])
    await desk.release(id, [second])
    expect(await desk.reservedFor(id)).toEqual([pointKey(second)])
    expect(await desk.keys()).toEqual([first, third].map(pointKey))
  })

  test('the input of a child is reserved before and after inclusion [B09]', async () => {
    const desk = await CoinDesk.open(harness)
    const parent = outside([{ address: desk.settlement, amount: 400n }])
    await desk.spend(parent.txnHash, 0)
    const child = await desk.spend(fresh('tx '), 1)
    const { orgId } = desk
    const given = { orgId, chainId, spendId: child, coin: coinOf(parent, 0) }
    await harness.database.transaction((tx) => reserveForeseen(tx, given))
    expect(await desk.sum()).toBe(0n)
    const again = harness.database.transaction((tx) => reserveForeseen(tx, given))
    await expect(again).rejects.toBeInstanceOf(Bug)
    await desk.connect(blockOf(4, [parent]))
    expect(await desk.reservedFor(child)).toEqual([pointKey(coinOf(parent, 0))])
    expect(await desk.keys()).toEqual([])
    await desk.release(child)
    expect(await desk.keys()).toEqual([pointKey(coinOf(parent, 0))])
  })

  test('released coins are reserved again unless another spend holds them [B12]', async () => {
    const desk = await CoinDesk.open(harness)
    const [first, second, third] = await credited(desk, [3n, 2n, 1n])
    const ids = [await desk.spend(fresh('tx '), 0), await desk.spend(fresh('tx '), 1)] as const
    await desk.reserve(ids[0], [first])
    await desk.reserve(ids[1], [third])
    const [theirs] = await credited(await CoinDesk.open(harness), [4n])
    const { orgId } = desk
    const points = [first, second, third, theirs]
    const given = { orgId, chainId, spendId: ids[0], points }
    await harness.database.transaction((tx) => reserveAgain(tx, given))
    expect(new Set(await desk.reservedFor(ids[0]))).toEqual(new Set([first, second].map(pointKey)))
    expect(await desk.reservedFor(ids[1])).toEqual([pointKey(third)])
    expect(await desk.keys()).toEqual([])
  })

  test('a reservation survives a reorg; a returned coin waits for its credit [R02]', async () => {
    const desk = await CoinDesk.open(harness)
    const paid = outside([
      { address: desk.deposits, amount: 5n },
      { address: desk.deposits, amount: 6n },
    ])
    const before = blockOf(3, [paid])
    await desk.connect(before)
    await desk.credit(coinOf(paid, 0))
    await desk.credit(coinOf(paid, 1))
    const id = await desk.spend(fresh('tx '), 0)
    await desk.reserve(id, [coinOf(paid, 0)])
    await desk.disconnect(before)
    expect(await desk.keys()).toEqual([])
    expect(await desk.sum()).toBe(0n)
    expect(await desk.reservedFor(id)).toEqual([pointKey(coinOf(paid, 0))])
    await desk.connect(blockOf(4, [paid]))
    expect(await desk.keys()).toEqual([])
    await desk.credit(coinOf(paid, 1))
    expect(await desk.keys()).toEqual([pointKey(coinOf(paid, 1))])
    expect(await desk.reservedFor(id)).toEqual([pointKey(coinOf(paid, 0))])
  })

  test('a coin that a foreign transaction spends is recorded with its hash [B11]', async () => {
    const desk = await CoinDesk.open(harness)
    const [coin, kept] = await credited(desk, [9n, 8n])
    const theft = { ...outside([{ address: stranger(), amount: 9n }]), spends: [coin] }
    const block = blockOf(7, [theft])
    await desk.connect(block)
    expect(await desk.keys()).toEqual([pointKey(kept)])
    const id = await desk.spend(fresh('tx '), 0)
    await expect(desk.reserve(id, [coin])).rejects.toBeInstanceOf(Outage)
    const hashes = [theft.txnHash, fresh('tx ')]
    const spent = await harness.database.transaction((tx) => coinsSpentBy(tx, { chainId, hashes }))
    expect(spent).toMatchObject([{ ...coin, spent: { height: 7, txnHash: theft.txnHash } }])
    await desk.disconnect(block)
    expect(await desk.keys()).toEqual([coin, kept].map(pointKey))
  })

  test('a coin is brought and spent in one block, and blocks may be read twice [E01]', async () => {
    const desk = await CoinDesk.open(harness)
    const paid = outside([{ address: desk.deposits, amount: 5n }])
    const gone = { ...outside([]), spends: [coinOf(paid, 0)] }
    const block = blockOf(3, [paid, gone])
    await desk.connect(block)
    await desk.connect(block)
    expect(await desk.sum()).toBe(0n)
    for (const twice of [paid, gone]) {
      await expect(desk.connect(blockOf(3, [twice]))).rejects.toBeInstanceOf(Bug)
    }
    await desk.disconnect(block)
    const points = [coinOf(paid, 0)]
    const [row] = await harness.database.transaction((tx) => coinsAt(tx, { chainId, points }))
    expect(row).toMatchObject({ block: null, spent: null, spendable: false })
  })

  test('deposit coins of a payment are posted through the settlement account [I2]', async () => {
    const desk = await CoinDesk.open(harness)
    const { orgId, deposits, settlement } = desk
    const [first, second] = await credited(desk, [500n, 200n])
    const other = await CoinDesk.open(harness)
    const [theirs] = await credited(other, [50n])
    const earlier = outside([{ address: settlement, amount: 60n }])
    await desk.spend(earlier.txnHash, 1)
    await desk.connect(blockOf(2, [earlier]))
    const change = coinOf(earlier, 0)
    const payment = {
      ...outside([{ address: settlement, amount: 100n }]),
      spends: [first, second, theirs, change],
    }
    const spendId = await desk.spend(payment.txnHash, 0)
    const block = blockOf(5, [payment])
    const whose = { orgId, chainId, tokenId: COIN_TOKEN }
    const spend = { ...whose, spendId, txnHash: payment.txnHash, settlement, block }
    const places = async () => {
      const rows = await harness.database.transaction((tx) => readBalances(tx, whose))
      const standing = rows.filter(
        ({ account, amount }) => account.includes('place') && amount > 0n,
      )
      return Object.fromEntries(standing.map(({ account, amount }) => [account, amount]))
    }
    const referenceId = spendId
    await harness.database.transaction(async (tx) => {
      const moved = { ...whose, amount: 700n, referenceId, blockHeight: 1 }
      await post(tx, [fundingDetected(moved, { kind: 'deposits', address: deposits })])
    })
    const before = await places()
    await desk.connect(block)
    await harness.database.transaction((tx) => bookCoinSpend(tx, spend))
    expect(await places()).toEqual({ [`place:settlement:${settlement}`]: 700n })
    await harness.database.transaction((tx) => unbookCoinSpend(tx, spend))
    expect(await places()).toEqual(before)
  })
})

/** Credited coins at the deposit address, one block each. */
async function credited<const T extends readonly bigint[]>(
  desk: CoinDesk,
  amounts: T,
): Promise<{ [K in keyof T]: Coin }> {
  const coins: Coin[] = []
  for (const amount of amounts) {
    const paid = outside([{ address: desk.deposits, amount }])
    await desk.connect(blockOf(1, [paid]))
    await desk.credit(coinOf(paid, 0))
    coins.push(coinOf(paid, 0))
  }
  return coins as { [K in keyof T]: Coin }
}

import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSpendHooks } from '../../src/app/spend-hooks.ts'
import type { OwnCoin } from '../../src/transactions/utxo/coin.ts'
import { displaceCoins } from '../../src/transactions/utxo/settle-coins.ts'
import {
  BITCOIN_NODES,
  type BitcoinTestChain,
  REGTEST,
  TBTC,
  startSimulatedBitcoin,
} from '../support/bitcoin-chain.ts'
import { type CoinHarness, openCoinHarness, stranger } from '../support/coin-harness.ts'
import {
  amountsTaken,
  bytesOf,
  credit,
  finish,
  giveUp,
  lose,
  PATIENCE,
  reserved,
  wanted,
} from '../support/lost-coins.ts'
import type { Colleague } from '../support/withdrawing-world.ts'
import { REQUIRED } from '../support/world-life.ts'

const COMPLETED = 'created approved processing completed'
const FAILED = 'created approved processing failed'

let chain: BitcoinTestChain
let harness: CoinHarness

const open = async () => {
  harness = await openCoinHarness(chain, { bumpAfterBlocks: PATIENCE })
}

type Wanted = Awaited<ReturnType<typeof wanted>>

/** Each was paid once, with one event. */
async function expectPaid(all: readonly Wanted[]): Promise<void> {
  for (const { id, name, amount } of all) {
    const seen = { held: await harness.held(name), story: await harness.story(id) }
    expect({ name, ...seen }).toEqual({ name, held: [amount], story: COMPLETED })
  }
}

/** Each failed, and was given back once. */
async function expectFailed(all: readonly Wanted[]): Promise<void> {
  for (const { id, name } of all) {
    const seen = { held: await harness.held(name), story: await harness.story(id) }
    expect({ name, ...seen }).toEqual({ name, held: [], story: FAILED })
    expect((await harness.read(id)).failureCode).toBe('DISPLACED')
  }
}

async function expectQuiet(): Promise<void> {
  await harness.expectWhole()
  expect(await alerts()).toEqual([])
  expect(await reserved(harness)).toEqual([])
  for (const claim of ['reserved', 'gas', 'unconfirmed']) {
    expect([claim, await harness.world.balance(TBTC, `claim:${claim}`)]).toEqual([claim, 0n])
  }
}

describe.each(BITCOIN_NODES)('coins lost to a reorg, on $name', ({ start, isThere }) => {
  describe.runIf(isThere)('while a payment spends them', () => {
    beforeAll(async () => {
      chain = await start()
    })
    afterAll(() => chain?.stop())

    test('several are paid once each without a double-spent coin [B03 R03]', async () => {
      await open()
      const { lost, all, id } = await payTogether()
      await lose(harness, lost, { isTaken: true, blocks: 6 })
      await harness.spend()
      expect((await harness.spendOf(id)).transactions).toHaveLength(1)
      expect((await alerts()).map(({ code }) => code)).toEqual(['spend.stuck'])
      await credit(harness, 'cid', 50_000n)
      await harness.spend()
      expect(await amountsTaken(harness, id)).toEqual([
        [60_000n, 70_000n],
        [50_000n, 60_000n],
      ])
      expect((await harness.conclude(id)).status).toBe('Completed')
      await expectPaid(all)
      await expectQuiet()
    })

    test('the older transaction is included when the lost coin returns [R02]', async () => {
      await open()
      const { lost, all, id } = await payTogether()
      await lose(harness, lost, { isTaken: false })
      await credit(harness, 'cid', 50_000n)
      await harness.spend()
      expect(await amountsTaken(harness, id)).toHaveLength(2)
      await chain.hand.mineExactly([lost, await bytesOf(harness, id, 0)])
      await harness.world.settle()
      expect(await reserved(harness)).toEqual([50_000n])
      expect((await harness.conclude(id)).status).toBe('Completed')
      await expectPaid(all)
      const { transactions, txnHash } = await harness.spendOf(id)
      expect(txnHash).toBe(transactions[0]?.txnHash)
      await expectQuiet()
    })

    test('a lost coin that returns too late is available [R03]', async () => {
      await open()
      const { lost, all, id } = await payTogether()
      await lose(harness, lost, { isTaken: false })
      await credit(harness, 'cid', 50_000n)
      await harness.spend()
      await chain.hand.mineExactly([await bytesOf(harness, id, 1)])
      await chain.hand.mineExactly([lost])
      await harness.world.settle()
      expect(await reserved(harness)).toEqual([70_000n])
      await harness.mineEmpty(REQUIRED + 1)
      await expectPaid(all)
      expect(await free(harness)).toContain(70_000n)
      await expectQuiet()
    })

    test('a payment whose only coin is lost fails once that is settled [B03]', async () => {
      await open()
      const { lost, both } = await payOutOfOne()
      await lose(harness, lost, { isTaken: true, blocks: REQUIRED })
      for (const { id } of both) expect((await harness.read(id)).status).toBe('Processing')
      await harness.mineEmpty()
      await expectFailed(both)
      expect(await harness.available()).toBe(0n)
      await expectQuiet()
    })

    test('a double spend that leaves before it settles lets all be paid [R07]', async () => {
      await open()
      const { lost, both } = await payOutOfOne()
      const [one] = both
      await lose(harness, lost, { isTaken: true, blocks: REQUIRED })
      const raw = await bytesOf(harness, one?.id ?? '', 0)
      await chain.hand.undo(REQUIRED)
      await chain.hand.mineExactly([lost, raw])
      await harness.mineEmpty(2 * REQUIRED)
      await expectPaid(both)
      await expectQuiet()
    })
  })
})

describe('coins lost to a reorg', () => {
  beforeAll(async () => {
    chain = await startSimulatedBitcoin()
  })
  afterAll(() => chain?.stop())

  test('a double spend that leaves after it settled freezes the chain [R04]', async () => {
    await open()
    const { lost, both } = await payOutOfOne()
    await lose(harness, lost, { isTaken: true })
    await expectFailed(both)
    await chain.hand.undo(REQUIRED + 2)
    await harness.mineEmpty(REQUIRED + 3)
    const { condition, cause } = await harness.world.state(REGTEST)
    expect([condition, cause]).toEqual(['frozen', expect.stringContaining('payments of our own')])
  })

  test('a lost coin that only a replacement needs is exchanged [W18]', async () => {
    await open()
    await credit(harness, 'ann', 50_300n)
    const extra = await credit(harness, 'bob', 40_000n)
    const one = await wanted(harness, 50_000n)
    await harness.spend()
    await harness.mineEmpty(PATIENCE)
    await harness.spend()
    expect(await amountsTaken(harness, one.id)).toEqual([[50_300n], [40_000n, 50_300n]])
    await lose(harness, extra, { isTaken: true, depth: 2 + 4 })
    await credit(harness, 'cid', 30_000n)
    await harness.spend()
    expect((await amountsTaken(harness, one.id)).slice(2)).toEqual([[30_000n, 50_300n]])
    expect((await harness.conclude(one.id)).status).toBe('Completed')
    await expectPaid([one])
    await expectQuiet()
  })

  test('a transaction that a reorg removed is replaced as before [R02 W18]', async () => {
    await open()
    await credit(harness, 'ann', 90_000n)
    const one = await wanted(harness, 30_000n)
    await harness.spend()
    await harness.mineEmpty(PATIENCE)
    await harness.spend()
    const [first, second] = (await harness.spendOf(one.id)).transactions
    await chain.hand.mineExactly([await bytesOf(harness, one.id, 0)])
    await harness.world.settle()
    await harness.undo(1)
    expect((await harness.spendOf(one.id)).txnHash).toBe(first?.txnHash)
    // At the same rate it is the very transaction that took its place before.
    await harness.spend()
    const { transactions, txnHash } = await harness.spendOf(one.id)
    expect(transactions).toHaveLength(2)
    expect(txnHash).toBe(second?.txnHash)
    expect((await harness.read(one.id)).txnHash).toBe(txnHash)
    expect(await harness.pool()).toEqual([txnHash])
    // Waiting restarts: a higher fee comes as late as after a new transaction.
    await harness.spend()
    expect((await harness.spendOf(one.id)).transactions).toHaveLength(2)
    await harness.mineEmpty(PATIENCE)
    await harness.spend()
    expect((await harness.spendOf(one.id)).transactions).toHaveLength(3)
    expect((await harness.conclude(one.id)).status).toBe('Completed')
    await expectPaid([one])
    await expectQuiet()
  })

  test('a crash while a coin is left out pays once, and ends nothing [W11 W21]', async () => {
    await open()
    const { lost, all, id } = await payTogether()
    await lose(harness, lost, { isTaken: true, blocks: 6 })
    await credit(harness, 'cid', 50_000n)
    const points = ['bump.locked', 'bump.signed', 'bump.stored', 'bump.committed'] as const
    for (const deadly of points) {
      let deaths = 0
      harness.spender.crash = (point) => {
        if (point !== deadly) return
        deaths += 1
        throw new Error(`died at ${point}`)
      }
      // A failure in a round is logged, and retried in the next.
      await harness.spend().catch(() => undefined)
      expect([deadly, deaths]).toEqual([deadly, 1])
      const { transactions } = await harness.spendOf(id)
      expect(transactions).toHaveLength(deadly === 'bump.committed' ? 2 : 1)
    }
    harness.spender.crash = () => undefined
    const spend = await harness.spendOf(id)
    const { database, catalogue } = harness.world
    const { height: upTo } = (await harness.world.state(REGTEST)).tip
    const named = { key: spend, upTo, hooks: openSpendHooks({ catalogue }) }
    expect(await database.transaction((tx) => displaceCoins(tx, named))).toBe(false)
    expect((await harness.conclude(id)).status).toBe('Completed')
    await expectPaid(all)
    await expectQuiet()
  })

  test('a payment from the change of a lost payment ends with it [R03]', async () => {
    await open()
    const { lost, all, id } = await payTogether()
    await harness.mine()
    // Out of what returned, which no other transaction of the first payment returns.
    const next = await wanted(harness, 30_000n)
    await harness.spend()
    await harness.mine(REQUIRED)
    await lose(harness, lost, { isTaken: true, depth: 2 * REQUIRED + 2 })
    expect((await harness.spendOf(id)).state).toBe('Sent')
    await credit(harness, 'cid', 80_000n)
    await finish(harness, id)
    await expectPaid(all)
    await expectFailed([next])
    await expectQuiet()
  })

  test('an unproven loss needs two people, and no possible return [R03]', async () => {
    await open()
    const { lost, both } = await payOutOfOne()
    // As with a coin that came before its origin was kept.
    await harness.tamper('delete from coin_origins')
    const spend = await harness.spendOf(both[0]?.id ?? '')
    const [ann, bob] = [await harness.colleague(), await harness.colleague()]
    const say = (who: Colleague) => giveUp(harness, { spendId: spend.id, userId: who.userId })
    await expect(say(ann)).rejects.toThrow('can still be included')
    await lose(harness, lost, { isTaken: false, blocks: 6 })
    await expect(say(ann)).rejects.toThrow('waits for a block')
    await chain.hand.doubleSpend(lost)
    await expect(say(ann)).rejects.toThrow('our tip is not the head')
    await harness.mineEmpty(REQUIRED + PATIENCE)
    await harness.spend()
    const [told] = await alerts()
    expect([told?.code, told?.subject]).toEqual(['spend.stuck', spend.id])
    expect(await say(ann)).toBe('Proposed')
    await expect(say(ann)).rejects.toThrow('A second person')
    expect(await say(bob)).toBe('GivenUp')
    await expect(say(bob)).rejects.toThrow('is Displaced')
    await expectFailed(both)
    expect(await harness.available()).toBe(0n)
    await expectQuiet()
  })

  test('a child is not abandoned while its parent is pending [W18]', async () => {
    await open()
    await credit(harness, 'ann', 90_000n)
    // A tenth of it pays for the first transaction, but for no higher fee.
    const small = await wanted(harness, 1_500n)
    await harness.spend()
    await harness.mineEmpty(PATIENCE)
    await harness.spend()
    const [child] = await harness.world.database.transaction((tx) =>
      tx.many(sql<{ id: string }>`select id from spends where purpose = 'consolidation'`),
    )
    const { userId } = await harness.colleague()
    const refusal = giveUp(harness, { spendId: child?.id ?? '', userId })
    await expect(refusal).rejects.toThrow('which is not included yet')
    expect((await harness.conclude(small.id)).status).toBe('Completed')
    await expectPaid([small])
  })

  test('a partly paid transaction is abandoned only with the explicit flag [W25]', async () => {
    await open()
    await credit(harness, 'ann', 90_000n)
    const [one, two] = [await wanted(harness, 30_000n), await wanted(harness, 20_000n)]
    await harness.spend()
    const { id: spendId } = await harness.spendOf(one.id)
    const hex = await harness.forge(await harness.coins(), stranger(one.name, chain), 60_000n)
    await chain.hand.mineExactly([hex])
    await harness.mineEmpty(REQUIRED)
    const { userId: ann } = await harness.colleague()
    const { userId: bob } = await harness.colleague()
    await expect(giveUp(harness, { spendId, userId: ann })).rejects.toThrow('--despite-payment')
    for (const userId of [ann, bob])
      await giveUp(harness, { spendId, userId, despitePayment: true })
    for (const { id } of [one, two]) expect((await harness.read(id)).status).toBe('Failed')
  })

  test('no coin is left out when rows and bytes name different coins [A19]', async () => {
    await open()
    const { lost, id } = await payTogether()
    await lose(harness, lost, { isTaken: true })
    const { txnHash } = await credited(50_000n)
    const { txnHash: signed } = await harness.spendOf(id)
    await harness.tamper(`
      update transaction_coins set coin_hash = '${txnHash}'
       where txn_hash = '${signed}' and coin_hash <> '${lost}'`)
    await harness.spend()
    expect((await harness.spendOf(id)).transactions).toHaveLength(1)
    expect((await alerts()).map(({ code }) => code)).toContain('spend.mismatch')
  })
})

/** Three payments together, out of a coin that stays and one that can be lost. */
async function payTogether() {
  await credit(harness, 'ann', 60_000n)
  const lost = await credit(harness, 'bob', 70_000n)
  const all: Wanted[] = []
  for (const amount of [40_000n, 30_000n, 20_000n]) all.push(await wanted(harness, amount))
  const [first] = all
  if (first === undefined) throw new Error('nobody asked')
  await harness.spend()
  return { lost, all, id: first.id }
}

/** Two payments together, out of the only coin that there is. */
async function payOutOfOne() {
  const lost = await credit(harness, 'ann', 90_000n)
  const both = [await wanted(harness, 30_000n), await wanted(harness, 20_000n)]
  await harness.spend()
  return { lost, both }
}

/** A coin that is credited now. */
async function credited(amount: bigint): Promise<OwnCoin> {
  await credit(harness, 'cid', amount)
  const found = (await harness.coins()).find((coin) => coin.amount === amount)
  if (found === undefined) throw new Error('no coin came')
  return found
}

async function alerts() {
  return (await harness.world.alerts()).filter(({ code }) => code !== 'chain.frozen')
}

async function free(inside: CoinHarness): Promise<bigint[]> {
  const all = (await inside.coins()).filter(
    (one) => one.spendId === null && one.spendable && one.block,
  )
  return all.map(({ amount }) => amount)
}

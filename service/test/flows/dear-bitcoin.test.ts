import { afterAll, beforeAll, expect, test } from 'vitest'
import { quoteSpend } from '../../src/chains/bitcoin/quote.ts'
import {
  type BitcoinTestChain,
  REGTEST,
  TBTC,
  startSimulatedBitcoin,
} from '../support/bitcoin-chain.ts'
import { type CoinHarness, openCoinHarness, setPrice, stranger } from '../support/coin-harness.ts'
import { bytesOf } from '../support/lost-coins.ts'
import { REQUIRED } from '../support/world-life.ts'

/** Blocks without inclusion after which a transaction is replaced. */
const BUMP_AFTER = 3
/** For 1,000 virtual bytes: higher than the fee cap of a payment of `AMOUNT`. */
const DEAR = 100_000n
const AMOUNT = 100_000n
/** 10 % of the amount. */
const CAP = 10_000n

let chain: BitcoinTestChain
let harness: CoinHarness
beforeAll(async () => {
  chain = await startSimulatedBitcoin()
})
afterAll(() => chain?.stop())

test('a replacement above the fee cap pays the whole cap [W16 W18]', async () => {
  await open()
  await harness.deposit('ann', 1_000_000n)
  const id = await harness.want(stranger('one in a dear week', chain), AMOUNT)
  const [first, second] = await replaced(id, DEAR)
  expect(first).toBe(141n)
  expectNearCap(second)
  expect(await harness.pool()).toHaveLength(1)
  // A child may pay the rest up to the fee cap.
  await harness.mineEmpty(BUMP_AFTER)
  await harness.spend()
  expect(await fees(id)).toEqual([first, second])
  expect(await harness.pool()).toHaveLength(2)
  expect((await harness.conclude(id)).status).toBe('Completed')
  expect(await harness.held('one in a dear week')).toEqual([AMOUNT])
  await harness.mine(4)
  await harness.expectWhole()
})

test('a replacement with another input pays the fee cap for its size [W16 W18]', async () => {
  await open()
  // The first payment has no change.
  await harness.deposit('ann', AMOUNT + 200n, 60_000n)
  const id = await harness.want(stranger('one without change', chain), AMOUNT)
  const [first, second] = await replaced(id, DEAR)
  expect(first).toBe(200n)
  expectNearCap(second)
  expect((await harness.conclude(id)).status).toBe('Completed')
  expect(await harness.world.alerts()).toEqual([])
  await harness.expectWhole()
})

test('a payment with a high fee rate is replaced by one with a higher rate [W18]', async () => {
  await open()
  // The change would be dust, so it is part of the fee.
  await harness.deposit('ann', AMOUNT + 400n, 60_000n)
  const id = await harness.want(stranger('one dear for its size', chain), AMOUNT)
  const [first, second] = await replaced(id, 1_000n)
  expect([first, second]).toEqual([400n, 761n])
  const { txnHash } = await harness.spendOf(id)
  expect(await harness.pool()).toEqual([txnHash])
  expect((await harness.conclude(id)).status).toBe('Completed')
  await harness.expectWhole()
})

test('a replacement pays the minimum increase when outputs are short [W18]', async () => {
  await open()
  await harness.deposit('ann', AMOUNT + 1_000n, 60_000n)
  const id = await harness.want(stranger('one with little change', chain), AMOUNT)
  await harness.spend()
  // The other output is used by another payment.
  await harness.want(stranger('another', chain), 40_000n)
  expect(await replaced(id, 20_000n)).toEqual([141n, 282n])
  expect((await harness.conclude(id)).status).toBe('Completed')
  await harness.expectWhole()
})

test('reserves of another withdrawal return when the cheaper fee is paid [I3]', async () => {
  await open()
  await harness.deposit('ann', 400_000n)
  const id = await harness.want(stranger('one that was nearly dear', chain), 2n * AMOUNT)
  await harness.spend()
  // It waits for the change of the first payment, and reserves its own fee meanwhile.
  const other = await harness.want(stranger('one called off', chain), AMOUNT)
  const [first = 0n] = await replaced(id, 60_000n)
  await harness.operator.ask('DELETE', `/withdrawals/${other}`)
  const { transactions } = await harness.spendOf(id)
  await chain.hand.mineExactly([Buffer.from(transactions[0]?.raw ?? []).toString('hex')])
  await harness.mineEmpty(5)
  expect(await harness.read(id)).toMatchObject({ status: 'Completed', fee: first })
  expect(await harness.world.balance(TBTC, 'claim:gas')).toBe(0n)
  expect(await harness.available()).toBe(400_000n - 2n * AMOUNT - first)
  await harness.expectWhole()
})

test('a payable withdrawal is not delayed by small ones requested with it [W18]', async () => {
  await open()
  await harness.deposit('ann', 2_000_000n)
  const { adapter } = harness.spender
  const quote: typeof adapter.quote = async (intent, caps) =>
    quoteSpend({ estimate: DEAR, floor: 1_000n }, intent, caps)
  harness.spender.adapter = { ...adapter, quote }
  const large = await harness.want(stranger('one large', chain), 2n * AMOUNT)
  const small: string[] = []
  for (let at = 0; at < 30; at += 1) {
    small.push(await harness.want(stranger(`one small ${at}`, chain), AMOUNT / 100n))
  }
  const next = await harness.want(stranger('large', chain), 3n * AMOUNT)
  await harness.spend()
  const statuses = async (ids: readonly string[]) => {
    const all = await Promise.all(ids.map((id) => harness.read(id)))
    return new Set(all.map(({ status, waitingFor }) => `${status} ${waitingFor}`))
  }
  expect(await statuses([large, next])).toEqual(new Set(['Processing confirmations']))
  expect(await statuses(small)).toEqual(new Set(['Pending fee']))
  // The payable withdrawals share one transaction.
  expect(await harness.pool()).toHaveLength(1)
})

test('fee reserves are not released while a payment needs them [I3]', async () => {
  await open()
  const { world } = harness
  await harness.deposit('ann', 200_000n)
  await harness.deposit('bob', ...Array.from({ length: 60 }, () => 10_000n))
  const small = await harness.want(stranger('a payment of one coin', chain), 100_000n)
  await harness.spend()
  const large = await harness.want(stranger('a payment of many coins', chain), 446_000n)
  await harness.spend()
  const [first, second] = [await harness.spendOf(small), await harness.spendOf(large)]
  // Its fee exceeds its own reserve and uses the rest of the reserve of the first.
  expect(second.maxFee).toBeGreaterThan(first.maxFee * 10n)
  for (const { transactions } of [first, second]) {
    const raw = Buffer.from(transactions[0]?.raw ?? []).toString('hex')
    await chain.hand.mineExactly([raw])
    await harness.mineEmpty(5)
    expect(await world.balance(TBTC, 'claim:gas')).toBeGreaterThanOrEqual(0n)
  }
  for (const id of [small, large]) expect((await harness.read(id)).status).toBe('Completed')
  const unspent = (await harness.coins()).filter(({ spent, block }) => !spent && block)
  const coins = unspent.reduce((sum, { amount }) => sum + amount, 0n)
  expect(await harness.available()).toBe(coins)
})

test('a payment that costs less after a reorg releases the difference [R09 I3]', async () => {
  await open()
  await harness.deposit('ann', 1_000_000n)
  const id = await harness.want(stranger('one cheaper in the end', chain), AMOUNT)
  const [first = 0n, second] = await replaced(id, 20_000n)
  expect(second).toBeGreaterThan(first)
  expect(await harness.conclude(id)).toMatchObject({ status: 'Completed', fee: second })
  await harness.undo(1 + REQUIRED)
  await harness.world.resume(REGTEST)
  await chain.hand.mineExactly([await bytesOf(harness, id, 0)])
  await harness.mineEmpty(REQUIRED)
  expect(await harness.read(id)).toMatchObject({ status: 'Completed', fee: first })
  expect(await harness.world.balance(TBTC, 'claim:gas')).toBe(0n)
  expect(await harness.available()).toBe(1_000_000n - AMOUNT - first)
  await harness.expectWhole()
})

async function open(): Promise<void> {
  harness = await openCoinHarness(chain, { bumpAfterBlocks: BUMP_AFTER })
}

/** Sends a withdrawal, processes it again at another fee rate, and returns the fees. */
async function replaced(id: string, perKvb: bigint): Promise<bigint[]> {
  await harness.spend()
  setPrice(harness, perKvb)
  await harness.mineEmpty(BUMP_AFTER)
  await harness.spend()
  return fees(id)
}

/** The fee of each transaction of a withdrawal's spend. */
async function fees(id: string): Promise<bigint[]> {
  const { transactions } = await harness.spendOf(id)
  return transactions.map(({ maxFee }) => maxFee)
}

function expectNearCap(fee: bigint | undefined): void {
  expect(fee).toBeLessThanOrEqual(CAP)
  expect(fee).toBeGreaterThan((CAP * 99n) / 100n)
}

import { afterAll, beforeAll, expect, test } from 'vitest'
import { coinTermsOf, priceOf } from '../../src/chains/spending.ts'
import { type BitcoinTestChain, startSimulatedBitcoin } from '../support/bitcoin-chain.ts'
import { type CoinHarness, openCoinHarness, setPrice, stranger } from '../support/coin-harness.ts'

/** Blocks without inclusion after which a transaction is replaced. */
const BUMP_AFTER = 3

let chain: BitcoinTestChain
beforeAll(async () => {
  chain = await startSimulatedBitcoin()
})
afterAll(() => chain?.stop())

test('many outputs are consolidated while fees are low, and the fee is booked', async () => {
  const joining = { fromCoins: 6, belowPerKvb: 100_000n }
  const harness = await openCoinHarness(chain, { joining })
  await harness.deposit('ann', 9_000n, 8_000n, 7_000n, 6_000n, 5_000n, 4_000n)
  const before = await harness.available()
  await harness.spend()
  expect(await harness.pool()).toHaveLength(1)
  await harness.spend()
  expect(await harness.pool()).toHaveLength(1)
  await harness.mine(4)
  const free = (await harness.coins()).filter(({ spent }) => spent === null)
  const held = free.reduce((sum, { amount }) => sum + amount, 0n)
  expect(free).toHaveLength(4)
  expect(await harness.available()).toBe(held)
  expect(held).toBeLessThan(before)
  expect(await harness.world.deposits()).toHaveLength(6)
  const id = await harness.want(stranger('ann', chain), 30_000n)
  expect((await harness.conclude(id)).status).toBe('Completed')
  await harness.expectWhole()
})

test('dust does not keep outputs from being consolidated [B06]', async () => {
  const joining = { fromCoins: 6, belowPerKvb: 20_000n }
  const harness = await openCoinHarness(chain, { joining })
  const dust = [546n, 546n, 546n]
  await harness.deposit('ann', ...dust, 90_000n, 80_000n, 70_000n, 60_000n, 50_000n)
  setPrice(harness, 10_000n)
  await harness.spend()
  // Five outputs worth spending are below the minimum of six, regardless of dust.
  expect(await harness.pool()).toEqual([])
  await harness.deposit('bob', 40_000n)
  await harness.spend()
  expect(await harness.pool()).toHaveLength(1)
  const joined = (await harness.coins()).filter(({ spendId }) => spendId !== null)
  const amounts = new Set(joined.map(({ amount }) => amount))
  expect(amounts).toEqual(new Set([40_000n, 50_000n, 60_000n]))
  await harness.mine(4)
  await harness.expectWhole()
})

test('outputs worth less than the fee of joining them are not consolidated [B06]', async () => {
  const joining = { fromCoins: 6, belowPerKvb: 20_000n }
  const harness = await openCoinHarness(chain, { joining })
  // Each is worth 20 more than its own input costs.
  const poor = [700n, 700n, 700n, 700n, 700n, 700n]
  await harness.deposit('ann', ...poor, 90_000n, 80_000n, 70_000n, 60_000n, 50_000n, 40_000n)
  setPrice(harness, 10_000n)
  await harness.spend()
  expect(await harness.pool()).toHaveLength(1)
  await harness.mine(4)
  await harness.expectWhole()
})

test('a consolidation is replaced below the fee limit of consolidations [W16 W18]', async () => {
  const joining = { fromCoins: 6, belowPerKvb: 3_000n }
  const harness = await openCoinHarness(chain, { joining, bumpAfterBlocks: BUMP_AFTER })
  await harness.deposit('ann', 90_000n, 80_000n, 70_000n, 60_000n, 50_000n, 40_000n)
  await harness.spend()
  const prices = async () => {
    await harness.mineEmpty(BUMP_AFTER)
    await harness.spend()
    return pricesOf(harness, 40_000n)
  }
  setPrice(harness, 200_000n)
  expect(await prices()).toEqual([1_000n])
  setPrice(harness, 3_000n)
  expect(await prices()).toEqual([1_000n])
  setPrice(harness, 1_000n)
  expect(await prices()).toEqual([1_000n, 2_000n])
  // The next step would reach the limit.
  expect(await prices()).toEqual([1_000n, 2_000n])
  expect(await harness.world.alerts()).toEqual([])
  await harness.mine(4)
  await harness.expectWhole()
})

test('a child is replaced regardless of the fee limit of consolidations [W18]', async () => {
  const joining = { fromCoins: 6, belowPerKvb: 1n }
  const harness = await openCoinHarness(chain, { joining, bumpAfterBlocks: BUMP_AFTER })
  await harness.deposit('ann', 90_000n)
  const id = await harness.want(stranger('parent', chain), 1_500n)
  await harness.spend()
  for (let rounds = 0; rounds < 2; rounds += 1) {
    await harness.mineEmpty(BUMP_AFTER)
    await harness.spend()
  }
  const { maxFee } = await harness.spendOf(id)
  expect(await pricesOf(harness, 90_000n - 1_500n - maxFee)).toEqual([2_000n, 3_000n])
  expect((await harness.conclude(id)).status).toBe('Completed')
  await harness.mine(4)
  await harness.expectWhole()
})

/** The fee rate per 1,000 virtual bytes of each transaction of the spend of an output. */
async function pricesOf(harness: CoinHarness, amount: bigint): Promise<bigint[]> {
  const coin = (await harness.coins()).find((one) => one.amount === amount)
  const { transactions } = await harness.spendOf(coin?.spendId ?? '')
  return transactions.map(({ terms }) => priceOf(coinTermsOf(terms)))
}

import { afterAll, beforeAll, expect, test } from 'vitest'
import { coinTermsOf, priceOf } from '../../src/chains/spending.ts'
import { type BitcoinTestChain, startSimulatedBitcoin } from '../support/bitcoin-chain.ts'
import { type CoinHouse, openCoinHouse, setPrice, stranger } from '../support/coin-house.ts'

/** Blocks without inclusion after which a transaction is replaced. */
const BUMP_AFTER = 3

let chain: BitcoinTestChain
beforeAll(async () => {
  chain = await startSimulatedBitcoin()
})
afterAll(() => chain?.stop())

test('many outputs are consolidated while fees are low, and the fee is booked', async () => {
  const joining = { fromCoins: 6, belowPerKvb: 100_000n }
  const house = await openCoinHouse(chain, { joining })
  await house.deposit('ann', 9_000n, 8_000n, 7_000n, 6_000n, 5_000n, 4_000n)
  const before = await house.available()
  await house.spend()
  expect(await house.pool()).toHaveLength(1)
  await house.spend()
  expect(await house.pool()).toHaveLength(1)
  await house.mine(4)
  const free = (await house.coins()).filter(({ spent }) => spent === null)
  const held = free.reduce((sum, { amount }) => sum + amount, 0n)
  expect(free).toHaveLength(4)
  expect(await house.available()).toBe(held)
  expect(held).toBeLessThan(before)
  expect(await house.world.deposits()).toHaveLength(6)
  const id = await house.want(stranger('ann', chain), 30_000n)
  expect((await house.conclude(id)).status).toBe('Completed')
  await house.expectWhole()
})

test('dust does not keep outputs from being consolidated [B06]', async () => {
  const joining = { fromCoins: 6, belowPerKvb: 20_000n }
  const house = await openCoinHouse(chain, { joining })
  const dust = [546n, 546n, 546n]
  await house.deposit('ann', ...dust, 90_000n, 80_000n, 70_000n, 60_000n, 50_000n)
  setPrice(house, 10_000n)
  await house.spend()
  // Five outputs worth spending are below the minimum of six, regardless of dust.
  expect(await house.pool()).toEqual([])
  await house.deposit('bob', 40_000n)
  await house.spend()
  expect(await house.pool()).toHaveLength(1)
  const joined = (await house.coins()).filter(({ spendId }) => spendId !== null)
  const amounts = new Set(joined.map(({ amount }) => amount))
  expect(amounts).toEqual(new Set([40_000n, 50_000n, 60_000n]))
  await house.mine(4)
  await house.expectWhole()
})

test('outputs worth less than the fee of joining them are not consolidated [B06]', async () => {
  const joining = { fromCoins: 6, belowPerKvb: 20_000n }
  const house = await openCoinHouse(chain, { joining })
  // Each is worth 20 more than its own input costs.
  const poor = [700n, 700n, 700n, 700n, 700n, 700n]
  await house.deposit('ann', ...poor, 90_000n, 80_000n, 70_000n, 60_000n, 50_000n, 40_000n)
  setPrice(house, 10_000n)
  await house.spend()
  expect(await house.pool()).toHaveLength(1)
  await house.mine(4)
  await house.expectWhole()
})

test('a consolidation is replaced below the fee limit of consolidations [W16 W18]', async () => {
  const joining = { fromCoins: 6, belowPerKvb: 3_000n }
  const house = await openCoinHouse(chain, { joining, bumpAfterBlocks: BUMP_AFTER })
  await house.deposit('ann', 90_000n, 80_000n, 70_000n, 60_000n, 50_000n, 40_000n)
  await house.spend()
  const prices = async () => {
    await house.mineEmpty(BUMP_AFTER)
    await house.spend()
    return pricesOf(house, 40_000n)
  }
  setPrice(house, 200_000n)
  expect(await prices()).toEqual([1_000n])
  setPrice(house, 3_000n)
  expect(await prices()).toEqual([1_000n])
  setPrice(house, 1_000n)
  expect(await prices()).toEqual([1_000n, 2_000n])
  // The next step would reach the limit.
  expect(await prices()).toEqual([1_000n, 2_000n])
  expect(await house.world.alerts()).toEqual([])
  await house.mine(4)
  await house.expectWhole()
})

test('a child is replaced regardless of the fee limit of consolidations [W18]', async () => {
  const joining = { fromCoins: 6, belowPerKvb: 1n }
  const house = await openCoinHouse(chain, { joining, bumpAfterBlocks: BUMP_AFTER })
  await house.deposit('ann', 90_000n)
  const id = await house.want(stranger('parent', chain), 1_500n)
  await house.spend()
  for (let rounds = 0; rounds < 2; rounds += 1) {
    await house.mineEmpty(BUMP_AFTER)
    await house.spend()
  }
  const { maxFee } = await house.spendOf(id)
  expect(await pricesOf(house, 90_000n - 1_500n - maxFee)).toEqual([2_000n, 3_000n])
  expect((await house.conclude(id)).status).toBe('Completed')
  await house.mine(4)
  await house.expectWhole()
})

/** The fee rate per 1,000 virtual bytes of each transaction of the spend of an output. */
async function pricesOf(house: CoinHouse, amount: bigint): Promise<bigint[]> {
  const coin = (await house.coins()).find((one) => one.amount === amount)
  const { transactions } = await house.spendOf(coin?.spendId ?? '')
  return transactions.map(({ terms }) => priceOf(coinTermsOf(terms)))
}

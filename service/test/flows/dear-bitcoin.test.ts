import { afterAll, beforeAll, expect, test } from 'vitest'
import { BITCOIN_NODES, type BitcoinTestChain } from '../support/bitcoin-chain.ts'
import { type CoinHouse, openCoinHouse, setPrice, stranger } from '../support/coin-house.ts'

const [simulated] = BITCOIN_NODES
/** Blocks without it after which a transaction is replaced. */
const BUMP_AFTER = 3
/** For a thousand virtual bytes: dearer than a payment of `AMOUNT` may be. */
const DEAR = 100_000n
const AMOUNT = 100_000n
/** A tenth of it. */
const CAP = 10_000n

let chain: BitcoinTestChain
let house: CoinHouse
beforeAll(async () => {
  if (simulated === undefined) throw new Error('no simulated node')
  chain = await simulated.start()
})
afterAll(() => chain?.stop())

test('W16 W18 above the cap of fees a replacement pays all that the cap allows', async () => {
  await open()
  await house.deposit('ann', 1_000_000n)
  const id = await house.want(stranger('one in a dear week', chain), AMOUNT)
  const [first, second] = await replaced(id, DEAR)
  expect(first).toBe(141n)
  expectNearCap(second)
  expect(await house.pool()).toHaveLength(1)
  // What the cap keeps from the payment itself a child may pay.
  await house.mineEmpty(BUMP_AFTER)
  await house.spend()
  expect(await fees(id)).toEqual([first, second])
  expect(await house.pool()).toHaveLength(2)
  expect((await house.conclude(id)).status).toBe('Completed')
  expect(await house.held('one in a dear week')).toEqual([AMOUNT])
  await house.mine(4)
  await house.expectWhole()
})

test('W16 W18 so does one that takes another coin, for the size that it has then', async () => {
  await open()
  // Nothing returns of the first.
  await house.deposit('ann', AMOUNT + 200n, 60_000n)
  const id = await house.want(stranger('one without change', chain), AMOUNT)
  const [first, second] = await replaced(id, DEAR)
  expect(first).toBe(200n)
  expectNearCap(second)
  expect((await house.conclude(id)).status).toBe('Completed')
  expect(await house.world.alerts()).toEqual([])
  await house.expectWhole()
})

test('W18 where the coins do not pay the price a replacement is dearer by the least', async () => {
  await open()
  await house.deposit('ann', AMOUNT + 1_000n, 60_000n)
  const id = await house.want(stranger('one with little change', chain), AMOUNT)
  await house.spend()
  // What else there is waits in a payment of its own.
  await house.want(stranger('another', chain), 40_000n)
  expect(await replaced(id, 20_000n)).toEqual([141n, 282n])
  expect((await house.conclude(id)).status).toBe('Completed')
  await house.expectWhole()
})

async function open(): Promise<void> {
  house = await openCoinHouse(chain, { bumpAfterBlocks: BUMP_AFTER })
}

/** Sends a withdrawal, and looks after it again at another price; gives the fees. */
async function replaced(id: string, perKvb: bigint): Promise<bigint[]> {
  await house.spend()
  setPrice(house, perKvb)
  await house.mineEmpty(BUMP_AFTER)
  await house.spend()
  return fees(id)
}

/** What each transaction of a withdrawal's spend pays. */
async function fees(id: string): Promise<bigint[]> {
  const { transactions } = await house.spendOf(id)
  return transactions.map(({ maxFee }) => maxFee)
}

function expectNearCap(fee: bigint | undefined): void {
  expect(fee).toBeLessThanOrEqual(CAP)
  expect(fee).toBeGreaterThan((CAP * 99n) / 100n)
}

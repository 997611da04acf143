import { afterAll, beforeAll, expect, test } from 'vitest'
import { BITCOIN_NODES, type BitcoinTestChain } from '../support/bitcoin-chain.ts'
import { openCoinHouse, stranger } from '../support/coin-house.ts'

const [simulated] = BITCOIN_NODES

let chain: BitcoinTestChain
beforeAll(async () => {
  if (simulated === undefined) throw new Error('no simulated node')
  chain = await simulated.start()
})
afterAll(() => chain?.stop())

test('many coins are made one while that is cheap, and the fee is booked', async () => {
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

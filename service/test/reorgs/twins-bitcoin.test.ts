import { afterAll, beforeAll, expect, test } from 'vitest'
import { resumeSender } from '../../src/transactions/resume-sender.ts'
import { type BitcoinTestChain, REGTEST, startSimulatedBitcoin } from '../support/bitcoin-chain.ts'
import { type CoinHouse, openCoinHouse, setPrice, stranger } from '../support/coin-house.ts'
import { REQUIRED } from '../support/world-life.ts'

/** Blocks without it after which a transaction is replaced. */
const BUMP_AFTER = 3
/** Of 160,000 and 158,000; a higher fee needs one more coin. */
const AMOUNT = 317_600n
/** Spent only by our own transaction, not by its twin. */
const LET_GO = 158_000n

let chain: BitcoinTestChain
beforeAll(async () => {
  chain = await startSimulatedBitcoin()
})
afterAll(() => chain?.stop())

test('a payment regains its coins when its twin is removed [R04 B12]', async () => {
  const house = await openCoinHouse(chain, { bumpAfterBlocks: BUMP_AFTER })
  const id = await payInItsPlace(house, 'paid again')
  expect((await letGo(house))?.spendId).toBeNull()
  await takeAway(house)
  const { id: spendId } = await house.spendOf(id)
  expect((await letGo(house))?.spendId).toBe(spendId)
  setPrice(house, 5_000n)
  await house.spend()
  expect((await house.spendOf(id)).transactions).toHaveLength(2)
  const holders = (await house.coins()).map((coin) => coin.spendId)
  expect(holders).toEqual([spendId, spendId, spendId])
  await house.mine(1 + REQUIRED)
  expect((await house.spendOf(id)).state).toBe('Settled')
  expect(await house.held('paid again')).toEqual([AMOUNT])
  await house.expectWhole()
})

test('a payment does not regain coins that another payment has taken [R04 B12]', async () => {
  const house = await openCoinHouse(chain, { bumpAfterBlocks: BUMP_AFTER })
  const id = await payInItsPlace(house, 'paid beside another')
  const other = await house.want(stranger('took it', chain), 150_000n)
  await house.spend()
  await takeAway(house)
  const takerId = (await house.spendOf(other)).id
  expect((await letGo(house))?.spendId).toBe(takerId)
  const { transactions } = await house.spendOf(other)
  await chain.hand.mineExactly(transactions.map(({ raw }) => Buffer.from(raw).toString('hex')))
  await house.world.settle()
  setPrice(house, 5_000n)
  for (let rounds = 0; rounds < 2; rounds += 1) {
    await house.mineEmpty(BUMP_AFTER)
    await house.spend()
  }
  expect(await house.read(other)).toMatchObject({ status: 'Completed' })
  expect((await house.spendOf(other)).state).toBe('Settled')
  expect((await house.spendOf(id)).state).toBe('Displaced')
  expect(await house.held('paid beside another')).toEqual([])
})

/** A withdrawal that is settled by what we do not know, with one of its coins and another. */
async function payInItsPlace(house: CoinHouse, name: string): Promise<string> {
  await house.deposit('ann', 160_000n, LET_GO, 157_900n)
  const id = await house.want(stranger(name, chain), AMOUNT)
  await house.spend()
  const coins = (await house.coins()).filter(({ amount }) => amount !== LET_GO)
  await chain.hand.mineExactly([await house.forge(coins, stranger(name, chain), 300n)])
  await house.world.settle()
  await house.mineEmpty(REQUIRED + 1)
  expect((await house.read(id)).status).toBe('Completed')
  await goOn(house)
  return id
}

/** A reorg deeper than what settles a payment takes away what had paid in its place. */
async function takeAway(house: CoinHouse): Promise<void> {
  await house.undo(REQUIRED + 3)
  expect(await house.world.state(REGTEST)).toMatchObject({ condition: 'frozen' })
  await house.world.resume(REGTEST)
  await goOn(house)
}

/** Resumes like an operator who knows that the key is safe. */
async function goOn({ world, settlement: address }: CoinHouse): Promise<void> {
  const decision = { chainId: REGTEST, address, chainNonce: 0, actor: 'cli:test', reason: 'a look' }
  await world.database.transaction((tx) => resumeSender(tx, decision))
}

async function letGo(house: CoinHouse) {
  return (await house.coins()).find(({ amount }) => amount === LET_GO)
}

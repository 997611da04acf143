import { afterAll, beforeAll, expect, test } from 'vitest'
import { resumeSender } from '../../src/transactions/resume-sender.ts'
import { type BitcoinTestChain, REGTEST, startSimulatedBitcoin } from '../support/bitcoin-chain.ts'
import { type CoinHarness, openCoinHarness, setPrice, stranger } from '../support/coin-harness.ts'
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
  const harness = await openCoinHarness(chain, { bumpAfterBlocks: BUMP_AFTER })
  const id = await payInItsPlace(harness, 'paid again')
  expect((await letGo(harness))?.spendId).toBeNull()
  await takeAway(harness)
  const { id: spendId } = await harness.spendOf(id)
  expect((await letGo(harness))?.spendId).toBe(spendId)
  setPrice(harness, 5_000n)
  await harness.spend()
  expect((await harness.spendOf(id)).transactions).toHaveLength(2)
  const holders = (await harness.coins()).map((coin) => coin.spendId)
  expect(holders).toEqual([spendId, spendId, spendId])
  await harness.mine(1 + REQUIRED)
  expect((await harness.spendOf(id)).state).toBe('Settled')
  expect(await harness.held('paid again')).toEqual([AMOUNT])
  await harness.expectWhole()
})

test('a payment does not regain coins that another payment has taken [R04 B12]', async () => {
  const harness = await openCoinHarness(chain, { bumpAfterBlocks: BUMP_AFTER })
  const id = await payInItsPlace(harness, 'paid beside another')
  const other = await harness.want(stranger('took it', chain), 150_000n)
  await harness.spend()
  await takeAway(harness)
  const takerId = (await harness.spendOf(other)).id
  expect((await letGo(harness))?.spendId).toBe(takerId)
  const { transactions } = await harness.spendOf(other)
  await chain.hand.mineExactly(transactions.map(({ raw }) => Buffer.from(raw).toString('hex')))
  await harness.world.settle()
  setPrice(harness, 5_000n)
  for (let rounds = 0; rounds < 2; rounds += 1) {
    await harness.mineEmpty(BUMP_AFTER)
    await harness.spend()
  }
  expect(await harness.read(other)).toMatchObject({ status: 'Completed' })
  expect((await harness.spendOf(other)).state).toBe('Settled')
  expect((await harness.spendOf(id)).state).toBe('Displaced')
  expect(await harness.held('paid beside another')).toEqual([])
})

/** A withdrawal that is settled by what we do not know, with one of its coins and another. */
async function payInItsPlace(harness: CoinHarness, name: string): Promise<string> {
  await harness.deposit('ann', 160_000n, LET_GO, 157_900n)
  const id = await harness.want(stranger(name, chain), AMOUNT)
  await harness.spend()
  const coins = (await harness.coins()).filter(({ amount }) => amount !== LET_GO)
  await chain.hand.mineExactly([await harness.forge(coins, stranger(name, chain), 300n)])
  await harness.world.settle()
  await harness.mineEmpty(REQUIRED + 1)
  expect((await harness.read(id)).status).toBe('Completed')
  await goOn(harness)
  return id
}

/** A reorg deeper than what settles a payment takes away what had paid in its place. */
async function takeAway(harness: CoinHarness): Promise<void> {
  await harness.undo(REQUIRED + 3)
  expect(await harness.world.state(REGTEST)).toMatchObject({ condition: 'frozen' })
  await harness.world.resume(REGTEST)
  await goOn(harness)
}

/** Resumes like an operator who knows that the key is safe. */
async function goOn({ world, settlement: address }: CoinHarness): Promise<void> {
  const decision = { chainId: REGTEST, address, chainNonce: 0, actor: 'cli:test', reason: 'a look' }
  await world.database.transaction((tx) => resumeSender(tx, decision))
}

async function letGo(harness: CoinHarness) {
  return (await harness.coins()).find(({ amount }) => amount === LET_GO)
}

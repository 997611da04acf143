import { expect, onTestFinished, test } from 'vitest'
import { BITCOIN_NODES } from '../support/bitcoin-chain.ts'
import { type CoinHouse, openCoinHouse, stranger } from '../support/coin-house.ts'
import { credit, giveUp, goOn, lose, PATIENCE } from '../support/lost-coins.ts'
import { REQUIRED } from '../support/world-life.ts'

/** Enough for a double spend to count as settled, and for a lost coin to be waited for no more. */
const BLOCKS = 2 * REQUIRED + 2 * PATIENCE

test('an abandoned withdrawal is paid when the coin returns and it is repeated [R03]', async () => {
  const chain = await BITCOIN_NODES[0]?.start()
  if (chain === undefined) throw new Error('no simulated node')
  onTestFinished(() => chain.stop())
  const house = await openCoinHouse(chain, { bumpAfterBlocks: PATIENCE })
  const lost = await credit(house, 'ann', 90_000n)
  const to = stranger('payee', chain)
  const first = await house.want(to, 30_000n)
  await payDearer(house)
  const { id: spendId, transactions: before } = await house.spendOf(first)
  expect(before).toHaveLength(2)
  // As with a coin stored before its origin was kept: its loss is unproven.
  await house.tamper('delete from coin_origins')
  await lose(house, lost, { isTaken: true, depth: 1 + REQUIRED + PATIENCE, blocks: BLOCKS })
  for (const { userId } of [await house.colleague(), await house.colleague()]) {
    await giveUp(house, { spendId, userId })
  }
  expect((await house.read(first)).status).toBe('Failed')
  // The block returns.
  await chain.hand.undo(BLOCKS)
  await chain.hand.mineExactly([lost])
  await house.mineEmpty(BLOCKS + REQUIRED)
  await goOn(house)
  const again = await house.want(to, 30_000n)
  await payDearer(house)
  const { transactions: after } = await house.spendOf(again)
  expect(after).toHaveLength(2)
  expect(new Set([...before, ...after].map(({ txnHash }) => txnHash)).size).toBe(4)
  expect((await house.conclude(again)).status).toBe('Completed')
  expect(await house.held('payee')).toEqual([30_000n])
  await house.expectWhole()
})

/** Signs what is wanted, and once more after a while in which no block had it. */
async function payDearer(house: CoinHouse): Promise<void> {
  await house.spend()
  await house.mineEmpty(PATIENCE)
  await house.spend()
}

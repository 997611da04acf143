import { expect, onTestFinished, test } from 'vitest'
import { BITCOIN_NODES } from '../support/bitcoin-chain.ts'
import { type CoinHarness, openCoinHarness, stranger } from '../support/coin-harness.ts'
import { credit, giveUp, goOn, lose, PATIENCE } from '../support/lost-coins.ts'
import { REQUIRED } from '../support/world-life.ts'

/** Enough for a double spend to count as settled, and for a lost coin to be waited for no more. */
const BLOCKS = 2 * REQUIRED + 2 * PATIENCE

test('an abandoned withdrawal is paid when the coin returns and it is repeated [R03]', async () => {
  const chain = await BITCOIN_NODES[0]?.start()
  if (chain === undefined) throw new Error('no simulated node')
  onTestFinished(() => chain.stop())
  const harness = await openCoinHarness(chain, { bumpAfterBlocks: PATIENCE })
  const lost = await credit(harness, 'ann', 90_000n)
  const to = stranger('payee', chain)
  const first = await harness.want(to, 30_000n)
  await payDearer(harness)
  const { id: spendId, transactions: before } = await harness.spendOf(first)
  expect(before).toHaveLength(2)
  // As with a coin stored before its origin was kept: its loss is unproven.
  await harness.tamper('delete from coin_origins')
  await lose(harness, lost, { isTaken: true, depth: 1 + REQUIRED + PATIENCE, blocks: BLOCKS })
  for (const { userId } of [await harness.colleague(), await harness.colleague()]) {
    await giveUp(harness, { spendId, userId })
  }
  expect((await harness.read(first)).status).toBe('Failed')
  // The block returns.
  await chain.hand.undo(BLOCKS)
  await chain.hand.mineExactly([lost])
  await harness.mineEmpty(BLOCKS + REQUIRED)
  await goOn(harness)
  const again = await harness.want(to, 30_000n)
  await payDearer(harness)
  const { transactions: after } = await harness.spendOf(again)
  expect(after).toHaveLength(2)
  expect(new Set([...before, ...after].map(({ txnHash }) => txnHash)).size).toBe(4)
  expect((await harness.conclude(again)).status).toBe('Completed')
  expect(await harness.held('payee')).toEqual([30_000n])
  await harness.expectWhole()
})

/** Signs what is wanted, and once more after a while in which no block had it. */
async function payDearer(harness: CoinHarness): Promise<void> {
  await harness.spend()
  await harness.mineEmpty(PATIENCE)
  await harness.spend()
}

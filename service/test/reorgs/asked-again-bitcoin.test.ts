import { expect, onTestFinished, test } from 'vitest'
import { BITCOIN_NODES } from '../support/bitcoin-chain.ts'
import { openCoinHouse, stranger } from '../support/coin-house.ts'
import { credit, giveUp, goOn, lose, PATIENCE } from '../support/lost-coins.ts'
import { REQUIRED } from '../support/world-life.ts'

test('R03 who was given up is paid where the coin is back and it is asked again', async () => {
  const chain = await BITCOIN_NODES[0]?.start()
  if (chain === undefined) throw new Error('no simulated node')
  onTestFinished(() => chain.stop())
  const house = await openCoinHouse(chain, { bumpAfterBlocks: PATIENCE })
  const lost = await credit(house, 'ann', 90_000n)
  const to = stranger('payee', chain)
  const first = await house.want(to, 30_000n)
  await house.spend()
  const { id: spendId, txnHash } = await house.spendOf(first)
  // As with a coin that came before its origin was kept: nothing proves that it is gone.
  await house.tamper('delete from coin_origins')
  await lose(house, lost, { isTaken: true, blocks: 2 * REQUIRED + PATIENCE })
  for (const { userId } of [await house.colleague(), await house.colleague()]) {
    await giveUp(house, { spendId, userId })
  }
  expect((await house.read(first)).status).toBe('Failed')
  // It comes back all the same.
  await chain.hand.undo(2 * REQUIRED + PATIENCE)
  await chain.hand.mineExactly([lost])
  await house.mineEmpty(3 * REQUIRED + PATIENCE)
  await goOn(house)
  const again = await house.want(to, 30_000n)
  expect((await house.conclude(again)).status).toBe('Completed')
  expect((await house.spendOf(again)).txnHash).not.toBe(txnHash)
  expect(await house.held('payee')).toEqual([30_000n])
  await house.expectWhole()
})

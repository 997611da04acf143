import { expect, onTestFinished, test } from 'vitest'
import { REORG_DEPTH_MAX } from '../../src/scanner/reconcile.ts'
import { REGTEST, startSimulatedBitcoin } from '../support/bitcoin-chain.ts'
import { openCoinHouse, stranger } from '../support/coin-house.ts'
import { REQUIRED } from '../support/world-life.ts'

test('a payment removed by a reorg below the kept blocks is paid once [R04 R09]', async () => {
  const chain = await startSimulatedBitcoin()
  onTestFinished(() => chain.stop())
  const house = await openCoinHouse(chain)
  await house.deposit('ann', 400_000n)
  const id = await house.want(stranger('bob', chain), 100_000n)
  await house.spend()
  await house.mine(1 + REQUIRED)
  expect(await house.read(id)).toMatchObject({ status: 'Completed' })
  const { txnHash } = await house.spendOf(id)
  await house.mineEmpty(REORG_DEPTH_MAX)
  // Every block since the payment's.
  await house.undo(REORG_DEPTH_MAX + 1 + REQUIRED)
  expect(await house.world.state(REGTEST)).toMatchObject({ condition: 'halted' })
  expect(await house.spendOf(id)).toMatchObject({ state: 'Settled' })
  await house.world.resume(REGTEST)
  await house.world.settle()
  expect(await house.world.state(REGTEST)).toMatchObject({ condition: 'frozen' })
  expect((await house.world.state(REGTEST)).cause).toContain('1 settled payments of our own')
  expect(await house.spendOf(id)).toMatchObject({ state: 'Sent', txnHash })
  await house.world.resume(REGTEST)
  await house.spend()
  await house.mine(1 + REQUIRED)
  expect(await house.spendOf(id)).toMatchObject({ state: 'Settled' })
  expect(await house.held('bob')).toEqual([100_000n])
  await house.expectWhole()
})

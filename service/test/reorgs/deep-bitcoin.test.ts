import { expect, onTestFinished, test } from 'vitest'
import { REORG_DEPTH_MAX } from '../../src/scanner/reconcile.ts'
import { REGTEST, startSimulatedBitcoin } from '../support/bitcoin-chain.ts'
import { openCoinHarness, stranger } from '../support/coin-harness.ts'
import { REQUIRED } from '../support/world-life.ts'

test('a payment removed by a reorg below the kept blocks is paid once [R04 R09]', async () => {
  const chain = await startSimulatedBitcoin()
  onTestFinished(() => chain.stop())
  const harness = await openCoinHarness(chain)
  await harness.deposit('ann', 400_000n)
  const id = await harness.want(stranger('bob', chain), 100_000n)
  await harness.spend()
  await harness.mine(1 + REQUIRED)
  expect(await harness.read(id)).toMatchObject({ status: 'Completed' })
  const { txnHash } = await harness.spendOf(id)
  await harness.mineEmpty(REORG_DEPTH_MAX)
  // Every block since the payment's.
  await harness.undo(REORG_DEPTH_MAX + 1 + REQUIRED)
  expect(await harness.world.state(REGTEST)).toMatchObject({ condition: 'halted' })
  expect(await harness.spendOf(id)).toMatchObject({ state: 'Settled' })
  await harness.world.resume(REGTEST)
  await harness.world.settle()
  expect(await harness.world.state(REGTEST)).toMatchObject({ condition: 'frozen' })
  expect((await harness.world.state(REGTEST)).cause).toContain('1 settled payments of our own')
  expect(await harness.spendOf(id)).toMatchObject({ state: 'Sent', txnHash })
  await harness.world.resume(REGTEST)
  await harness.spend()
  await harness.mine(1 + REQUIRED)
  expect(await harness.spendOf(id)).toMatchObject({ state: 'Settled' })
  expect(await harness.held('bob')).toEqual([100_000n])
  await harness.expectWhole()
})

import { expect, test } from 'vitest'
import { created, openEvmHarness } from '../support/evm-harness.ts'
import type { WithdrawingWorld } from '../support/withdrawing-world.ts'
import { REQUIRED } from '../support/world-life.ts'

/** Deep enough that blocks at this depth are credited, and below all blocks mined by tests. */
const DEPTH = REQUIRED + 3

test('no transaction is signed during an undo, before the chain is frozen [R04]', async () => {
  const { harness, chain } = await openPaying()
  const { address } = await harness.world.issue('ann')
  chain.pay({ to: address, amount: 7n })
  await harness.mine(DEPTH)
  expect(await harness.world.deposits()).toMatchObject([{ status: 'Confirmed' }])
  const id = await created(harness, 'a deep reorg')
  chain.reorg({ depth: DEPTH, keep: 'none', extra: 1 })
  // The last step undoes the block of the deposit.
  for (let steps = 1; steps < DEPTH; steps += 1) {
    expect(await harness.world.step()).toBe('moved')
    expect(await harness.world.state()).toMatchObject({ condition: 'running' })
    await harness.spend()
    await expectUnsigned(harness, id)
  }
  await harness.world.settle()
  expect(await harness.world.state()).toMatchObject({ condition: 'frozen' })
  await harness.spend()
  await expectUnsigned(harness, id)
  await harness.world.resume()
  expect(await harness.conclude(id)).toMatchObject({ status: 'Completed' })
})

test('payments continue once the blocks of another branch are read [R04]', async () => {
  const { harness, chain } = await openPaying()
  await harness.mine(DEPTH)
  const id = await created(harness, 'a reorg of nothing')
  chain.reorg({ depth: 3, keep: 'none', extra: 1 })
  await harness.world.step()
  await harness.spend()
  await expectUnsigned(harness, id)
  await harness.world.settle()
  await harness.spend()
  expect(await harness.read(id)).toMatchObject({ status: 'Processing' })
})

test('payments continue when the nodes end at the block that the undo reached [R08]', async () => {
  const { harness, chain } = await openPaying()
  await harness.mine(DEPTH)
  const id = await created(harness, 'back to a shorter one')
  const ours = chain.rollback(1).map(({ hash }) => hash)
  const below = chain.head().hash
  chain.setHead(ours.at(-1) ?? '')
  chain.reorg({ depth: 1, keep: 'none', extra: 1 })
  await harness.world.step()
  chain.setHead(below)
  await harness.spend()
  await expectUnsigned(harness, id)
  expect(await harness.world.step()).toBe('idle')
  await harness.spend()
  expect(await harness.read(id)).toMatchObject({ status: 'Processing' })
})

/** A harness whose money is credited, on a chain that calls nothing final. */
async function openPaying() {
  const opened = await openEvmHarness()
  opened.chain.setFinalizedDistance(null)
  await opened.harness.mine()
  // Gas for what is to be paid.
  await opened.harness.spend()
  await opened.harness.mine(1 + REQUIRED)
  return opened
}

async function expectUnsigned(harness: WithdrawingWorld, id: string): Promise<void> {
  expect(await harness.read(id)).toMatchObject({ status: 'Pending', txnHash: null })
}

import { expect, test } from 'vitest'
import { created, openEvmHouse } from '../support/evm-house.ts'
import type { WithdrawingWorld } from '../support/withdrawing-world.ts'
import { REQUIRED } from '../support/world-life.ts'

/** Deep enough that blocks at this depth are credited, and below all blocks mined by tests. */
const DEPTH = REQUIRED + 3

test('no transaction is signed during an undo, before the chain is frozen [R04]', async () => {
  const { house, chain } = await openPaying()
  const { address } = await house.world.issue('ann')
  chain.pay({ to: address, amount: 7n })
  await house.mine(DEPTH)
  expect(await house.world.deposits()).toMatchObject([{ status: 'Confirmed' }])
  const id = await created(house, 'a deep reorg')
  chain.reorg({ depth: DEPTH, keep: 'none', extra: 1 })
  // The last step undoes the block of the deposit.
  for (let steps = 1; steps < DEPTH; steps += 1) {
    expect(await house.world.step()).toBe('moved')
    expect(await house.world.state()).toMatchObject({ condition: 'running' })
    await house.spend()
    await expectUnsigned(house, id)
  }
  await house.world.settle()
  expect(await house.world.state()).toMatchObject({ condition: 'frozen' })
  await house.spend()
  await expectUnsigned(house, id)
  await house.world.resume()
  expect(await house.conclude(id)).toMatchObject({ status: 'Completed' })
})

test('payments continue once the blocks of another branch are read [R04]', async () => {
  const { house, chain } = await openPaying()
  await house.mine(DEPTH)
  const id = await created(house, 'a reorg of nothing')
  chain.reorg({ depth: 3, keep: 'none', extra: 1 })
  await house.world.step()
  await house.spend()
  await expectUnsigned(house, id)
  await house.world.settle()
  await house.spend()
  expect(await house.read(id)).toMatchObject({ status: 'Processing' })
})

test('payments continue when the nodes end at the block that the undo reached [R08]', async () => {
  const { house, chain } = await openPaying()
  await house.mine(DEPTH)
  const id = await created(house, 'back to a shorter one')
  const ours = chain.rollback(1).map(({ hash }) => hash)
  const below = chain.head().hash
  chain.setHead(ours.at(-1) ?? '')
  chain.reorg({ depth: 1, keep: 'none', extra: 1 })
  await house.world.step()
  chain.setHead(below)
  await house.spend()
  await expectUnsigned(house, id)
  expect(await house.world.step()).toBe('idle')
  await house.spend()
  expect(await house.read(id)).toMatchObject({ status: 'Processing' })
})

/** A house whose money is credited, on a chain that calls nothing final. */
async function openPaying() {
  const opened = await openEvmHouse()
  opened.chain.setFinalizedDistance(null)
  await opened.house.mine()
  // Gas for what is to be paid.
  await opened.house.spend()
  await opened.house.mine(1 + REQUIRED)
  return opened
}

async function expectUnsigned(house: WithdrawingWorld, id: string): Promise<void> {
  expect(await house.read(id)).toMatchObject({ status: 'Pending', txnHash: null })
}

import { expect, onTestFinished, test } from 'vitest'
import { NATIVE, type SpendHarness, openSpendHarness } from '../../test/support/spend-harness.ts'

const RICH = 10n ** 12n
const BUMP_AFTER = 5

test('a transaction refused for a named fee rate is replaced at once [W18]', async () => {
  const made = await harness()
  made.chain.poolPrice = 50n
  const { subjectId } = await made.pay()
  expect(made.chain.pool.size).toBe(0)
  expect(await made.tend(BUMP_AFTER)).toMatchObject({ bumped: 1 })
  const { transactions } = await made.spend(subjectId)
  expect(transactions).toHaveLength(2)
  expect([...made.chain.pool.values()]).toMatchObject([{ price: 50n }])
  expect(await made.tend(BUMP_AFTER)).toMatchObject({ bumped: 0 })
  made.chain.mine()
  await made.follow()
  expect(made.chain.mined()).toHaveLength(1)
  expect(await made.wrongs()).toEqual([])
})

test('no replacement is signed when the named fee rate is above the cap [W16]', async () => {
  const made = await harness()
  made.chain.poolPrice = 10n ** 15n
  const { subjectId } = await made.pay()
  await pass(made, BUMP_AFTER)
  expect(await made.tend(BUMP_AFTER)).toMatchObject({ bumped: 0 })
  expect((await made.spend(subjectId)).transactions).toHaveLength(1)
  expect(await made.alerts()).toEqual(['spend.stuck'])
  made.chain.poolPrice = 0n
  await pass(made, 3)
  await made.tend(BUMP_AFTER)
  made.chain.mine()
  await made.follow()
  expect(made.chain.mined()).toHaveLength(1)
  expect(await made.alerts()).toEqual([])
})

async function harness(): Promise<SpendHarness> {
  const made = await openSpendHarness(expect.getState().currentTestName ?? '')
  onTestFinished(() => made.close())
  await made.fund('settlement', NATIVE, RICH)
  await made.fund('gas', NATIVE, RICH)
  return made
}

/** Mines blocks without any transaction of ours. */
async function pass(made: SpendHarness, blocks: number): Promise<void> {
  for (let mined = 0; mined < blocks; mined += 1) made.chain.mine(() => false)
  await made.follow()
}

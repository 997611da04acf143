import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import {
  CHAIN,
  NATIVE,
  type SpendHarness,
  TOKEN,
  openSpendHarness,
  stranger,
} from '../../test/support/spend-harness.ts'
import { post } from '../ledger/post.ts'
import { toppedUp } from '../ledger/spend-postings.ts'
import { noteShortage, watchLevels } from './level.ts'
import { keepGas } from './tick.ts'

const RICH = 10n ** 18n

test('an absurd fee does not move the gas wallet into the settlement account [N11]', async () => {
  const made = await harness()
  const amounts: bigint[] = []
  await keepGas(made.deps, {
    fees: { feeOf: async () => 10n ** 17n },
    lowAt: 20,
    demands: [],
    unsettled: async () => [],
    send: async (_deps, { intent }) => {
      amounts.push(intent.amount)
      return { outcome: 'declined' }
    },
  })
  expect(amounts).toEqual([10n * made.deps.caps.absolute])
})

test('a full wallet is not low while it tops up the settlement account [W20]', async () => {
  const made = await harness()
  const { database, catalogue } = made.deps
  const { serviceKey } = made.deps.keys
  const look = () =>
    watchLevels(database, { serviceKey, catalogue, chainId: CHAIN, sweepCost: 1_000n, lowAt: 20 })
  await look()
  for (let round = 0; round < 2; round += 1) {
    await database.transaction((tx) =>
      noteShortage(tx, { serviceKey, catalogue, orgId: made.orgId, chainId: CHAIN }),
    )
    await look()
  }
  const told = sql<{ type: string }>`select type from events where type = 'gas.low'`
  expect(await database.transaction((tx) => tx.many(told))).toEqual([])
})

test('a wallet whose gas is all at other addresses is low [W20]', async () => {
  const made = await harness()
  const whose = { orgId: made.orgId, chainId: CHAIN, tokenId: NATIVE }
  const moved = { ...whose, amount: RICH, blockHeight: 1 }
  const to = { kind: 'deposits', address: stranger(9) } as const
  await made.database.transaction(async (tx) => {
    const referenceId = tx.ids.next()
    await post(tx, [toppedUp({ ...moved, referenceId }, { from: made.gas, to })])
  })
  await keepGas(made.deps, {
    fees: { feeOf: async () => 1_000n },
    lowAt: 20,
    demands: [],
    unsettled: async () => [],
    send: async () => ({ outcome: 'declined' }),
  })
  expect(await made.alerts()).toEqual(['gas.low'])
})

async function harness(): Promise<SpendHarness> {
  const made = await openSpendHarness(expect.getState().currentTestName ?? '')
  onTestFinished(() => made.close())
  await made.fund('gas', NATIVE, RICH)
  await made.fund('settlement', TOKEN, 5n)
  return made
}

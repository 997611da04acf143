import { expect, onTestFinished, test } from 'vitest'
import { offering } from '../../test/support/model-chain.ts'
import { CHAIN, NATIVE, openSpendHarness } from '../../test/support/spend-harness.ts'
import { raiseAlert } from '../alerts/raise-alert.ts'
import { delegationHooks } from './hooks.ts'
import { IDLE_MS, LOAN_MOVES, notReturned } from './loan.ts'
import { insertLoan, lockLoan, moveLoan } from './loan-rows.ts'
import { takeBackEnergy } from './take-back.ts'

const INCLUDED = {
  block: { height: 1, hash: 'a' },
  fee: 1n,
  succeeded: true,
} as const
const NOT_RETURNED = 'energy.not_returned'

test('lent energy ends without an alert after a permanent reorg [O09]', async () => {
  const made = await openSpendHarness('energy that was never lent')
  onTestFinished(() => made.close())
  const { database, orgId, settlement: address } = made
  await made.fund('gas', NATIVE, 10n ** 18n)
  await made.fund('settlement', NATIVE, 10n ** 18n)
  const id = await database.transaction(async (tx) => tx.ids.next())
  const terms = { place: 'settlement', stake: 1_000n, energy: 64_000n } as const
  const lent = { ...(await made.spend((await made.pay()).subjectId)), subjectId: id }
  const fate = delegationHooks()
  await database.transaction(async (tx) => {
    await insertLoan(tx, { orgId, id, chainId: CHAIN, address, ...terms })
    await moveLoan(tx, { orgId, id, move: LOAN_MOVES.lend })
    const alert = notReturned({ chainId: CHAIN, address })
    await raiseAlert(tx, { ...alert, message: 'it cannot be taken back' })
    await fate.onReorged(tx, { ...lent, ...INCLUDED, recipient: address })
    await fate.onDisplaced(tx, { ...lent, recipient: address })
  })
  expect(await database.transaction((tx) => lockLoan(tx, { orgId, id }))).toMatchObject({
    state: 'Failed',
  })
  expect(await made.alerts()).toEqual([])
})

test.each([
  ['that cannot be taken back raises one alert', 'FEE_TOO_HIGH', 'Lent', [NOT_RETURNED]],
  [
    'that another transaction took back ends without an alert',
    'INSUFFICIENT_BALANCE',
    'Returned',
    [],
  ],
] as const)('lent energy %s [O09]', async (_, code, state, alerts) => {
  const made = await openSpendHarness(expect.getState().currentTestName ?? '')
  onTestFinished(() => made.close())
  const { database, orgId, deps, settlement: address } = made
  await made.fund('gas', NATIVE, 10n ** 18n)
  const id = await database.transaction(async (tx) => tx.ids.next())
  const terms = { place: 'settlement', stake: 1_000n, energy: 64_000n } as const
  await database.transaction(async (tx) => {
    await insertLoan(tx, { orgId, id, chainId: CHAIN, address, ...terms })
    await moveLoan(tx, { orgId, id, move: LOAN_MOVES.lend })
  })
  await made.harness.clock.advance(IDLE_MS)
  const adapter = {
    ...offering(deps.adapter, async () => null),
    quote: async () => ({ ok: false, code, message: 'it costs too much', details: {} }) as const,
  }
  for (let round = 0; round < 2; round += 1)
    expect(await takeBackEnergy({ ...deps, adapter })).toBe(0)
  expect(await made.alerts()).toEqual(alerts)
  expect(await database.transaction((tx) => lockLoan(tx, { orgId, id }))).toMatchObject({ state })
})

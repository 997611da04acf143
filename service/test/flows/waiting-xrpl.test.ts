import { xrplWallet } from '@sluice/simulator'
import { expect, test } from 'vitest'
import { setCondition } from '../../src/catalogue/chain-state.ts'
import {
  asked,
  LEDGER,
  openXrplHarness,
  XRP_COIN,
  type XrplHarness,
} from '../support/xrpl-harness.ts'

const HOUR_MS = 3_600_000
/** Nearly the whole balance; and a reserve above it. */
const [AMOUNT, RAISED] = [190_000_000n, 200_000_000n]
const LITTLE = 2_000_000n

test('a withdrawal that a higher reserve forbids fails and is returned once [X13]', async () => {
  const harness = await openXrplHarness()
  const { world } = harness
  const before = await world.balance(XRP_COIN)
  const { id } = await kept(harness)
  await world.clock.advance(HOUR_MS - 1)
  await harness.spend()
  expect(await harness.read(id)).toMatchObject({ status: 'Pending', waitingFor: 'funds' })
  await world.clock.advance(1)
  for (let rounds = 0; rounds < 3; rounds += 1) await harness.spend()
  expect(await harness.read(id)).toMatchObject({
    status: 'Failed',
    failureCode: 'INSUFFICIENT_BALANCE',
    txnHash: null,
  })
  expect(await world.balance(XRP_COIN)).toBe(before)
  expect(await world.balance(XRP_COIN, 'claim:reserved')).toBe(0n)
  const told = (await world.events('withdrawal.failed')).map(({ payload }) => payload['id'])
  expect(told).toEqual([id])
  expect(await world.alerts()).toEqual([])
})

test('a withdrawal is paid when the reserve falls in time [X13]', async () => {
  const harness = await openXrplHarness()
  const { id, reserveBase } = await kept(harness)
  await harness.world.clock.advance(HOUR_MS - 1)
  Object.assign(harness.node.chain.fees, { reserveBase })
  expect(await harness.conclude(id)).toMatchObject({ status: 'Completed' })
})

test('a withdrawal waits and is reported while a payment is pending [X13]', async () => {
  const harness = await openXrplHarness()
  const { world } = harness
  const { address: recipient } = xrplWallet('quick exchange')
  harness.node.chain.pay({ to: recipient, amount: LITTLE })
  await harness.mine()
  const paid = await asked(harness, { recipient, amount: LITTLE })
  const { id } = await kept(harness, () => harness.spend())
  expect((await harness.read(paid)).status).toBe('Processing')
  await world.clock.advance(HOUR_MS)
  await harness.spend()
  expect((await harness.read(id)).status).toBe('Pending')
  expect(await world.alerts()).toMatchObject([{ code: 'withdrawal.waiting', subject: id }])
  await harness.mine(2)
  await harness.spend()
  expect((await harness.read(paid)).status).toBe('Completed')
  expect(await harness.read(id)).toMatchObject({ failureCode: 'INSUFFICIENT_BALANCE' })
  expect(await world.alerts()).toEqual([])
})

/**
 * Creates a withdrawal of nearly all; then the reserve rises, and it waits. `before` runs once the
 * recipient has an account.
 */
async function kept(
  harness: XrplHarness,
  before: () => Promise<void> = async () => {},
): Promise<{ id: string; reserveBase: bigint }> {
  const { fees } = harness.node.chain
  const { reserveBase } = fees
  const { address: recipient } = xrplWallet('patient exchange')
  harness.node.chain.pay({ to: recipient, amount: RAISED })
  await harness.mine()
  await before()
  const id = await asked(harness, { recipient, amount: AMOUNT })
  Object.assign(fees, { reserveBase: RAISED })
  await harness.spend()
  expect(await harness.read(id)).toMatchObject({ status: 'Pending', waitingFor: 'funds' })
  return { id, reserveBase }
}

test('a withdrawal paid before a restore does not fail on a frozen chain [W25]', async () => {
  const harness = await openXrplHarness()
  const { world, settlement } = harness
  const { address: recipient } = xrplWallet('exchange that was paid')
  const id = await asked(harness, { recipient, amount: AMOUNT })
  // The database is older than the payment, and frozen as after `sluice restore`.
  const paid = harness.node.chain.account(settlement)
  if (paid === null || paid === undefined) throw new Error('no account')
  Object.assign(paid, { balance: paid.balance - AMOUNT, sequence: paid.sequence + 1 })
  await world.database.transaction((tx) =>
    setCondition(tx, { chainId: LEDGER, condition: 'frozen', cause: 'restored' }),
  )
  for (let rounds = 0; rounds < 3; rounds += 1) {
    await harness.spend()
    await world.clock.advance(HOUR_MS)
  }
  expect(await harness.read(id)).toMatchObject({ status: 'Pending' })
  expect(await world.events('withdrawal.failed')).toEqual([])
})

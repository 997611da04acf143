import { xrplWallet } from '@sluice/simulator'
import { expect, test } from 'vitest'
import { setCondition } from '../../src/catalogue/chain-state.ts'
import { asked, LEDGER, openXrplHouse, XRP_COIN, type XrplHouse } from '../support/xrpl-house.ts'

const HOUR_MS = 3_600_000
/** Nearly the whole balance; and a reserve above it. */
const [AMOUNT, RAISED] = [190_000_000n, 200_000_000n]
const LITTLE = 2_000_000n

test('a withdrawal that a higher reserve forbids fails and is returned once [X13]', async () => {
  const house = await openXrplHouse()
  const { world } = house
  const before = await world.balance(XRP_COIN)
  const { id } = await kept(house)
  await world.clock.advance(HOUR_MS - 1)
  await house.spend()
  expect(await house.read(id)).toMatchObject({ status: 'Pending', waitingFor: 'funds' })
  await world.clock.advance(1)
  for (let rounds = 0; rounds < 3; rounds += 1) await house.spend()
  expect(await house.read(id)).toMatchObject({
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
  const house = await openXrplHouse()
  const { id, reserveBase } = await kept(house)
  await house.world.clock.advance(HOUR_MS - 1)
  Object.assign(house.node.chain.fees, { reserveBase })
  expect(await house.conclude(id)).toMatchObject({ status: 'Completed' })
})

test('a withdrawal waits and is reported while a payment is pending [X13]', async () => {
  const house = await openXrplHouse()
  const { world } = house
  const { address: recipient } = xrplWallet('quick exchange')
  house.node.chain.pay({ to: recipient, amount: LITTLE })
  await house.mine()
  const paid = await asked(house, { recipient, amount: LITTLE })
  const { id } = await kept(house, () => house.spend())
  expect((await house.read(paid)).status).toBe('Processing')
  await world.clock.advance(HOUR_MS)
  await house.spend()
  expect((await house.read(id)).status).toBe('Pending')
  expect(await world.alerts()).toMatchObject([{ code: 'withdrawal.waiting', subject: id }])
  await house.mine(2)
  await house.spend()
  expect((await house.read(paid)).status).toBe('Completed')
  expect(await house.read(id)).toMatchObject({ failureCode: 'INSUFFICIENT_BALANCE' })
  expect(await world.alerts()).toEqual([])
})

/**
 * Creates a withdrawal of nearly all; then the reserve rises, and it waits. `before` runs once the
 * recipient has an account.
 */
async function kept(
  house: XrplHouse,
  before: () => Promise<void> = async () => {},
): Promise<{ id: string; reserveBase: bigint }> {
  const { fees } = house.node.chain
  const { reserveBase } = fees
  const { address: recipient } = xrplWallet('patient exchange')
  house.node.chain.pay({ to: recipient, amount: RAISED })
  await house.mine()
  await before()
  const id = await asked(house, { recipient, amount: AMOUNT })
  Object.assign(fees, { reserveBase: RAISED })
  await house.spend()
  expect(await house.read(id)).toMatchObject({ status: 'Pending', waitingFor: 'funds' })
  return { id, reserveBase }
}

test('a withdrawal paid before a restore does not fail on a frozen chain [W25]', async () => {
  const house = await openXrplHouse()
  const { world, settlement } = house
  const { address: recipient } = xrplWallet('exchange that was paid')
  const id = await asked(house, { recipient, amount: AMOUNT })
  // The database is older than the payment, and frozen as after `sluice restore`.
  const paid = house.node.chain.account(settlement)
  if (paid === null || paid === undefined) throw new Error('no account')
  Object.assign(paid, { balance: paid.balance - AMOUNT, sequence: paid.sequence + 1 })
  await world.database.transaction((tx) =>
    setCondition(tx, { chainId: LEDGER, condition: 'frozen', cause: 'restored' }),
  )
  for (let rounds = 0; rounds < 3; rounds += 1) {
    await house.spend()
    await world.clock.advance(HOUR_MS)
  }
  expect(await house.read(id)).toMatchObject({ status: 'Pending' })
  expect(await world.events('withdrawal.failed')).toEqual([])
})

import { xrplWallet } from '@sluice/simulator'
import { expect, test } from 'vitest'
import { setCondition } from '../../src/catalogue/chain-state.ts'
import { asked, LEDGER, openXrplHouse, XRP_COIN, type XrplHouse } from '../support/xrpl-house.ts'

const HOUR_MS = 3_600_000
/** Of what users have, nearly all; and so much that nothing of it may be spent. */
const [AMOUNT, RAISED] = [190_000_000n, 200_000_000n]
const LITTLE = 2_000_000n

test('X13 what a higher reserve forbids is given up in the end, and given back once', async () => {
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

test('X13 it is paid where the reserve falls in time', async () => {
  const house = await openXrplHouse()
  const { id, reserveBase } = await kept(house)
  await house.world.clock.advance(HOUR_MS - 1)
  Object.assign(house.node.chain.fees, { reserveBase })
  expect(await house.conclude(id)).toMatchObject({ status: 'Completed' })
})

test('X13 it waits on, told of, while a payment is under way', async () => {
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
 * Asks for nearly all; then the ledger has every account keep more, and it waits. `before` is done
 * once its recipient has an account.
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

test('W25 one that a lost database had paid does not fail while its chain is frozen', async () => {
  const house = await openXrplHouse()
  const { world, settlement } = house
  const { address: recipient } = xrplWallet('exchange that was paid')
  const id = await asked(house, { recipient, amount: AMOUNT })
  // The database is one from before the payment, and frozen as `sluice restore` leaves it.
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

import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseToken } from '../adapters/brands.ts'
import { type AnvilChain, startAnvilChain } from '../support/anvil-chain.ts'
import { COIN, moneyWorld, withdraw, withdrawalsOf } from '../support/money-world.ts'
import { worldOn } from '../support/opened-world.ts'
import { REQUIRED, SEPOLIA } from '../support/world-life.ts'

const ETHER_UNIT = 10n ** 18n

let anvil: AnvilChain
beforeAll(async () => {
  anvil = await startAnvilChain(SEPOLIA)
})
afterAll(() => anvil.stop())

test('our own money moved by forgotten transactions is credited to no user [W25]', async () => {
  const world = await worldOn(anvil)
  const money = await moneyWorld(world, anvil)
  await money.fundGas(ETHER_UNIT)
  const { settlement, gas } = await money.addresses()
  const ann = await world.issue('ann')
  await anvil.pay(ann.address, 3n * ETHER_UNIT)
  await anvil.mine(REQUIRED)
  await world.settle()
  expect(await world.balance(COIN)).toBe(3n * ETHER_UNIT)
  const claimed = await world.balance(COIN, 'claim:gas')
  await forget(ann.address, settlement, ETHER_UNIT)
  await forget(gas, ann.address, ETHER_UNIT / 10n)
  await anvil.mine(REQUIRED)
  await world.settle()
  expect(await world.balance(COIN)).toBe(3n * ETHER_UNIT)
  expect(await world.balance(COIN, 'claim:gas')).toBe(claimed)
  expect(await world.balance(COIN, 'claim:held')).toBe(ETHER_UNIT + ETHER_UNIT / 10n)
  const codes = (await world.alerts()).map(({ code }) => code)
  expect(codes).toEqual(expect.arrayContaining(['deposit.held', 'funding.held']))
})

test('a withdrawal that pays a deposit address is credited there [I16]', async () => {
  const world = await worldOn(anvil)
  const money = await moneyWorld(world, anvil)
  await money.fundGas(ETHER_UNIT)
  const { settlement } = await money.addresses()
  await anvil.pay(settlement, 3n * ETHER_UNIT)
  await anvil.mine(REQUIRED)
  await world.settle()
  const { address: recipient } = await world.issue('bob')
  const tokenId = parseToken(COIN)
  await withdraw(money, { tokenId, amount: ETHER_UNIT, recipient, reference: 'to bob' })
  await money.quiet()
  expect(await withdrawalsOf(world)).toMatchObject([{ status: 'Completed' }])
  expect(await world.deposits()).toMatchObject([{ status: 'Confirmed', amount: ETHER_UNIT }])
  expect(await world.balance(COIN)).toBe(3n * ETHER_UNIT)
  await money.expectExact()
})

/** Signs with one of our keys a transaction that the restored database does not know. */
async function forget(from: string, to: string, wei: bigint): Promise<void> {
  await anvil.rpc('anvil_impersonateAccount', [from])
  await anvil.rpc('eth_sendTransaction', [{ from, to, value: `0x${wei.toString(16)}` }])
  await anvil.mine()
}

import { holding } from '@sluice/simulator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { holdDeposit, releaseDeposit } from '../../src/deposits/hold.ts'
import { type AnvilChain, listed, startAnvilChain, tokenId } from '../support/anvil-chain.ts'
import { type MoneyWorld, moneyWorld, sweepsOf } from '../support/money-world.ts'
import { worldOn } from '../support/opened-world.ts'
import type { World } from '../support/world.ts'
import { REQUIRED, SEPOLIA } from '../support/world-life.ts'

const ETHER = 10n ** 18n
const PAID = 10n ** 9n
const ROUNDS = 4

let anvil: AnvilChain
let dollar: string
beforeAll(async () => {
  anvil = await startAnvilChain(SEPOLIA)
  dollar = await anvil.create()
})
afterAll(() => anvil.stop())

describe('deposits that are not swept', () => {
  test('an unconfirmed deposit stays at its address [E16]', async () => {
    const { world, money, address } = await openWithGas()
    await anvil.payToken(dollar, address, PAID)
    await world.settle()
    await expectUnswept({ world, money, address, status: 'Detected' })
    await anvil.mine(REQUIRED)
    await world.settle()
    await expectSwept(money, address, PAID)
  })

  test('a held deposit stays at its address at any number of confirmations [A19]', async () => {
    const { world, money, address } = await openWithGas()
    await anvil.payToken(dollar, address, PAID)
    await world.settle()
    await operate(world, holdDeposit)
    await anvil.mine(REQUIRED)
    await world.settle()
    await expectUnswept({ world, money, address, status: 'Held' })
    await operate(world, releaseDeposit)
    await world.settle()
    await expectSwept(money, address, PAID)
  })

  test('a below-minimum deposit stays at its address [B06]', async () => {
    const { world, money, address } = await openWithGas(PAID + 1n)
    await anvil.payToken(dollar, address, PAID)
    await anvil.mine(REQUIRED)
    await world.settle()
    await expectUnswept({ world, money, address, status: 'BelowMinimum' })
    await anvil.payToken(dollar, address, 1n)
    await anvil.mine(REQUIRED)
    await world.settle()
    await expectSwept(money, address, PAID + 1n)
  })

  test('an unconfirmed deposit stays when a confirmed one beside it is swept [R01]', async () => {
    const { world, money, address } = await openWithGas()
    await anvil.payToken(dollar, address, PAID)
    await anvil.mine(REQUIRED)
    await anvil.payToken(dollar, address, 7n)
    await world.settle()
    expect((await world.deposits()).map(({ status }) => status)).toEqual(['Confirmed', 'Detected'])
    await money.round()
    expect(await sweepsOf(world)).toMatchObject([{ amount: PAID }])
    await expectSwept(money, address, PAID + 7n)
    expect((await sweepsOf(world)).map(({ amount }) => amount)).toEqual([PAID, 7n])
  })
})

/** A world with gas, where the smallest amounts of the token are swept. */
async function openWithGas(minimumAmount = 1n) {
  const token = listed(SEPOLIA, dollar, { minimumAmount, sweepAmount: 1n })
  const world = await worldOn(anvil, { tokens: [token] })
  const money = await moneyWorld(world, anvil)
  await money.fundGas(ETHER)
  const { address } = await world.issue('ann')
  return { world, money, address }
}

/** Holds the only deposit, or releases it. */
async function operate(world: World, move: typeof holdDeposit): Promise<void> {
  const { catalogue } = world
  const [deposit] = await world.deposits()
  const decision = { catalogue, depositId: deposit?.id ?? '', actor: 'bob', reason: 'looks stolen' }
  await world.database.transaction((tx) => move(tx, decision))
}

/** However often the spender runs, it neither sweeps the deposit nor plans to. */
async function expectUnswept(expected: {
  world: World
  money: MoneyWorld
  address: string
  status: string
}): Promise<void> {
  const { world, money, address, status } = expected
  for (let rounds = 0; rounds < ROUNDS; rounds += 1) await money.round()
  expect(money.failures).toEqual([])
  expect(await world.deposits()).toMatchObject([{ status, amount: PAID }])
  expect(await sweepsOf(world)).toEqual([])
  expect(await holding(anvil, address, dollar)).toBe(PAID)
  expect(await world.balance(tokenId(SEPOLIA, dollar))).toBe(0n)
  await money.expectExact()
}

/** The same spender can sweep: only the state of the deposit prevented it. */
async function expectSwept(money: MoneyWorld, address: string, amount: bigint): Promise<void> {
  await money.quiet()
  const { settlement } = await money.addresses()
  expect(await holding(anvil, address, dollar)).toBe(0n)
  expect(await holding(anvil, settlement, dollar)).toBe(amount)
  await money.expectExact()
}

import { holding } from '@sluice/simulator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseToken } from '../adapters/brands.ts'
import { type AnvilChain, listed, startAnvilChain, tokenId } from '../support/anvil-chain.ts'
import { COIN, moneyWorld } from '../support/money-world.ts'
import { worldOn } from '../support/opened-world.ts'
import { REQUIRED, SEPOLIA } from '../support/world-life.ts'

const ETHER = 10n ** 18n

let anvil: AnvilChain
let dollar: string
beforeAll(async () => {
  anvil = await startAnvilChain(SEPOLIA)
  dollar = await anvil.create()
})
afterAll(() => anvil.stop())

describe('sweeps on an EVM chain', () => {
  test('a confirmed token deposit reaches the settlement address [E16]', async () => {
    const world = await worldOn(anvil, { tokens: [listed(SEPOLIA, dollar)] })
    const money = await moneyWorld(world, anvil)
    await money.fundGas(ETHER)
    await money.expectExact()
    const { settlement, gas } = await money.addresses()
    const ann = await world.issue('ann')
    await anvil.payToken(dollar, ann.address, 25_000_000n)
    await anvil.mine(REQUIRED)
    await world.settle()
    await money.expectExact()
    await money.quiet()
    await money.expectExact()
    expect(await holding(anvil, settlement, dollar)).toBe(25_000_000n)
    expect(await holding(anvil, ann.address, dollar)).toBe(0n)
    const token = tokenId(SEPOLIA, dollar)
    expect(await world.balance(token)).toBe(25_000_000n)
    expect(await world.deposits()).toHaveLength(1)
    const told = await world.events('balance.updated')
    expect(told.map(({ payload }) => payload['reason'])).toEqual(
      expect.arrayContaining(['funding', 'deposit', 'gas', 'sweep']),
    )
    expect(await world.balance(COIN, `place:gas:${gas.toLowerCase()}`)).toBe(
      await holding(anvil, gas),
    )
  })

  test('coins and several tokens of one address are swept in order [E16]', async () => {
    const other = await anvil.create()
    const world = await worldOn(anvil, {
      tokens: [listed(SEPOLIA, dollar), listed(SEPOLIA, other, { name: 'Other' })],
    })
    const money = await moneyWorld(world, anvil)
    await money.fundGas(ETHER)
    const { settlement } = await money.addresses()
    const ann = await world.issue('ann')
    await anvil.pay(ann.address, 3n * ETHER)
    await anvil.payToken(dollar, ann.address, 30_000_000n)
    await anvil.payToken(other, ann.address, 40_000_000n)
    await anvil.mine(REQUIRED)
    await world.settle()
    for (let rounds = 0; rounds < 6; rounds += 1) {
      await money.round()
      await money.expectExact()
    }
    await money.quiet()
    await money.expectExact()
    expect(await holding(anvil, settlement, dollar)).toBe(30_000_000n)
    expect(await holding(anvil, settlement, other)).toBe(40_000_000n)
    expect(await world.balance(COIN)).toBe(3n * ETHER)
    // The rest at the address is worth less than a sweep.
    expect(await holding(anvil, ann.address)).toBeLessThan(ETHER / 1_000n)
    // Fees were paid from deposited coins, and the gas wallet has refilled them.
    expect(await holding(anvil, settlement)).toBeGreaterThanOrEqual(3n * ETHER - ETHER / 1_000n)
  })

  test('coins are swept at once although the gas price has just risen [E16]', async () => {
    const world = await worldOn(anvil, {})
    const money = await moneyWorld(world, anvil)
    await money.fundGas(ETHER)
    const { settlement } = await money.addresses()
    const ann = await world.issue('ann')
    await anvil.pay(ann.address, 3n * ETHER)
    await anvil.mine(REQUIRED)
    await world.settle()
    await world.clock.advance(16_000)
    await money.spender.fees.feeOf(SEPOLIA, parseToken(COIN))
    const { baseFeePerGas } = await anvil.rpc<{ baseFeePerGas: string }>('eth_getBlockByNumber', [
      'latest',
      false,
    ])
    const risen = BigInt(baseFeePerGas) * 2n
    await anvil.rpc('anvil_setNextBlockBaseFeePerGas', [`0x${risen.toString(16)}`])
    await anvil.mine()
    await world.settle()
    await money.round()
    await money.round()
    await money.expectExact()
    expect(await holding(anvil, settlement)).toBeGreaterThan(3n * ETHER - ETHER / 1_000n)
  })
})

import { holding } from '@sluice/simulator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AnvilChain, listed, startAnvilChain, tokenId } from '../support/anvil-chain.ts'
import { moneyWorld, sweepsOf } from '../support/money-world.ts'
import { worldOn } from '../support/opened-world.ts'
import { REQUIRED, SEPOLIA } from '../support/world-life.ts'

const ETHER = 10n ** 18n
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

let anvil: AnvilChain
beforeAll(async () => {
  anvil = await startAnvilChain(SEPOLIA)
})
afterAll(() => anvil.stop())

describe('failing sweeps', () => {
  test('the sweep of a token that rejects it is retried with backoff [E23]', async () => {
    const dollar = await anvil.create()
    const world = await worldOn(anvil, { tokens: [listed(SEPOLIA, dollar)] })
    const money = await moneyWorld(world, anvil)
    await money.fundGas(ETHER)
    const { settlement } = await money.addresses()
    await anvil.call(dollar, 'blacklist(address,bool)', [settlement, true])
    const ann = await world.issue('ann')
    await anvil.payToken(dollar, ann.address, 50_000_000n)
    await anvil.mine(REQUIRED)
    await world.settle()
    for (let rounds = 0; rounds < 20; rounds += 1) await money.round()
    expect((await sweepsOf(world)).map(({ state }) => state)).toEqual(['Failed'])
    expect(await world.alerts()).toMatchObject([
      { code: 'sweep.refused', subject: tokenId(SEPOLIA, dollar) },
    ])
    expect(await holding(anvil, ann.address, dollar)).toBe(50_000_000n)
    await world.clock.advance(HOUR_MS)
    for (let rounds = 0; rounds < 5; rounds += 1) await money.round()
    expect(await sweepsOf(world)).toHaveLength(2)
    await anvil.call(dollar, 'blacklist(address,bool)', [settlement, false])
    await world.clock.advance(HOUR_MS)
    await money.quiet()
    expect(await holding(anvil, settlement, dollar)).toBe(50_000_000n)
    expect(await world.alerts()).toEqual([])
    await money.expectExact()
  })

  test('an address with delegated code is swept with the gas that it needs [E24]', async () => {
    const dollar = await anvil.create()
    const world = await worldOn(anvil, { tokens: [listed(SEPOLIA, dollar)] })
    const money = await moneyWorld(world, anvil)
    await money.fundGas(ETHER)
    const { settlement } = await money.addresses()
    const ann = await world.issue('ann')
    // Receiving costs about 30,000 gas, because it writes two words.
    const wallet = await anvil.create('0x600b600c600039600b6000f3426000554260015500000000')
    await anvil.rpc('anvil_setCode', [ann.address, `0xef0100${wallet.slice(2).toLowerCase()}`])
    await anvil.payToken(dollar, ann.address, 50_000_000n)
    await anvil.send({ to: ann.address, value: 2n * ETHER })
    await anvil.mine(REQUIRED)
    await world.settle()
    expect(await world.deposits()).toMatchObject([{ status: 'Confirmed' }, { status: 'Confirmed' }])
    await money.quiet()
    await money.expectExact()
    expect(await holding(anvil, settlement, dollar)).toBe(50_000_000n)
    expect(await holding(anvil, ann.address)).toBeLessThan(ETHER / 100n)
  })

  test('tokens that were burned at an address fail only its sweep [E09]', async () => {
    const dollar = await anvil.create()
    const world = await worldOn(anvil, { tokens: [listed(SEPOLIA, dollar)] })
    const money = await moneyWorld(world, anvil)
    await money.fundGas(ETHER)
    const { settlement } = await money.addresses()
    const ann = await world.issue('ann')
    const bob = await world.issue('bob')
    await anvil.payToken(dollar, ann.address, 50_000_000n)
    await anvil.payToken(dollar, bob.address, 60_000_000n)
    await anvil.mine(REQUIRED)
    await world.settle()
    await anvil.call(dollar, 'burnFrom(address,uint256)', [ann.address, 10n])
    for (let rounds = 0; rounds < 6; rounds += 1) await money.round()
    expect(await holding(anvil, settlement, dollar)).toBe(60_000_000n)
    expect(await holding(anvil, ann.address, dollar)).toBe(49_999_990n)
    // It may be a reorg that is not booked yet.
    expect(await world.alerts()).toEqual([])
    await world.clock.advance(10 * MINUTE_MS)
    for (let rounds = 0; rounds < 3; rounds += 1) await money.round()
    expect(await world.alerts()).toMatchObject([{ code: 'sweep.refused' }])
    expect((await world.audit()).findings).toMatchObject([
      { expected: 50_000_000n, found: 49_999_990n },
    ])
  })
})

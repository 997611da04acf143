import { holding } from '@sluice/simulator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { suspendToken } from '../../src/catalogue/token-check.ts'
import { confirmTransfers } from '../../src/deposits/confirm.ts'
import { judgeDue } from '../../src/scanner/judge-due.ts'
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

describe('a funding from outside', () => {
  test('a funding is gas at the gas wallet, else available for withdrawals [E16]', async () => {
    const world = await worldOn(anvil, { tokens: [listed(SEPOLIA, dollar)] })
    const money = await moneyWorld(world, anvil)
    const { settlement, gas } = await money.addresses()
    await anvil.pay(gas, ETHER)
    await anvil.pay(settlement, 2n * ETHER)
    await anvil.payToken(dollar, settlement, 5n)
    await world.settle()
    await money.expectExact()
    expect(await world.balance(COIN, 'claim:unconfirmed')).toBe(3n * ETHER)
    expect(await world.balance(COIN)).toBe(0n)
    await anvil.mine(REQUIRED)
    await world.settle()
    await money.expectExact()
    expect(await world.balances()).toEqual({
      [`${COIN} claim:available`]: 2n * ETHER,
      [`${COIN} claim:gas`]: ETHER,
      [`${COIN} place:gas:${gas}`]: ETHER,
      [`${COIN} place:settlement:${settlement}`]: 2n * ETHER,
      [`${tokenId(SEPOLIA, dollar)} claim:available`]: 5n,
      [`${tokenId(SEPOLIA, dollar)} place:settlement:${settlement}`]: 5n,
    })
    expect(await world.deposits()).toEqual([])
    const told = await world.events()
    expect(told.map(({ type, payload }) => [type, payload['reason'], payload['delta']])).toEqual([
      ['balance.updated', 'funding', ETHER.toString()],
      ['balance.updated', 'funding', (2n * ETHER).toString()],
      ['balance.updated', 'funding', '5'],
    ])
  })

  test('a token received by the gas wallet is available and swept [E16]', async () => {
    const world = await worldOn(anvil, { tokens: [listed(SEPOLIA, dollar)] })
    const money = await moneyWorld(world, anvil)
    await money.fundGas(ETHER)
    const { settlement, gas } = await money.addresses()
    await anvil.payToken(dollar, gas, 20_000_000n)
    await anvil.mine(REQUIRED)
    await world.settle()
    expect(await world.balance(tokenId(SEPOLIA, dollar))).toBe(20_000_000n)
    await money.quiet()
    await money.expectExact()
    expect(await holding(anvil, settlement, dollar)).toBe(20_000_000n)
  })

  test('a funding whose block leaves the chain returns as the same funding [R01]', async () => {
    const world = await worldOn(anvil)
    const money = await moneyWorld(world, anvil)
    const { gas } = await money.addresses()
    const { raw } = await anvil.keep({ to: gas, value: 7n, gas: 21_000 })
    await world.settle()
    expect(await world.balance(COIN, 'claim:unconfirmed')).toBe(7n)
    await anvil.reorg(1)
    await world.settle()
    expect(await world.balances()).toEqual({})
    await anvil.reorg(1, [[raw, 0]])
    await world.settle()
    await anvil.mine(REQUIRED)
    await world.settle()
    expect(await world.balance(COIN, 'claim:gas')).toBe(7n)
    await money.expectExact()
  })

  test('a held funding whose block leaves the chain has its alert resolved [R01]', async () => {
    const own = await anvil.create()
    const world = await worldOn(anvil, { tokens: [listed(SEPOLIA, own)] })
    const { settlement } = await (await moneyWorld(world, anvil)).addresses()
    await anvil.call(own, 'setFee(uint256)', [100])
    await anvil.payToken(own, settlement, 100n)
    await anvil.mine(REQUIRED)
    await world.settle()
    const codes = async () => (await world.alerts()).map(({ code }) => code).toSorted()
    expect(await codes()).toEqual(['funding.held', 'token.suspended'])
    await anvil.reorg(REQUIRED + 1)
    await world.settle()
    expect(await codes()).toEqual(['token.suspended'])
  })

  test('a funding of a token suspended after its check is not credited [E08]', async () => {
    const world = await worldOn(anvil, { tokens: [listed(SEPOLIA, dollar)] })
    const { settlement } = await (await moneyWorld(world, anvil)).addresses()
    await anvil.payToken(dollar, settlement, 30n)
    await world.settle()
    const holder = await world.holder()
    const { serviceKey, catalogue, entry } = holder
    const { tip } = await world.state()
    const due = { tip: { ...tip, height: tip.height + REQUIRED }, final: null }
    const judged = await judgeDue(holder, due)
    expect(judged).toMatchObject([{ verdict: { credit: true } }])
    const lying = { tokenId: parseToken(tokenId(SEPOLIA, dollar)), chainId: SEPOLIA, cause: 'lied' }
    await world.database.transaction((tx) => suspendToken(tx, lying))
    await world.database.transaction((tx) =>
      confirmTransfers(tx, { serviceKey, catalogue, entry, tip, judged }),
    )
    expect(await world.balance(lying.tokenId)).toBe(0n)
    expect((await world.alerts()).map(({ code }) => code)).toContain('funding.held')
  })

  test('a confirmed funding that leaves the chain freezes it [R04]', async () => {
    const world = await worldOn(anvil, { tokens: [listed(SEPOLIA, dollar)] })
    const money = await moneyWorld(world, anvil)
    const { gas } = await money.addresses()
    await anvil.pay(gas, ETHER)
    await anvil.mine(REQUIRED)
    await world.settle()
    expect(await world.balance(COIN, 'claim:gas')).toBe(ETHER)
    await anvil.reorg(REQUIRED + 1)
    await world.settle()
    expect((await world.state()).condition).toBe('frozen')
    expect(await world.balances()).toEqual({})
    expect(await money.round()).toBe(0)
    expect((await world.audit()).findings).toEqual([])
  })
})

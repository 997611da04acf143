import { holding } from '@sluice/simulator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { correctGas } from '../../src/gas/correct.ts'
import { type AnvilChain, listed, OTHER, startAnvilChain, tokenId } from '../support/anvil-chain.ts'
import { COIN, moneyWorld, sweepsOf, withdraw, withdrawalsOf } from '../support/money-world.ts'
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

describe('gas wallets', () => {
  test('a low gas wallet is reported once, and again after it was refilled [W20]', async () => {
    const world = await worldOn(anvil, { tokens: [listed(SEPOLIA, dollar)] })
    const money = await moneyWorld(world, anvil)
    expect(await world.events('gas.low')).toEqual([])
    const ann = await world.issue('ann')
    await anvil.payToken(dollar, ann.address, 1_000n)
    await anvil.mine(REQUIRED)
    await world.settle()
    for (let rounds = 0; rounds < 3; rounds += 1) await money.round()
    const { gas } = await money.addresses()
    expect(await world.events('gas.low')).toMatchObject([
      { payload: { chainId: SEPOLIA, balance: '0', sweepsLeft: 0 } },
    ])
    expect(await world.alerts()).toMatchObject([{ code: 'gas.low' }])
    await money.fundGas(ETHER)
    await money.round()
    expect(await world.alerts()).toEqual([])
    const { ledger, chain } = await emptied(gas)
    expect({ ledger: ledger > 0n, chain }).toEqual({ ledger: true, chain: 0n })
    for (let rounds = 0; rounds < 3; rounds += 1) await money.round()
    expect(await world.events('gas.low')).toHaveLength(2)
    await money.expectExact()

    /** An operator books that the coins of the wallet were spent outside. */
    async function emptied(address: string) {
      await anvil.rpc('anvil_setBalance', [address, '0x0'])
      await anvil.mine()
      await world.settle()
      expect((await world.audit()).findings).toMatchObject([{ found: 0n }])
      const { catalogue } = world
      const wallet = { catalogue, entry: world.entry(SEPOLIA), orgId: world.orgId }
      const word = { actor: 'test', reason: 'spent elsewhere' }
      return correctGas(world.database, world.adapter(SEPOLIA), { ...wallet, ...word })
    }
  })

  test('withdrawals are sent while the gas lasts, and the others follow later [W20]', async () => {
    const world = await worldOn(anvil, { tokens: [listed(SEPOLIA, dollar)] })
    const money = await moneyWorld(world, anvil)
    const { settlement } = await money.addresses()
    const token = tokenId(SEPOLIA, dollar)
    const id = world.catalogue.token(token)?.id
    if (id === undefined) throw new Error('the token is not listed')
    const fee = await money.spender.fees.feeOf(SEPOLIA, id)
    await money.fundGas(6n * fee)
    await anvil.payToken(dollar, settlement, 1_000n)
    await anvil.mine(REQUIRED)
    await world.settle()
    const before = await holding(anvil, OTHER.address, dollar)
    for (let n = 0; n < 30; n += 1) {
      await withdraw(money, {
        tokenId: id,
        amount: 10n,
        recipient: OTHER.address,
        reference: `${n}`,
      })
    }
    for (let rounds = 0; rounds < 12; rounds += 1) {
      await money.round()
      await money.expectExact()
    }
    const some = await withdrawalsOf(world)
    const paid = some.filter(({ status }) => status !== 'Pending').length
    expect(paid).toBeGreaterThan(0)
    expect(paid).toBeLessThan(30)
    expect(new Set(some.map(({ status }) => status))).not.toContain('Failed')
    expect(await holding(anvil, OTHER.address, dollar)).toBe(before + 10n * BigInt(paid))
    expect(await world.events('gas.low')).toHaveLength(1)
    await money.fundGas(ETHER)
    await money.quiet()
    await money.expectExact()
    const all = await withdrawalsOf(world)
    expect(all.map(({ status }) => status)).toEqual(Array.from({ length: 30 }, () => 'Completed'))
    expect(await holding(anvil, OTHER.address, dollar)).toBe(before + 300n)
    expect(await world.balance(token, 'claim:reserved')).toBe(0n)
  })

  test('an unconfirmed funding of the gas wallet stays in it [W20]', async () => {
    const world = await worldOn(anvil, { tokens: [listed(SEPOLIA, dollar)] })
    const money = await moneyWorld(world, anvil)
    const { gas, settlement } = await money.addresses()
    await anvil.payToken(dollar, settlement, 1_000n)
    await money.fundGas(ETHER)
    await money.quiet()
    const before = await holding(anvil, gas)
    await anvil.pay(gas, 10n * ETHER)
    await world.settle()
    await money.round()
    await anvil.mine(REQUIRED)
    await money.quiet()
    expect(await holding(anvil, gas)).toBe(before + 10n * ETHER)
    await money.expectExact()
  })

  test('the whole balance can be withdrawn, and fees are refilled [A02]', async () => {
    const world = await worldOn(anvil)
    const money = await moneyWorld(world, anvil)
    await money.fundGas(ETHER)
    const users = await Promise.all(['ann', 'bob', 'cid'].map((user) => world.issue(user)))
    for (const { address } of users) await anvil.pay(address, ETHER)
    await anvil.mine(REQUIRED)
    await world.settle()
    const id = world.catalogue.nativeToken(SEPOLIA).id
    const before = await holding(anvil, OTHER.address)
    const all = await world.balance(COIN)
    expect(all).toBe(3n * ETHER)
    await withdraw(money, { tokenId: id, amount: all, recipient: OTHER.address, reference: 'all' })
    await money.quiet()
    await money.expectExact()
    expect((await withdrawalsOf(world)).map(({ status }) => status)).toEqual(['Completed'])
    expect(await holding(anvil, OTHER.address)).toBe(before + 3n * ETHER)
    expect((await sweepsOf(world)).every(({ state }) => state === 'Done')).toBe(true)
    expect(await world.balance(COIN)).toBe(0n)
  })
})

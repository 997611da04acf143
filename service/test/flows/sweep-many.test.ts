import { holding } from '@sluice/simulator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AnvilChain, listed, OTHER, startAnvilChain, tokenId } from '../support/anvil-chain.ts'
import { moneyWorld, sweepsOf, withdraw, withdrawalsOf } from '../support/money-world.ts'
import { worldOn } from '../support/opened-world.ts'
import { REQUIRED, SEPOLIA } from '../support/world-life.ts'

const ETHER = 10n ** 18n

const descending = (a: bigint, b: bigint) => (a > b ? -1 : 1)

let anvil: AnvilChain
beforeAll(async () => {
  anvil = await startAnvilChain(SEPOLIA)
})
afterAll(() => anvil.stop())

describe('many sweeps', () => {
  test('many addresses are swept at once, each once, during withdrawals [W21]', async () => {
    const dollar = await anvil.create()
    const world = await worldOn(anvil, { tokens: [listed(SEPOLIA, dollar)] })
    const money = await moneyWorld(world, anvil)
    await money.fundGas(ETHER)
    const { settlement } = await money.addresses()
    const users = Array.from({ length: 24 }, (_, n) => `user-${n}`)
    for (const user of users) {
      const { address } = await world.issue(user)
      await anvil.payToken(dollar, address, 20_000_000n)
    }
    await anvil.mine(REQUIRED)
    await world.settle()
    const id = world.catalogue.token(tokenId(SEPOLIA, dollar))?.id
    if (id === undefined) throw new Error('the token is not listed')
    const before = await holding(anvil, OTHER.address, dollar)
    await withdraw(money, {
      tokenId: id,
      amount: 300_000_000n,
      recipient: OTHER.address,
      reference: 'early',
    })
    await money.quiet()
    await money.expectExact()
    const sweeps = await sweepsOf(world)
    expect(sweeps).toHaveLength(24)
    expect(sweeps.every(({ state, moved }) => state === 'Done' && moved === 20_000_000n)).toBe(true)
    expect((await withdrawalsOf(world)).map(({ status }) => status)).toEqual(['Completed'])
    expect(await holding(anvil, OTHER.address, dollar)).toBe(before + 300_000_000n)
    expect(await holding(anvil, settlement, dollar)).toBe(180_000_000n)
  })

  test('a withdrawal causes sweeps of small deposits and is paid with them [I19]', async () => {
    const dollar = await anvil.create()
    const world = await worldOn(anvil, { tokens: [listed(SEPOLIA, dollar)] })
    const money = await moneyWorld(world, anvil)
    await money.fundGas(ETHER)
    for (const [user, amount] of [
      ['ann', 5n],
      ['bob', 7n],
      ['cid', 100n],
    ] as const) {
      await anvil.payToken(dollar, (await world.issue(user)).address, amount)
    }
    await anvil.mine(REQUIRED)
    await world.settle()
    await money.quiet()
    expect(await sweepsOf(world)).toEqual([])
    const id = world.catalogue.token(tokenId(SEPOLIA, dollar))?.id
    if (id === undefined) throw new Error('the token is not listed')
    const wanted = { tokenId: id, amount: 105n, recipient: OTHER.address, reference: 'small' }
    await withdraw(money, wanted)
    await money.quiet()
    await money.expectExact()
    expect((await withdrawalsOf(world)).map(({ status }) => status)).toEqual(['Completed'])
    expect((await sweepsOf(world)).map(({ amount }) => amount).toSorted(descending)).toEqual([
      100n,
      7n,
    ])
  })

  test('sweeps and top-ups have the same result after a reorg of their block [R09]', async () => {
    const dollar = await anvil.create()
    const world = await worldOn(anvil, { tokens: [listed(SEPOLIA, dollar)] })
    const money = await moneyWorld(world, anvil)
    await money.fundGas(ETHER)
    const { settlement } = await money.addresses()
    const ann = await world.issue('ann')
    await anvil.pay(ann.address, ETHER)
    await anvil.payToken(dollar, ann.address, 20_000_000n)
    await anvil.mine(REQUIRED)
    await world.settle()
    for (let rounds = 0; rounds < 3; rounds += 1) {
      await money.round()
      await money.expectExact()
      await anvil.reorg(1)
      await world.settle()
      await money.expectExact()
    }
    await money.quiet()
    await money.expectExact()
    expect(await holding(anvil, settlement, dollar)).toBe(20_000_000n)
    expect(await holding(anvil, settlement)).toBeGreaterThan((9n * ETHER) / 10n)
    const sweeps = await sweepsOf(world)
    expect(sweeps.filter(({ state }) => state === 'Done')).toHaveLength(2)
  })
})

import { falseMoverInitCode, holding } from '@sluice/simulator'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseToken } from '../adapters/brands.ts'
import { type AnvilChain, listed, PAYER, startAnvilChain, tokenId } from '../support/anvil-chain.ts'
import { moneyWorld, sweepsOf, withdraw, withdrawalsOf } from '../support/money-world.ts'
import { worldOn } from '../support/opened-world.ts'
import { REQUIRED, SEPOLIA } from '../support/world-life.ts'

const RECIPIENT = `0x${'7e'.repeat(20)}`

let anvil: AnvilChain
beforeAll(async () => {
  anvil = await startAnvilChain(SEPOLIA)
})
afterAll(() => anvil.stop())

test('a token that moves and returns false is credited, swept and paid out [W22]', async () => {
  const { money, world, token, id } = await openFalseMover()
  const { address } = await world.issue('ann')
  await anvil.payToken(token, address, 5_000_000n)
  await anvil.mine(REQUIRED)
  await world.settle()
  await money.quiet()
  expect(await world.deposits()).toMatchObject([{ status: 'Confirmed', amount: 5_000_000n }])
  expect(await sweepsOf(world)).toMatchObject([{ moved: 5_000_000n }])
  const wanted = { tokenId: id, amount: 2_000_000n, recipient: RECIPIENT, reference: 'paid' }
  await withdraw(money, wanted)
  await money.quiet()
  expect(await withdrawalsOf(world)).toMatchObject([{ status: 'Completed' }])
  expect(await holding(anvil, RECIPIENT, token)).toBe(2_000_000n)
  await money.expectExact()
})

test('a token that returns false and does not move fails, and its amount is released', async () => {
  const { money, world, token, id } = await openFalseMover()
  const { settlement } = await money.addresses()
  await anvil.payToken(token, settlement, 5_000_000n)
  await anvil.mine(REQUIRED)
  await world.settle()
  await anvil.call(token, 'close(bool)', [true])
  await withdraw(money, {
    tokenId: id,
    amount: 2_000_000n,
    recipient: RECIPIENT,
    reference: 'closed',
  })
  await money.quiet()
  expect(await withdrawalsOf(world)).toMatchObject([{ status: 'Failed' }])
  expect(await world.balance(id)).toBe(5_000_000n)
})

async function openFalseMover() {
  const token = await anvil.create(falseMoverInitCode())
  await anvil.call(token, 'mint(address,uint256)', [PAYER.address, 10n ** 12n])
  const listing = listed(SEPOLIA, token, { symbol: 'FMOVE', sweepAmount: 1_000_000n })
  const world = await worldOn(anvil, { tokens: [listing] })
  const money = await moneyWorld(world, anvil)
  await money.fundGas(10n ** 18n)
  return { money, world, token, id: parseToken(tokenId(SEPOLIA, token)) }
}

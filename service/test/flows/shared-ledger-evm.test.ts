import { invoke, sharedLedgerInitCode } from '@sluice/simulator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checksumAddress, brandEvmAddress, createdAddress } from '../../src/chains/evm/address.ts'
import { type AnvilChain, listed, PAYER, startAnvilChain, tokenId } from '../support/anvil-chain.ts'
import { moneyWorld } from '../support/money-world.ts'
import { worldOn } from '../support/opened-world.ts'
import type { World } from '../support/world.ts'
import { REQUIRED, SEPOLIA } from '../support/world-life.ts'

const RICH = 10n ** 12n
const TRANSFER = 'transfer(address,uint256)'

let anvil: AnvilChain
beforeAll(async () => {
  anvil = await startAnvilChain(SEPOLIA)
})
afterAll(() => anvil.stop())

/** A ledger with two contracts; a transfer through the first is logged by both. */
interface Shared {
  first: string
  second: string
}

describe('two contracts of one ledger', () => {
  test('a movement that both contracts log is credited once [E07]', async () => {
    const { shared, world } = await openShared()
    const { address } = await world.issue('ann')
    await anvil.payToken(shared.first, address, 5n)
    await confirm(world)
    await expectOneCredited(world, 5n)
    await world.settle()
    await expectOneCredited(world, 5n)
  })

  test('several movements in one block are credited once each', async () => {
    const { shared, world } = await openShared()
    const { address } = await world.issue('ann')
    await anvil.inOneBlock(async () => {
      await invoke(anvil, PAYER, shared.first, TRANSFER, [address, 5n])
      await invoke(anvil, PAYER, shared.first, TRANSFER, [address, 7n])
    })
    await confirm(world)
    const deposits = await world.deposits()
    const credited = deposits.filter(({ status }) => status === 'Confirmed')
    expect(credited.reduce((sum, { amount }) => sum + amount, 0n)).toBe(12n)
  })

  test('a movement is credited once when the second contract is listed later', async () => {
    const shared = await createShared()
    const { first, second } = listingsOf(shared)
    const world = await worldOn(anvil, { tokens: [second] })
    const { address } = await world.issue('ann')
    const height = await anvil.height()
    await anvil.payToken(shared.first, address, 5n)
    await confirm(world)
    expect(await world.deposits()).toMatchObject([{ status: 'Confirmed', amount: 5n }])
    await world.restart({ tokens: [first, second] })
    await world.rescan(height, await anvil.height())
    await confirm(world)
    await expectOneCredited(world, 5n)
  })

  test('a movement that one contract logs is credited to its token', async () => {
    const { shared, world } = await openShared()
    const { address } = await world.issue('ann')
    await anvil.payToken(shared.second, address, 5n)
    await confirm(world)
    expect(await world.deposits()).toMatchObject([
      { tokenId: tokenId(SEPOLIA, shared.second), status: 'Confirmed', amount: 5n },
    ])
  })

  test('transfers to the settlement address are credited once', async () => {
    const { shared, world } = await openShared()
    const harness = await (await moneyWorld(world, anvil)).addresses()
    await anvil.payToken(shared.first, harness.settlement, 9n)
    await confirm(world)
    const available = await Promise.all(
      [shared.first, shared.second].map((token) => world.balance(tokenId(SEPOLIA, token))),
    )
    expect(new Set(available)).toEqual(new Set([0n, 9n]))
    expect((await world.alerts()).map(({ code }) => code)).toEqual(['funding.held'])
  })
})

test('two unrelated tokens are both credited when equal amounts reach one address', async () => {
  const [one, other] = [await anvil.create(), await anvil.create()]
  await anvil.call(other, 'mint(address,uint256)', [PAYER.address, 1n])
  const world = await worldOn(anvil, {
    tokens: [listed(SEPOLIA, one), listed(SEPOLIA, other)],
  })
  const { address } = await world.issue('ann')
  await anvil.inOneBlock(async () => {
    await invoke(anvil, PAYER, one, TRANSFER, [address, 5n])
    await invoke(anvil, PAYER, other, TRANSFER, [address, 5n])
  })
  await confirm(world)
  expect((await world.deposits()).map(({ status }) => status)).toEqual(['Confirmed', 'Confirmed'])
})

async function createShared(): Promise<Shared> {
  const ledger = brandEvmAddress((await anvil.create(sharedLedgerInitCode())).toLowerCase())
  await anvil.call(ledger, 'mint(address,uint256)', [PAYER.address, RICH])
  const face = (nonce: bigint) => checksumAddress(createdAddress(ledger, nonce))
  return { first: face(1n), second: face(2n) }
}

function listingsOf({ first, second }: Shared) {
  return {
    first: listed(SEPOLIA, first, { symbol: 'OLDF' }),
    second: listed(SEPOLIA, second, { symbol: 'NEWF' }),
  }
}

async function openShared(): Promise<{ shared: Shared; world: World }> {
  const shared = await createShared()
  const { first, second } = listingsOf(shared)
  return { shared, world: await worldOn(anvil, { tokens: [first, second] }) }
}

async function confirm(world: World): Promise<void> {
  await anvil.mine(REQUIRED)
  await world.settle()
}

async function expectOneCredited(world: World, amount: bigint): Promise<void> {
  const deposits = await world.deposits()
  expect(deposits.map(({ status }) => status).sort()).toEqual(['Confirmed', 'Held'])
  const held = deposits.find(({ status }) => status === 'Held')
  const credited = deposits.find(({ status }) => status === 'Confirmed')
  expect(credited).toMatchObject({ amount, booked: 'available' })
  expect(held?.heldCause).toContain(credited?.tokenId)
  expect((await world.alerts()).map(({ code }) => code)).toEqual(['deposit.held'])
}

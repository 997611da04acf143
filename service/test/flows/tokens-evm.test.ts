import {
  devWallet,
  falseTokenInitCode,
  fakeTokenInitCode,
  holding,
  invoke,
  lyingTokenInitCode,
  type MinedReceipt,
  oddTransfersInitCode,
} from '@sluice/simulator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseToken } from '../adapters/brands.ts'
import {
  type AnvilChain,
  listed,
  METADATA,
  OTHER,
  PAYER,
  startAnvilChain,
  tokenId,
} from '../support/anvil-chain.ts'
import { moneyWorld, sweepsOf, withdraw, withdrawalsOf } from '../support/money-world.ts'
import { worldOn } from '../support/opened-world.ts'
import type { World } from '../support/world.ts'
import { REQUIRED, SEPOLIA } from '../support/world-life.ts'

const MOST = 2n ** 256n - 1n
const TRANSFER = 'transfer(address,uint256)'
const TRANSFER_FROM = 'transferFrom(address,address,uint256)'
const NOBODY = `0x${'0'.repeat(40)}`
const NEWCOMER = `0x${'7e'.repeat(20)}`

let anvil: AnvilChain
beforeAll(async () => {
  anvil = await startAnvilChain(SEPOLIA)
})
afterAll(() => anvil.stop())

describe('honest tokens', () => {
  test('a transfer by a third party is one deposit, whose sender is the owner [E13]', async () => {
    const { world, token, address } = await openWithToken()
    await anvil.call(token, 'approve(address,uint256)', [OTHER.address, 50n])
    await anvil.call(token, TRANSFER_FROM, [PAYER.address, address, 50n], OTHER)
    await confirm(world)
    expect(await world.deposits()).toMatchObject([
      { amount: 50n, status: 'Confirmed', senderAddress: PAYER.address },
    ])
  })

  test('minted tokens are credited, and their sender is the zero address [E19]', async () => {
    const { world, token, address } = await openWithToken()
    await anvil.call(token, 'mint(address,uint256)', [address, 70n])
    await confirm(world)
    expect(await world.deposits()).toMatchObject([
      { amount: 70n, status: 'Confirmed', senderAddress: NOBODY },
    ])
    expect((await world.audit()).findings).toEqual([])
  })

  test('transfers of zero are neither deposits nor events [E12]', async () => {
    const { world, token, address } = await openWithToken()
    await anvil.payToken(token, address, 5n)
    await confirm(world)
    const told = await world.events()
    const attacker = devWallet(3)
    await succeeds(anvil.call(token, TRANSFER_FROM, [address, OTHER.address, 0n], attacker))
    await succeeds(anvil.call(token, TRANSFER_FROM, [OTHER.address, address, 0n], attacker))
    await succeeds(anvil.call(token, TRANSFER, [address, 0n], attacker))
    await confirm(world)
    expect(await world.deposits()).toHaveLength(1)
    expect(await world.events()).toEqual(told)
  })

  test('transfers of zero in the name of our settlement address are not ours [E12]', async () => {
    const { world, token, address } = await openWithToken()
    const money = await moneyWorld(world, anvil)
    await money.fundGas(10n ** 18n)
    const { settlement } = await money.addresses()
    await anvil.payToken(token, settlement, 50n)
    await confirm(world)
    const sought = { tokenId: parseToken(tokenId(SEPOLIA, token)), recipient: NEWCOMER }
    await withdraw(money, { ...sought, amount: 5n, reference: 'ours' })
    // The settlement address is given gas first.
    await money.round()
    const attacker = devWallet(3)
    await anvil.inOneBlock(async () => {
      await money.round()
      // Our transaction is dropped; the one that resembles it is not.
      await anvil.rpc('anvil_dropAllTransactions')
      await invoke(anvil, attacker, token, TRANSFER_FROM, [settlement, NEWCOMER, 0n])
    })
    const told = await world.events()
    for (const [from, to] of [
      [settlement, NEWCOMER],
      [settlement, address],
      [NEWCOMER, settlement],
    ]) {
      await succeeds(anvil.call(token, TRANSFER_FROM, [String(from), String(to), 0n], attacker))
    }
    await confirm(world)
    expect(await world.events()).toEqual(told)
    expect(await world.deposits()).toEqual([])
    expect(await sweepsOf(world)).toEqual([])
    expect(await withdrawalsOf(world)).toEqual([{ reference: 'ours', status: 'Processing' }])
    expect((await world.alerts()).map(({ code }) => code)).toEqual([])
    await money.quiet()
    await money.expectExact()
    expect(await withdrawalsOf(world)).toEqual([{ reference: 'ours', status: 'Completed' }])
    expect(await holding(anvil, NEWCOMER, token)).toBe(5n)
  })

  test('tokens burned outside are a deficit of this token only [E09]', async () => {
    const burnt = await anvil.create()
    const sound = await anvil.create()
    const world = await worldOn(anvil, { tokens: [listed(SEPOLIA, burnt), listed(SEPOLIA, sound)] })
    const { address } = await world.issue('ann')
    await anvil.payToken(burnt, address, 100n)
    await anvil.payToken(sound, address, 100n)
    await confirm(world)
    expect((await world.audit()).findings).toEqual([])
    await anvil.call(burnt, 'burnFrom(address,uint256)', [address, 10n])
    await confirm(world)
    await world.auditCycle()
    expect((await world.audit()).findings).toMatchObject([
      { tokenId: tokenId(SEPOLIA, burnt), expected: 100n, found: 90n },
    ])
    expect(await world.alerts()).toMatchObject([
      { code: 'ledger.difference', message: expect.stringContaining('deficit of 10') },
    ])
    expect(await world.balance(tokenId(SEPOLIA, sound))).toBe(100n)
  })
})

describe('unlisted tokens and failed transfers', () => {
  test('an event of an unlisted contract is not recorded [E07]', async () => {
    const world = await worldOn(anvil)
    const { address } = await world.issue('ann')
    const fake = await anvil.create(fakeTokenInitCode())
    await anvil.call(fake, TRANSFER, [address, 10n ** 12n])
    await confirm(world)
    await expectNothing(world)
  })

  test('a clone with the same name, symbol and decimals is not recorded [E10]', async () => {
    const { world, token, address } = await openWithToken()
    const clone = await anvil.create()
    await anvil.payToken(clone, address, 10n ** 12n)
    await confirm(world)
    await expectNothing(world)
    await anvil.payToken(token, address, 3n)
    await confirm(world)
    expect(await world.deposits()).toMatchObject([
      { tokenId: tokenId(SEPOLIA, token), amount: 3n, status: 'Confirmed' },
    ])
  })

  test('a transfer that returns false instead of failing credits nothing [E06]', async () => {
    const token = await anvil.create(falseTokenInitCode())
    const world = await worldOn(anvil, { tokens: [listed(SEPOLIA, token, { symbol: 'FALSE' })] })
    const { address } = await world.issue('ann')
    await succeeds(anvil.call(token, TRANSFER, [address, 5n]))
    await confirm(world)
    await expectNothing(world)
  })
})

describe('dishonest tokens', () => {
  test('an event without a movement is held, and its token suspended [E07]', async () => {
    const token = await anvil.create(fakeTokenInitCode())
    const world = await worldOn(anvil, { tokens: [listed(SEPOLIA, token)] })
    const { address } = await world.issue('ann')
    await anvil.call(token, TRANSFER, [address, 10n ** 12n])
    await confirm(world)
    await expectHeld(world, token, 10n ** 12n)
  })

  test('a fee on transfer holds the deposit and suspends the token [E08]', async () => {
    const { world, token, address } = await openWithToken()
    await anvil.call(token, 'setFee(uint256)', [100])
    await anvil.payToken(token, address, 100n)
    await confirm(world)
    expect(await holding(anvil, address, token)).toBe(99n)
    await expectHeld(world, token, 100n)
    expect((await world.deposits())[0]?.heldCause).toContain('its balance moved 99')
  })

  test('honest transfers of a suspended token are held too [E08]', async () => {
    const { world, token, address } = await openWithToken()
    await anvil.call(token, 'setFee(uint256)', [100])
    await anvil.payToken(token, address, 100n)
    await anvil.call(token, 'setFee(uint256)', [0])
    await confirm(world)
    await anvil.payToken(token, address, 40n)
    await confirm(world)
    expect(await world.deposits()).toMatchObject([
      { amount: 100n, status: 'Held' },
      { amount: 40n, status: 'Held', heldCause: 'the token is suspended' },
    ])
    expect(await world.balance(tokenId(SEPOLIA, token))).toBe(0n)
  })

  test('the largest amount is stored exactly, and held [E22]', async () => {
    const token = await anvil.create(lyingTokenInitCode(METADATA))
    const world = await worldOn(anvil, { tokens: [listed(SEPOLIA, token)] })
    const { address } = await world.issue('ann')
    await anvil.call(token, 'say(address,address,uint256)', [OTHER.address, address, MOST])
    await confirm(world)
    await expectHeld(world, token, MOST)
    const [told] = await world.events('deposit.detected')
    expect(told?.payload['amount']).toBe(MOST.toString())
  })

  test('malformed events with the same topic are skipped, the next one is read [E11]', async () => {
    const token = await anvil.create(oddTransfersInitCode())
    const world = await worldOn(anvil, { tokens: [listed(SEPOLIA, token)] })
    const { address } = await world.issue('ann')
    const signature = 'emitOddThenProper(address,address,uint256)'
    const { logs } = await anvil.call(token, signature, [OTHER.address, address, 7n])
    expect(logs.map(({ topics }) => topics.length)).toEqual([4, 1, 3, 3])
    await confirm(world)
    // The contract has no balances, so its event cannot be verified and is not credited.
    expect(await world.deposits()).toMatchObject([
      { position: 'log:3', amount: 7n, status: 'Held' },
    ])
    expect(await world.balance(tokenId(SEPOLIA, token))).toBe(0n)
  })
})

/** A world with a newly listed honest token, and an address. */
async function openWithToken(): Promise<{ world: World; token: string; address: string }> {
  const token = await anvil.create()
  const world = await worldOn(anvil, { tokens: [listed(SEPOLIA, token)] })
  const { address } = await world.issue('ann')
  return { world, token, address }
}

/** Mines the required confirmations, and returns the new events. */
async function confirm(world: World): Promise<void> {
  await anvil.mine(REQUIRED)
  await world.settle()
}

async function succeeds(sent: Promise<MinedReceipt>): Promise<void> {
  expect((await sent).status).toBe('0x1')
}

async function expectNothing(world: World): Promise<void> {
  expect(await world.deposits()).toEqual([])
  expect(await world.balances()).toEqual({})
  expect(await world.events('deposit.detected', 'deposit.confirmed')).toEqual([])
}

/** Expects one held deposit, its suspended token, and events of both. */
async function expectHeld(world: World, token: string, amount: bigint): Promise<void> {
  const id = tokenId(SEPOLIA, token)
  const [deposit, ...others] = await world.deposits()
  expect(others).toEqual([])
  expect(deposit).toMatchObject({ tokenId: id, amount, status: 'Held', booked: 'held' })
  expect(await world.balance(id, 'claim:held')).toBe(amount)
  expect(await world.balance(id)).toBe(0n)
  const told = await world.events('deposit.confirmed', 'deposit.held', 'balance.updated')
  expect(told).toMatchObject([{ type: 'deposit.held', payload: { id: deposit?.id } }])
  const alerts = await world.alerts()
  expect(alerts.map(({ code, subject }) => `${code} ${subject}`).sort()).toEqual([
    `deposit.held ${deposit?.id}`,
    `token.suspended ${id}`,
  ])
}

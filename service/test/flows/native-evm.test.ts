import {
  alwaysRevertCode,
  encodeCall,
  endow,
  ethSplitterInitCode,
  forwarderInitCode,
  holding,
  selfDestructPayer,
} from '@sluice/simulator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AnvilChain, listed, PAYER, startAnvilChain, tokenId } from '../support/anvil-chain.ts'
import { ETHER, worldOn } from '../support/opened-world.ts'
import type { World } from '../support/world.ts'
import { REQUIRED, SEPOLIA } from '../support/world-life.ts'

const CENT = 10n ** 16n
const CAUGHT = 'payCaught(address[],uint256[],address[],uint256[])'

let anvil: AnvilChain
beforeAll(async () => {
  anvil = await startAnvilChain(SEPOLIA)
})
afterAll(() => anvil.stop())

describe('coins that never arrived', () => {
  test('a failed transaction with value credits nothing [E01]', async () => {
    const world = await worldOn(anvil)
    const { address } = await world.issue('ann')
    await anvil.rpc('anvil_setCode', [address, alwaysRevertCode()])
    const receipt = await anvil.send({ to: address, value: 10n ** 18n })
    expect(receipt.status).toBe('0x0')
    await anvil.rpc('anvil_setCode', [address, '0x'])
    await confirm(world)
    await expectNothing(world)
  })

  test('a payment by a contract that reverts at the end credits nothing [E02]', async () => {
    const world = await worldOn(anvil)
    const { address } = await world.issue('ann')
    const splitter = await anvil.create(ethSplitterInitCode())
    const data = encodeCall('payThenRevert(address[],uint256[])', [[address], [5n]])
    expect((await anvil.send({ to: splitter, value: 5n, data })).status).toBe('0x0')
    await confirm(world)
    await expectNothing(world)
  })

  test('a reverted inner call is not credited, other inner payments are [E02]', async () => {
    const world = await worldOn(anvil)
    const lost = await world.issue('ann')
    const kept = await world.issue('bob')
    const splitter = await anvil.create(ethSplitterInitCode())
    const data = encodeCall(CAUGHT, [[lost.address], [6n], [kept.address], [7n]])
    expect((await anvil.send({ to: splitter, value: 13n, data })).status).toBe('0x1')
    await confirm(world)
    expect(await world.deposits()).toMatchObject([
      { externalUserId: 'bob', amount: 7n, status: 'Confirmed' },
    ])
    expect(await world.balance(ETHER)).toBe(7n)
  })

  test('a balance that grows without a transaction is only found by the audit [E05]', async () => {
    const world = await worldOn(anvil)
    const { address } = await world.issue('ann')
    await anvil.rpc('anvil_setCoinbase', [address])
    await anvil.pay(PAYER.address, 1n)
    await anvil.rpc('anvil_setCoinbase', [`0x${'0'.repeat(40)}`])
    const reward = await holding(anvil, address)
    expect(reward).toBeGreaterThan(0n)
    await endow(anvil, address, reward + 123n)
    await confirm(world)
    const { compared } = await world.auditCycle()
    const uneven = compared.filter(({ expected, found }) => expected !== found)
    expect(uneven).toMatchObject([{ tokenId: ETHER, expected: 0n, found: reward + 123n }])
    await expectNothing(world)
    expect(await world.alerts()).toMatchObject([
      {
        code: 'ledger.difference',
        message: expect.stringContaining(`surplus of ${reward + 123n}`),
      },
    ])
  })
})

describe('coins paid by a contract', () => {
  test('an internal transfer is one deposit, also after a restart and a rescan [E03]', async () => {
    const world = await worldOn(anvil)
    const { address } = await world.issue('ann')
    const from = (await world.state()).tip.height
    const forwarder = await anvil.create(forwarderInitCode(address))
    const receipt = await anvil.send({ to: forwarder, value: CENT })
    expect(receipt).toMatchObject({ status: '0x1', logs: [] })
    await confirm(world)
    const deposits = await world.deposits()
    expect(deposits).toMatchObject([
      { externalUserId: 'ann', amount: CENT, status: 'Confirmed', position: 'call:0' },
    ])
    await world.restart()
    await world.rescan(from, (await world.state()).tip.height)
    await world.settle()
    expect(await world.deposits()).toEqual(deposits)
    expect(await world.balance(ETHER)).toBe(CENT)
    expect((await world.audit()).findings).toEqual([])
  })

  test('a missed internal transfer is found by a rescan with traces [E03]', async () => {
    const chain = { id: SEPOLIA, nodes: [anvil.url] }
    const world = await worldOn(anvil, { traces: 'off' })
    const { address } = await world.issue('ann')
    const from = (await world.state()).tip.height
    const forwarder = await anvil.create(forwarderInitCode(address))
    await anvil.send({ to: forwarder, value: CENT })
    await confirm(world)
    await expectNothing(world)
    expect((await world.auditCycle()).compared).toContainEqual(
      expect.objectContaining({ tokenId: ETHER, expected: 0n, found: CENT }),
    )
    expect(await world.alerts()).toMatchObject([{ code: 'ledger.difference' }])
    await world.restart({ chains: [{ ...chain, traces: 'auto' }] })
    await world.rescan(from, (await world.state()).tip.height)
    await world.settle()
    expect(await world.deposits()).toMatchObject([{ amount: CENT, status: 'Confirmed' }])
    await world.auditCycle()
    expect(await world.alerts()).toEqual([])
  })

  test('coins of a contract that destroys itself are one deposit [E04]', async () => {
    const world = await worldOn(anvil)
    const { address } = await world.issue('ann')
    const receipt = await anvil.send({ data: selfDestructPayer(address), value: 11n })
    expect(receipt).toMatchObject({ status: '0x1', to: null, logs: [] })
    await confirm(world)
    expect(await world.deposits()).toMatchObject([
      { externalUserId: 'ann', amount: 11n, status: 'Confirmed', position: 'call:0' },
    ])
    expect((await world.audit()).findings).toEqual([])
  })

  test('coins and a token in one transaction to one user are two deposits [E15]', async () => {
    const token = await anvil.create()
    const world = await worldOn(anvil, { tokens: [listed(SEPOLIA, token)] })
    const { address } = await world.issue('ann')
    const receipt = await anvil.send({ data: coinAndToken(address, token, 9n), value: 5n })
    expect(receipt).toMatchObject({ status: '0x1', logs: [{ address: token.toLowerCase() }] })
    await confirm(world)
    const deposits = await world.deposits()
    expect(deposits).toMatchObject([
      { tokenId: tokenId(SEPOLIA, token), position: 'log:0', amount: 9n, status: 'Confirmed' },
      { tokenId: ETHER, position: 'call:0', amount: 5n, status: 'Confirmed' },
    ])
    expect(new Set(deposits.map(({ txnHash }) => txnHash)).size).toBe(1)
    expect(new Set(deposits.map(({ id }) => id)).size).toBe(2)
  })
})

/** Mines the required confirmations, and returns the new events. */
async function confirm(world: World): Promise<void> {
  await anvil.mine(REQUIRED)
  await world.settle()
}

async function expectNothing(world: World): Promise<void> {
  expect(await world.deposits()).toEqual([])
  expect(await world.balances()).toEqual({})
  expect(await world.events('deposit.detected', 'deposit.confirmed')).toEqual([])
}

/** Init code that mints a token to an address and forwards the value of the transaction to it. */
function coinAndToken(to: string, token: string, amount: bigint): string {
  const bare = (address: string) => address.slice(2).toLowerCase()
  const mint = encodeCall('mint(address,uint256)', [to, amount]).slice(2)
  const code = (size: string) =>
    `604460${size}60003960006000604460006000` +
    `73${bare(token)}5af1506000600060006000` +
    `3473${bare(to)}5af100`
  const size = (code('00').length / 2).toString(16).padStart(2, '0')
  return `0x${code(size)}${mint}`
}

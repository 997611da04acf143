import { expect, test } from 'vitest'
import { openCatalogue } from '../../src/catalogue/find.ts'
import type { ChainAdapter } from '../../src/chains/chain-adapter.ts'
import { BlocksAhead } from '../../src/scanner/ahead.ts'
import { followChain } from '../../src/scanner/follow.ts'
import { processWithdrawals } from '../../src/withdrawals/pay/process.ts'
import { tronSender } from '../adapters/tron-world.ts'
import { sweepsOf } from '../support/money-world.ts'
import {
  CONTRACT,
  created,
  deposited,
  expectWhole,
  opened,
  SHASTA,
  SOLID_LAG,
  signedFor,
  TRX,
  type TronHouse,
  USDT,
} from '../support/tron-house.ts'

const TO = tronSender(601).address
const PAID = 5n * TRX

test('a payment of a removed token is detected in its block [W22]', async () => {
  const house = await opened()
  const id = await onItsWay(house)
  await withoutTokens(house)
  await house.mine(1 + SOLID_LAG)
  expect(await house.read(id)).toMatchObject({ status: 'Completed' })
  expect(house.chain.tokens(CONTRACT, TO)).toBe(PAID)
  expect(await codes(house)).toEqual([])
  expect(await house.world.balance(USDT)).toBe(45n * TRX)
  await withTokens(house)
  await expectWhole(house)
})

test('a sweep of a removed token is booked [W22]', async () => {
  const house = await opened()
  await deposited(house, 'ben', 50n * TRX)
  for (let round = 0; (await swept(house)).every(({ state }) => state !== 'Sent'); round += 1) {
    if (round === 6) throw new Error('it is never swept')
    house.chain.lets = () => true
    await house.mine(1 + SOLID_LAG)
    house.chain.lets = () => false
    await house.spend()
  }
  await withoutTokens(house)
  house.chain.lets = () => true
  await house.mine(1 + SOLID_LAG)
  expect(await swept(house)).toMatchObject([{ state: 'Done' }])
  expect(await codes(house)).toEqual([])
  expect(await onSettlement(house)).toBe(50n * TRX)
})

test('a payment missed in its block is concluded by a rescan [W22]', async () => {
  const house = await opened()
  const id = await onItsWay(house)
  house.chain.mine()
  const { chain, world } = house
  const height = chain.head().height
  await blindly(house)
  expect(await house.read(id)).toMatchObject({ status: 'Processing' })
  expect(await codes(house)).toEqual(['spend.unproven', 'token.suspended'])
  await house.mine(SOLID_LAG)
  expect(await house.read(id)).toMatchObject({ status: 'Processing' })
  for (let again = 0; again < 2; again += 1) {
    await world.rescan(height, height, SHASTA)
    await world.settle()
    expect(await codes(house)).toEqual(['token.suspended'])
    expect(await house.read(id)).toMatchObject({ status: 'Completed' })
    expect(await world.balance(USDT)).toBe(45n * TRX)
    await expectWhole(house)
  }
  const told = await world.events('withdrawal.completed')
  expect(told).toMatchObject([{ payload: { id } }])
})

test('a reorg reverts a payment that a rescan concluded [W22]', async () => {
  const house = await opened()
  const id = await onItsWay(house)
  house.chain.mine()
  const { chain, world } = house
  await blindly(house)
  const { height } = chain.head()
  await world.rescan(height, height, SHASTA)
  await world.settle()
  expect(await world.balance(USDT, 'claim:reserved')).toBe(0n)
  chain.reorg({ depth: 1 })
  await house.mine(2)
  expect(await world.balance(USDT, 'claim:reserved')).toBe(PAID)
  expect(await house.read(id)).toMatchObject({ status: 'Processing' })
  await expectWhole(house)
})

test('a removed token is not signed for, and an alert is raised [O07]', async () => {
  const house = await opened()
  await deposited(house, 'ben', 50n * TRX)
  for (let round = 0; (await onSettlement(house)) === 0n; round += 1) {
    if (round === 6) throw new Error('it is never swept')
    await house.spend()
    await house.mine(1 + SOLID_LAG)
  }
  const id = await created(house, { tokenId: USDT, recipient: TO, amount: String(PAID) })
  const signed = await signedFor(house)
  const without = openCatalogue({
    chains: [{ id: SHASTA, catalogueTokens: false }],
    tokens: [],
  })
  for (let round = 0; round < 2; round += 1) {
    expect(await processWithdrawals({ ...house.spender, catalogue: without })).toBe(0)
  }
  expect(await signedFor(house)).toBe(signed)
  expect(await house.read(id)).toMatchObject({ status: 'Pending' })
  expect(await house.world.alerts()).toMatchObject([
    { code: 'token.unlisted', subject: USDT, times: 1 },
  ])
  expect(await house.conclude(id, 12)).toMatchObject({ status: 'Completed' })
  expect(await codes(house)).toEqual([])
})

/** A withdrawal that is signed, broadcast and not included. */
async function onItsWay(house: TronHouse): Promise<string> {
  await deposited(house, 'ben', 50n * TRX)
  const id = await created(house, { tokenId: USDT, recipient: TO, amount: String(PAID) })
  for (let round = 0; (await house.read(id)).status === 'Pending'; round += 1) {
    if (round === 6) throw new Error('it is never sent')
    house.chain.lets = () => true
    await house.mine(1 + SOLID_LAG)
    house.chain.lets = () => false
    await house.spend()
  }
  house.chain.lets = () => true
  return id
}

/** The scanner reads up to the head from a node that omits every transfer. */
async function blindly({ world }: TronHouse): Promise<void> {
  const holder = await world.holder(SHASTA)
  const adapter: ChainAdapter = {
    ...holder.adapter,
    blockAt: async (query, scope) => {
      const block = await holder.adapter.blockAt(query, scope)
      return block === null ? null : { ...block, transfers: [] }
    },
  }
  const ahead = new BlocksAhead(adapter, 8)
  for (let progress = 'moved'; progress === 'moved'; ) {
    progress = await followChain({ ...holder, adapter }, ahead)
  }
}

async function swept({ world }: TronHouse) {
  return (await sweepsOf(world)).filter(({ tokenId }) => tokenId === USDT)
}

function onSettlement({ world, settlement }: TronHouse): Promise<bigint> {
  return world.balance(USDT, `place:settlement:${settlement}`)
}

async function codes({ world }: TronHouse): Promise<string[]> {
  return (await world.alerts()).map(({ code }) => code).sort()
}

function withoutTokens(house: TronHouse): Promise<void> {
  const chains = [{ id: SHASTA, nodes: [house.node.url], catalogueTokens: false }]
  return house.world.restart({ chains })
}

function withTokens(house: TronHouse): Promise<void> {
  return house.world.restart({ chains: [{ id: SHASTA, nodes: [house.node.url] }] })
}

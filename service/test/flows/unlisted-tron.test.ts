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
  type TronHarness,
  USDT,
} from '../support/tron-harness.ts'

const TO = tronSender(601).address
const PAID = 5n * TRX

test('a payment of a removed token is detected in its block [W22]', async () => {
  const harness = await opened()
  const id = await onItsWay(harness)
  await withoutTokens(harness)
  await harness.mine(1 + SOLID_LAG)
  expect(await harness.read(id)).toMatchObject({ status: 'Completed' })
  expect(harness.chain.tokens(CONTRACT, TO)).toBe(PAID)
  expect(await codes(harness)).toEqual([])
  expect(await harness.world.balance(USDT)).toBe(45n * TRX)
  await withTokens(harness)
  await expectWhole(harness)
})

test('a sweep of a removed token is booked [W22]', async () => {
  const harness = await opened()
  await deposited(harness, 'ben', 50n * TRX)
  for (let round = 0; (await swept(harness)).every(({ state }) => state !== 'Sent'); round += 1) {
    if (round === 6) throw new Error('it is never swept')
    harness.chain.lets = () => true
    await harness.mine(1 + SOLID_LAG)
    harness.chain.lets = () => false
    await harness.spend()
  }
  await withoutTokens(harness)
  harness.chain.lets = () => true
  await harness.mine(1 + SOLID_LAG)
  expect(await swept(harness)).toMatchObject([{ state: 'Done' }])
  expect(await codes(harness)).toEqual([])
  expect(await onSettlement(harness)).toBe(50n * TRX)
})

test('a payment missed in its block is concluded by a rescan [W22]', async () => {
  const harness = await opened()
  const id = await onItsWay(harness)
  harness.chain.mine()
  const { chain, world } = harness
  const height = chain.head().height
  await blindly(harness)
  expect(await harness.read(id)).toMatchObject({ status: 'Processing' })
  expect(await codes(harness)).toEqual(['spend.unproven', 'token.suspended'])
  await harness.mine(SOLID_LAG)
  expect(await harness.read(id)).toMatchObject({ status: 'Processing' })
  for (let again = 0; again < 2; again += 1) {
    await world.rescan(height, height, SHASTA)
    await world.settle()
    expect(await codes(harness)).toEqual(['token.suspended'])
    expect(await harness.read(id)).toMatchObject({ status: 'Completed' })
    expect(await world.balance(USDT)).toBe(45n * TRX)
    await expectWhole(harness)
  }
  const told = await world.events('withdrawal.completed')
  expect(told).toMatchObject([{ payload: { id } }])
})

test('a reorg reverts a payment that a rescan concluded [W22]', async () => {
  const harness = await opened()
  const id = await onItsWay(harness)
  harness.chain.mine()
  const { chain, world } = harness
  await blindly(harness)
  const { height } = chain.head()
  await world.rescan(height, height, SHASTA)
  await world.settle()
  expect(await world.balance(USDT, 'claim:reserved')).toBe(0n)
  chain.reorg({ depth: 1 })
  await harness.mine(2)
  expect(await world.balance(USDT, 'claim:reserved')).toBe(PAID)
  expect(await harness.read(id)).toMatchObject({ status: 'Processing' })
  await expectWhole(harness)
})

test('a removed token is not signed for, and an alert is raised [O07]', async () => {
  const harness = await opened()
  await deposited(harness, 'ben', 50n * TRX)
  for (let round = 0; (await onSettlement(harness)) === 0n; round += 1) {
    if (round === 6) throw new Error('it is never swept')
    await harness.spend()
    await harness.mine(1 + SOLID_LAG)
  }
  const id = await created(harness, { tokenId: USDT, recipient: TO, amount: String(PAID) })
  const signed = await signedFor(harness)
  const without = openCatalogue({
    chains: [{ id: SHASTA, catalogueTokens: false }],
    tokens: [],
  })
  for (let round = 0; round < 2; round += 1) {
    expect(await processWithdrawals({ ...harness.spender, catalogue: without })).toBe(0)
  }
  expect(await signedFor(harness)).toBe(signed)
  expect(await harness.read(id)).toMatchObject({ status: 'Pending' })
  expect(await harness.world.alerts()).toMatchObject([
    { code: 'token.unlisted', subject: USDT, times: 1 },
  ])
  expect(await harness.conclude(id, 12)).toMatchObject({ status: 'Completed' })
  expect(await codes(harness)).toEqual([])
})

/** A withdrawal that is signed, broadcast and not included. */
async function onItsWay(harness: TronHarness): Promise<string> {
  await deposited(harness, 'ben', 50n * TRX)
  const id = await created(harness, { tokenId: USDT, recipient: TO, amount: String(PAID) })
  for (let round = 0; (await harness.read(id)).status === 'Pending'; round += 1) {
    if (round === 6) throw new Error('it is never sent')
    harness.chain.lets = () => true
    await harness.mine(1 + SOLID_LAG)
    harness.chain.lets = () => false
    await harness.spend()
  }
  harness.chain.lets = () => true
  return id
}

/** The scanner reads up to the head from a node that omits every transfer. */
async function blindly({ world }: TronHarness): Promise<void> {
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

async function swept({ world }: TronHarness) {
  return (await sweepsOf(world)).filter(({ tokenId }) => tokenId === USDT)
}

function onSettlement({ world, settlement }: TronHarness): Promise<bigint> {
  return world.balance(USDT, `place:settlement:${settlement}`)
}

async function codes({ world }: TronHarness): Promise<string[]> {
  return (await world.alerts()).map(({ code }) => code).sort()
}

function withoutTokens(harness: TronHarness): Promise<void> {
  const chains = [{ id: SHASTA, nodes: [harness.node.url], catalogueTokens: false }]
  return harness.world.restart({ chains })
}

function withTokens(harness: TronHarness): Promise<void> {
  return harness.world.restart({ chains: [{ id: SHASTA, nodes: [harness.node.url] }] })
}

import { expect, test } from 'vitest'
import { tronSender } from '../adapters/tron-world.ts'
import { sweepsOf } from '../support/money-world.ts'
import {
  COIN,
  created,
  deposited,
  expectWhole,
  FUNDED,
  opened,
  signedFor,
  SOLID_LAG,
  TRX,
  USDT,
  WINDOW_BLOCKS,
} from '../support/tron-harness.ts'

// Each test mines windows of 230 blocks, so only the long tier runs this file.

const DAY_MS = 86_400_000

test('a sweep that is never included fails and says that it expired [T07]', async () => {
  const harness = await opened()
  const { chain, world } = harness
  await deposited(harness, 'ben', 50n * TRX)
  await harness.spend()
  await harness.mine(1 + SOLID_LAG)
  chain.lets = () => false
  for (let round = 0; round < 5; round += 1) {
    await harness.spend()
    await harness.mine(WINDOW_BLOCKS)
  }
  await harness.spend()
  const swept = (await sweepsOf(world)).filter(({ tokenId }) => tokenId === USDT)
  expect(swept).toMatchObject([
    { state: 'Failed', cause: 'it and all its replacements have expired' },
  ])
})

test('a clock that jumps a day causes no second signature in the window [T07 W26]', async () => {
  const harness = await opened()
  const { chain } = harness
  const { clock } = harness.world
  const to = tronSender(513).address
  const id = await created(harness, { recipient: to, amount: String(20n * TRX) })
  const spendOnAnotherDay = async () => {
    for (const day of [DAY_MS, -2 * DAY_MS, DAY_MS]) {
      clock.set(clock.now() + day)
      await harness.spend()
    }
  }
  chain.lets = () => false
  await spendOnAnotherDay()
  const { txnHash } = await harness.read(id)
  for (const blocks of [WINDOW_BLOCKS - 40, SOLID_LAG, 1]) {
    expect(await signedFor(harness)).toBe(1)
    await harness.mine(blocks)
    await spendOnAnotherDay()
  }
  // The head is past the end of the window; the solid block is not.
  expect(await signedFor(harness)).toBe(1)
  expect(await harness.read(id)).toMatchObject({ status: 'Processing', txnHash })
  await harness.mine(60)
  await spendOnAnotherDay()
  expect(await signedFor(harness)).toBe(2)
  chain.lets = () => true
  await harness.mine(1 + SOLID_LAG)
  expect(await harness.read(id)).toMatchObject({ status: 'Completed' })
  expect(chain.balance(to)).toBe(20n * TRX)
  await expectWhole(harness)
})

test('a successor waits until the block that it refers to has been read [T07 W25]', async () => {
  const harness = await opened()
  const { chain } = harness
  const id = await created(harness, {
    recipient: tronSender(508).address,
    amount: String(20n * TRX),
  })
  chain.lets = () => false
  await harness.spend()
  await harness.mine(WINDOW_BLOCKS + SOLID_LAG)
  // Solid blocks above our tip may include our transaction.
  chain.mine(2 * SOLID_LAG)
  await harness.spend()
  expect(await signedFor(harness)).toBe(1)
  await harness.mine(1)
  await harness.spend()
  expect(await signedFor(harness)).toBe(2)
  expect(await harness.read(id)).toMatchObject({ status: 'Processing' })
})

test('a withdrawal fails after three successors and is returned once [T07]', async () => {
  const harness = await opened()
  const { chain } = harness
  const to = tronSender(507).address
  const id = await created(harness, { recipient: to, amount: String(20n * TRX) })
  chain.lets = () => false
  for (let round = 0; round < 8; round += 1) {
    await harness.spend()
    await harness.mine(WINDOW_BLOCKS)
  }
  expect(await signedFor(harness)).toBe(4)
  expect(await harness.read(id)).toMatchObject({ status: 'Failed', failureCode: 'EXPIRED' })
  expect(await harness.world.balance(COIN)).toBe(FUNDED)
  chain.lets = () => true
  await harness.spend()
  await harness.mine(1 + SOLID_LAG)
  expect(chain.balance(to)).toBe(0n)
  expect(await signedFor(harness)).toBe(4)
  await expectWhole(harness)
})

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { noncesOf } from '../../src/chains/chain-adapter.ts'
import type { Signed } from '../../src/chains/port.ts'
import type { World } from './conformance.ts'
import {
  holdingOf,
  intentOf,
  LONG_MS,
  made,
  mined,
  onlyOutcome,
  paid,
  spentBy,
  tokenOf,
} from './payment-steps.ts'
import { whatIsRefused, whatNodesAnswer } from './spending-refused.ts'
import { whatIsReplaced } from './spending-replaced.ts'

/** The part of the port's law that is about spending. */
export function describeSpending(name: string, openWorld: () => Promise<World>): void {
  describe(`${name} spending`, () => {
    let world: World
    beforeAll(async () => {
      world = await openWorld()
    })
    beforeEach(() => world.pass(LONG_MS))
    afterAll(() => world.close())

    describe('payments', () => {
      itsPayments(() => world)
      itsOddities(() => world)
      itsNonces(() => world)
    })
    describe('replacements', () => {
      whatIsReplaced(() => world)
    })
    describe('node answers', () => {
      whatNodesAnswer(() => world)
    })
    describe('refusals', () => {
      whatIsRefused(() => world)
    })
  })
}

function itsPayments(world: () => World): void {
  test('coins arrive, and the sender pays exactly the fee of the block', async () => {
    const sender = await world().spending.newSender()
    const to = world().freshAddress()
    const intent = intentOf(world(), sender, { to, amount: 10n ** 16n })
    const before = await holdingOf(world(), sender.address)
    const { txnHash } = await paid(world(), sender, intent)
    const block = await mined(world(), sender)
    const outcome = onlyOutcome(block)
    expect(outcome).toMatchObject({ txnHash, succeeded: true, sender: sender.address, nonce: 0 })
    expect(block.transfers).toMatchObject([
      { txnHash, from: sender.address, to, amount: 10n ** 16n },
    ])
    expect(outcome.fee).toBeGreaterThan(0n)
    expect(await holdingOf(world(), to)).toBe(10n ** 16n)
    expect(await holdingOf(world(), sender.address)).toBe(before - 10n ** 16n - outcome.fee)
  })

  test('a token payment arrives, and costs only the fee in coins', async () => {
    const token = tokenOf(world())
    const sender = await world().spending.newSender()
    const to = world().freshAddress()
    const before = await holdingOf(world(), sender.address)
    const { txnHash } = await paid(
      world(),
      sender,
      intentOf(world(), sender, { to, tokenId: token }),
    )
    const block = await mined(world(), sender)
    const { fee } = onlyOutcome(block)
    expect(block.transfers).toMatchObject([{ txnHash, tokenId: token, to, amount: 1_000n }])
    expect(await holdingOf(world(), to, token)).toBe(1_000n)
    expect(await holdingOf(world(), sender.address)).toBe(before - fee)
  })
}

function itsNonces(world: () => World): void {
  test('the nonces grow with broadcast and mined transactions', async () => {
    const { adapter, mine } = world()
    const sender = await world().spending.newSender()
    expect(await noncesOf(adapter, sender.address)).toEqual({ latest: 0, pending: 0 })
    await paid(world(), sender, intentOf(world(), sender))
    expect(await noncesOf(adapter, sender.address)).toEqual({ latest: 0, pending: 1 })
    await mine()
    expect(await noncesOf(adapter, sender.address)).toEqual({ latest: 1, pending: 1 })
  })

  test('transactions after a nonce gap are included once the gap is filled [W15]', async () => {
    const { adapter, mine } = world()
    const sender = await world().spending.newSender()
    const intents = [1n, 2n, 3n].map((part) =>
      intentOf(world(), sender, { to: world().freshAddress(), amount: part * 10n ** 16n }),
    )
    const signed: Signed[] = []
    for (const [nonce, intent] of intents.entries()) {
      signed.push(await made(world(), sender, intent, nonce))
    }
    for (const { raw } of signed.slice(1)) await adapter.broadcast(raw)
    await mine()
    expect(await noncesOf(adapter, sender.address)).toEqual({ latest: 0, pending: 0 })
    for (const { raw } of signed.slice(0, 1)) await adapter.broadcast(raw)
    await mine(2)
    const amounts = intents.map(({ to }) => holdingOf(world(), to))
    expect(await Promise.all(amounts)).toEqual(intents.map(({ amount }) => amount))
    expect(await noncesOf(adapter, sender.address)).toEqual({ latest: 3, pending: 3 })
  })
}

function itsOddities(world: () => World): void {
  test('a token transfer that fails in its block costs only its fee [W22]', async () => {
    const { spending, adapter } = world()
    const sender = await spending.newSender()
    const intent = intentOf(world(), sender, { tokenId: tokenOf(world()) })
    const signed = await made(world(), sender, intent)
    await spending.pauseToken(true)
    try {
      await adapter.broadcast(signed.raw)
      const block = await mined(world(), sender)
      expect(block.transfers).toEqual([])
      const outcome = onlyOutcome(block)
      expect(outcome).toMatchObject({ txnHash: signed.txnHash, succeeded: false, nonce: 0 })
      expect(outcome.fee).toBeGreaterThan(0n)
      const fate = await adapter.fate(spentBy(sender, [signed]))
      expect(fate).toMatchObject({ state: 'included', succeeded: false })
      expect(await holdingOf(world(), intent.to, intent.tokenId)).toBe(0n)
    } finally {
      await spending.pauseToken(false)
    }
  })

  test('a filler uses its nonce and moves nothing', async () => {
    const sender = await world().spending.newSender()
    await paid(world(), sender, intentOf(world(), sender, { to: sender.address, amount: 0n }))
    const block = await mined(world(), sender)
    expect(block.transfers).toEqual([])
    expect(onlyOutcome(block)).toMatchObject({ succeeded: true, nonce: 0 })
  })
}

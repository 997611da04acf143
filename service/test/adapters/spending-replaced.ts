import { expect, test } from 'vitest'
import { noncesOf } from '../../src/chains/chain-adapter.ts'
import { maxFeeOf } from '../../src/chains/spending.ts'
import type { World } from './conformance.ts'
import {
  CAPS,
  holdingOf,
  intentOf,
  made,
  mined,
  onlyOutcome,
  paid,
  quoted,
  signedBy,
  spentBy,
} from './payment-steps.ts'

/** Exactly one transaction of a nonce is included. */
export function whatIsReplaced(world: () => World): void {
  byUs(world)
  byOthers(world)
}

function byUs(world: () => World): void {
  test('a replacement displaces the pending one, and one of the two is mined [W18]', async () => {
    const { adapter } = world()
    const sender = await world().spending.newSender()
    const intent = intentOf(world(), sender)
    const terms = await quoted(world(), intent)
    const first = signedBy(world(), sender, intent, terms)
    await adapter.broadcast(first.raw)
    const bumped = adapter.bump(terms, await adapter.feeRate(), CAPS)
    if (bumped === null) throw new Error('no replacement')
    expect(maxFeeOf(bumped) * 1_000n).toBeGreaterThanOrEqual(maxFeeOf(terms) * 1_125n)
    const second = signedBy(world(), sender, intent, bumped)
    await adapter.broadcast(second.raw)
    await adapter.broadcast(first.raw)
    const block = await mined(world(), sender)
    expect(onlyOutcome(block)).toMatchObject({ txnHash: second.txnHash, succeeded: true })
    expect(await holdingOf(world(), intent.to)).toBe(intent.amount)
    const fate = await adapter.fate(spentBy(sender, [first, second]))
    expect(fate).toMatchObject({ state: 'included', txnHash: second.txnHash, succeeded: true })
  })

  test('a replaced transaction that is mined after all is found [W18]', async () => {
    const { adapter } = world()
    const sender = await world().spending.newSender()
    const intent = intentOf(world(), sender)
    const terms = await quoted(world(), intent)
    const first = signedBy(world(), sender, intent, terms)
    const bumped = adapter.bump(terms, await adapter.feeRate(), CAPS)
    if (bumped === null) throw new Error('no replacement')
    const second = signedBy(world(), sender, intent, bumped)
    await adapter.broadcast(first.raw)
    const block = await mined(world(), sender)
    await adapter.broadcast(second.raw)
    await world().mine()
    expect(await adapter.fate(spentBy(sender, [first, second]))).toEqual({
      state: 'included',
      txnHash: first.txnHash,
      succeeded: true,
      ref: { height: block.height, hash: block.hash },
    })
    expect(await holdingOf(world(), intent.to)).toBe(intent.amount)
  })
}

function byOthers(world: () => World): void {
  test('a nonce used by another transaction is reported once that is mined [W19]', async () => {
    const { adapter, mine } = world()
    const sender = await world().spending.newSender()
    const to = world().freshAddress()
    const ours = await made(world(), sender, intentOf(world(), sender, { to }))
    const foreign = await made(
      world(),
      sender,
      intentOf(world(), sender, { amount: 3n * 10n ** 16n }),
    )
    await adapter.broadcast(foreign.raw)
    expect(await adapter.fate(spentBy(sender, [ours]))).toEqual({ state: 'unknown' })
    await mine()
    expect(await adapter.fate(spentBy(sender, [ours]))).toEqual({ state: 'consumed', by: 'other' })
    await adapter.broadcast(ours.raw)
    await mine()
    expect(await noncesOf(adapter, sender.address)).toEqual({ latest: 1, pending: 1 })
    expect(await holdingOf(world(), to)).toBe(0n)
  })

  test('a transaction dropped by a reorg is included again with the same bytes [R09]', async () => {
    const { adapter, reorg, mine } = world()
    const sender = await world().spending.newSender()
    const intent = intentOf(world(), sender)
    const signed = await paid(world(), sender, intent)
    await mine()
    expect(await adapter.fate(spentBy(sender, [signed]))).toMatchObject({ state: 'included' })
    await reorg(1)
    expect(await adapter.fate(spentBy(sender, [signed]))).toEqual({ state: 'unknown' })
    await adapter.broadcast(signed.raw)
    const block = await mined(world(), sender)
    expect(onlyOutcome(block)).toMatchObject({ txnHash: signed.txnHash, succeeded: true })
    expect(await holdingOf(world(), intent.to)).toBe(intent.amount)
  })
}

import { expect, test } from 'vitest'
import { Outage } from '../../src/base/fault.ts'
import { noncesOf } from '../../src/chains/chain-adapter.ts'
import type { Intent } from '../../src/chains/port.ts'
import type { World } from './conformance.ts'
import {
  CAPS,
  holdingOf,
  intentOf,
  LONG_MS,
  made,
  outage,
  paid,
  spentBy,
  tokenOf,
} from './payment-steps.ts'
import type { Sender } from './spending-hand.ts'

/** The chain decides, not a node's answer to a broadcast. */
export function whatNodesAnswer(world: () => World): void {
  const faults = ['loseAnswers', 'denyAnswers'] as const
  test.each(faults)(
    'bytes that a node accepted are included in spite of its answer: %s [W13]',
    async (how) => {
      const { adapter, mine, node, spending } = world()
      const sender = await spending.newSender()
      const intent = intentOf(world(), sender)
      const signed = await made(world(), sender, intent)
      spending[how]()
      const { answer } = await adapter.broadcast(signed.raw)
      expect(answer).not.toContain(signed.txnHash)
      await node.mend()
      world().pass(LONG_MS)
      await adapter.broadcast(signed.raw)
      await mine()
      expect(await adapter.fate(spentBy(sender, [signed]))).toMatchObject({ state: 'included' })
      expect(await noncesOf(adapter, sender.address)).toEqual({ latest: 1, pending: 1 })
      expect(await holdingOf(world(), intent.to)).toBe(intent.amount)
    },
  )

  test('included bytes that are sent again change nothing [W14]', async () => {
    const { adapter, mine } = world()
    const sender = await world().spending.newSender()
    const intent = intentOf(world(), sender)
    const signed = await paid(world(), sender, intent)
    await mine()
    const { answer } = await adapter.broadcast(signed.raw)
    expect(answer).not.toBe('')
    await mine()
    expect(await adapter.fate(spentBy(sender, [signed]))).toMatchObject({ state: 'included' })
    expect(await noncesOf(adapter, sender.address)).toEqual({ latest: 1, pending: 1 })
    expect(await holdingOf(world(), intent.to)).toBe(intent.amount)
  })
}

/** Terms that are never signed. */
export function whatIsRefused(world: () => World): void {
  byRecipients(world)
  bySenders(world)
  byNodes(world)
}

function byRecipients(world: () => World): void {
  test('a payment to a contract that needs more gas is refused [W17]', async () => {
    const sender = await world().spending.newSender()
    const to = world().spending.glutton
    const quote = await world().adapter.quote(intentOf(world(), sender, { to }), CAPS)
    expect(quote).toMatchObject({ ok: false, code: 'RECIPIENT_REFUSES' })
  })

  test('a payment to a contract that accepts no coins is refused', async () => {
    const sender = await world().spending.newSender()
    const to = world().spending.refuser
    const quote = await world().adapter.quote(intentOf(world(), sender, { to }), CAPS)
    expect(quote).toMatchObject({ ok: false, code: 'RECIPIENT_REFUSES' })
  })

  test('a token transfer that would fail is refused [W22]', async () => {
    const { adapter, spending } = world()
    const sender = await spending.newSender()
    await spending.pauseToken(true)
    try {
      const intent = intentOf(world(), sender, { tokenId: tokenOf(world()) })
      expect(await adapter.quote(intent, CAPS)).toMatchObject({ code: 'RECIPIENT_REFUSES' })
    } finally {
      await spending.pauseToken(false)
    }
  })
}

function bySenders(world: () => World): void {
  test('an amount above the balance of coins, tokens or fee coins is refused [A02]', async () => {
    const { adapter, payNative, payToken, mine } = world()
    const sender = await world().spending.newSender()
    const coins = await holdingOf(world(), sender.address)
    const code = async (change: Partial<Intent>, from: Pick<Sender, 'address'> = sender) => {
      const quote = await adapter.quote(intentOf(world(), from, change), CAPS)
      return quote.ok ? 'ok' : quote.code
    }
    expect(await code({ amount: coins + 1n })).toBe('INSUFFICIENT_BALANCE')
    expect(await code({ amount: coins })).toBe('INSUFFICIENT_GAS')
    const tokenId = tokenOf(world())
    expect(await code({ tokenId, amount: 10n ** 12n })).toBe('INSUFFICIENT_BALANCE')
    const poor = { address: world().freshAddress() }
    await payToken(poor.address, 1_000n)
    await mine()
    const short = ['INSUFFICIENT_GAS', 'NO_GAS_FOR_ESTIMATE']
    expect(short).toContain(await code({ tokenId }, poor))
    await payNative(poor.address, 10n ** 16n)
    await mine()
    expect(await code({ tokenId }, poor)).toBe('ok')
  })
}

function byNodes(world: () => World): void {
  test('a fee of ten thousand times the price is refused [W16 N11]', async () => {
    const { adapter, node, spending } = world()
    const sender = await spending.newSender()
    for (const what of ['tip', 'base fee'] as const) {
      spending.overcharge(what)
      for (const tokenId of [world().nativeId, tokenOf(world())]) {
        world().pass(LONG_MS)
        const quote: unknown = await adapter
          .quote(intentOf(world(), sender, { tokenId }), CAPS)
          .catch(outage)
        expect(quote).toMatchObject({ ok: false, code: 'FEE_TOO_HIGH' })
      }
      await node.mend()
      world().pass(LONG_MS)
    }
    expect(await adapter.quote(intentOf(world(), sender), CAPS)).toMatchObject({ ok: true })
  })

  test('every spending query fails with an outage when the node is down [N14]', async () => {
    const { adapter, node } = world()
    const sender = await world().spending.newSender()
    const intent = intentOf(world(), sender)
    const asks = [
      () => adapter.quote(intent, CAPS),
      () => adapter.feeRate(),
      () => adapter.feeEstimate(intent.tokenId),
      () => noncesOf(adapter, sender.address),
      () => adapter.fate(spentBy(sender, [])),
    ]
    node.away()
    for (const ask of asks) {
      world().pass(LONG_MS)
      await expect(ask()).rejects.toBeInstanceOf(Outage)
    }
    await node.mend()
    world().pass(LONG_MS)
    for (const ask of asks) await ask()
  })
}

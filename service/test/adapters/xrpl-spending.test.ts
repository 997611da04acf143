import { noncesOf } from '../../src/chains/chain-adapter.ts'
import fc from 'fast-check'
import { deriveAddress, verify } from 'ripple-keypairs'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Intent, Signed } from '../../src/chains/port.ts'
import type { LedgerTerms } from '../../src/chains/spending.ts'
import { signDigest } from '../../src/keys/sign-digest.ts'
import { compareWith } from '../support/oracles.ts'
import { CAPS, intentOf, quotedBy, type Sender, senderOf, signedBy } from './xrpl-hand.ts'
import { holderOf, openXrplWorld, XRP, XRPL_CHAIN, type XrplWorld } from './xrpl-world.ts'

const COINS = 100_000_000n

describe('spending on an XRP Ledger', () => {
  let world: XrplWorld
  beforeAll(async () => {
    world = await openXrplWorld({ reserve: 1_000_000n })
  })
  beforeEach(async () => {
    world.proxy.rules.clear()
    // A connection that has rested for long may be closed by the other side as it is used.
    await world.adapter.tip().catch(() => null)
    world.pass(600_000)
    Object.assign(world.chain.fees, { reserveBase: 1_000_000n })
    world.chain.openFee = 10n
  })
  afterAll(() => world.close())

  const funded = (name: string): Sender => {
    const sender = senderOf(name)
    world.chain.pay({ to: sender.address, amount: COINS })
    world.chain.close()
    return sender
  }
  const signed = (sender: Sender, intent: Intent, terms: LedgerTerms, nonce: number): Signed =>
    signedBy(world.adapter, sender, { intent, terms, reservation: { kind: 'nonce', nonce } })
  const quoted = (intent: Intent) => quotedBy(world.adapter, intent)
  const sequenceOf = ({ address }: Sender) => world.chain.account(address)?.sequence ?? 0

  test('a payment equals its terms, arrives once, and its hash is known before [W13]', async () => {
    const sender = funded('payer')
    const { adapter, chain } = world
    const intent = intentOf(sender)
    const terms = await quoted(intent)
    const nonce = sequenceOf(sender)
    const payment = signed(sender, intent, terms, nonce)
    expect(adapter.decode(payment.raw)).toEqual({
      txnHash: payment.txnHash,
      chainId: XRPL_CHAIN,
      from: sender.address,
      to: intent.to,
      tokenId: XRP,
      amount: intent.amount,
      nonce,
      maxFee: terms.fee,
      memo: '5',
    })
    const spent = {
      from: sender.address,
      reservation: { kind: 'nonce', nonce } as const,
      hashes: [payment.txnHash],
    }
    expect(await adapter.fate(spent)).toEqual({ state: 'unknown' })
    expect(await noncesOf(adapter, sender.address)).toEqual({ latest: nonce, pending: nonce })
    const { answer } = await adapter.broadcast(payment.raw)
    expect(answer).toContain(`tesSUCCESS ${payment.txnHash}`)
    expect(await noncesOf(adapter, sender.address)).toEqual({ latest: nonce, pending: nonce + 1 })
    const { height, hash } = chain.close()
    expect((await adapter.broadcast(payment.raw)).answer).toContain('tefPAST_SEQ')
    chain.close()
    const included = { state: 'included', txnHash: payment.txnHash, ref: { height, hash } }
    expect(await adapter.fate(spent)).toEqual({ ...included, succeeded: true })
    expect(chain.paymentsBetween(sender.address, intent.to)).toEqual([
      { amount: '2000000', tag: 5 },
    ])
  })

  compareWith(['xrpl'], ({ xrpl }) => {
    test('an independent library reads the same bytes, hash and signature [V05]', () => {
      const sender = senderOf('oracle')
      fc.assert(
        fc.property(
          fc.bigInt({ min: 1n, max: 10n ** 17n }),
          fc.option(fc.nat(0xff_ff_ff_ff), { nil: null }),
          fc.integer({ min: 1, max: 0xff_ff_ff_ff }),
          fc.bigInt({ min: 1n, max: 10n ** 6n }),
          (amount, tag, nonce, fee) => {
            const memo = tag === null ? null : String(tag)
            const terms = { family: 'xrpl', fee, lastLedger: 77n } as const
            const { raw, txnHash } = signed(
              sender,
              intentOf(sender, { amount, memo }),
              terms,
              nonce,
            )
            const hex = Buffer.from(raw).toString('hex').toUpperCase()
            expect(xrpl.hashes.hashSignedTx(hex)).toBe(txnHash)
            const { TxnSignature: signature, ...rest } = xrpl.decode(hex)
            expect(rest).toMatchObject({
              TransactionType: 'Payment',
              Account: sender.address,
              Amount: amount.toString(),
              Fee: fee.toString(),
              Sequence: nonce,
              LastLedgerSequence: 77,
            })
            expect(rest['DestinationTag']).toBe(tag ?? undefined)
            const key = Buffer.from(sender.publicKey).toString('hex').toUpperCase()
            expect(deriveAddress(key)).toBe(sender.address)
            // The fields are in the library's own type order, which differs from ours.
            const message = xrpl.encodeForSigning(Object.assign(Object.create(null), rest))
            expect(verify(message, String(signature), key)).toBe(true)
            expect(world.adapter.decode(raw)).toMatchObject({ amount, memo, nonce, maxFee: fee })
          },
        ),
        { numRuns: 60 },
      )
    })
  })

  test('altered bytes are not a transaction of ours', async () => {
    const sender = senderOf('mallory')
    const terms = { family: 'xrpl', fee: 12n, lastLedger: 77n } as const
    const { raw } = signed(sender, intentOf(sender), terms, 3)
    fc.assert(
      fc.property(fc.nat(raw.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const forged = Uint8Array.from(raw)
        forged[at] = (forged[at] ?? 0) ^ change
        expect(() => world.adapter.decode(forged)).toThrow()
      }),
      { numRuns: 200 },
    )
  })

  test('a signature by another key, or for another account, is a bug', () => {
    const [sender, other] = [senderOf('one'), senderOf('other')]
    const terms = { family: 'xrpl', fee: 12n, lastLedger: 77n } as const
    const { adapter } = world
    const reservation = { kind: 'nonce', nonce: 3 } as const
    const intent = intentOf(sender)
    expect(() => adapter.craft(intent, terms, reservation, other.publicKey)).toThrow('another')
    expect(() => adapter.craft(intent, terms, reservation)).toThrow('key')
    const unsigned = adapter.craft(intent, terms, reservation, sender.publicKey)
    const forged = unsigned.digests.map((digest) => signDigest(other.key, digest))
    expect(() => adapter.combine(unsigned, forged)).toThrow('another than its sender')
  })

  test('a filler sends nothing, and makes the account refuse payments without a tag', async () => {
    const sender = funded('base')
    const { adapter, chain } = world
    const intent = intentOf(sender, { to: sender.address, amount: 0n, memo: null })
    const { raw } = signed(sender, intent, await quoted(intent), sequenceOf(sender))
    expect(adapter.decode(raw)).toMatchObject({ to: sender.address, amount: 0n, tokenId: XRP })
    expect(await adapter.requiresTag(sender.address)).toBe(false)
    await adapter.broadcast(raw)
    chain.close()
    expect(await adapter.requiresTag(sender.address)).toBe(true)
    const untagged = intentOf(funded('guest'), { to: sender.address, memo: null })
    expect(await adapter.quote(untagged, CAPS)).toMatchObject({ code: 'RECIPIENT_REFUSES' })
    expect(await adapter.quote({ ...untagged, memo: '0' }, CAPS)).toMatchObject({ ok: true })
  })

  test('Clio quotes a payment to a new account like rippled [X13]', async () => {
    const clio = await openXrplWorld({ kind: 'clio', reserve: 1_000_000n })
    onTestFinished(() => clio.close())
    const sender = senderOf('of Clio')
    clio.chain.pay({ to: sender.address, amount: COINS })
    clio.chain.close()
    const nobody = holderOf('nobody there')
    expect(await clio.adapter.requiresTag(nobody)).toBe(false)
    const enough = intentOf(sender, { to: nobody, amount: 1_000_000n })
    expect(await clio.adapter.quote(enough, CAPS)).toMatchObject({ ok: true })
    const less = intentOf(sender, { to: nobody, amount: 999_999n })
    expect(await clio.adapter.quote(less, CAPS)).toMatchObject({ code: 'RECIPIENT_REFUSES' })
  })

  test('a payment that cannot arrive or breaks the reserve is refused [X12 X13]', async () => {
    const sender = funded('careful')
    const { adapter, chain } = world
    const nobody = holderOf('unfunded')
    const refusal = async (change: Partial<Intent>) => {
      const quote = await adapter.quote(intentOf(sender, change), CAPS)
      return quote.ok ? 'ok' : quote.code
    }
    expect(await refusal({ to: nobody, amount: 999_999n })).toBe('RECIPIENT_REFUSES')
    expect(await refusal({ to: nobody, amount: 1_000_000n })).toBe('ok')
    expect(await refusal({ amount: COINS - 1_000_000n - 11n })).toBe('INSUFFICIENT_BALANCE')
    expect(await refusal({ amount: COINS - 1_000_000n - 12n })).toBe('ok')
    Object.assign(chain.fees, { reserveBase: 10_000_000n })
    expect(await refusal({ amount: COINS - 1_000_000n - 12n })).toBe('INSUFFICIENT_BALANCE')
    expect(await refusal({ to: nobody, amount: 1_000_000n })).toBe('RECIPIENT_REFUSES')
  })

  test('a fee above the cap is refused, and an impossible one is an outage [W16 N11]', async () => {
    const sender = funded('thrifty')
    const { adapter, chain, proxy } = world
    chain.openFee = 2_000_000n
    expect(await adapter.quote(intentOf(sender), CAPS)).toMatchObject({ code: 'FEE_TOO_HIGH' })
    chain.openFee = 10n
    const change = (result: { drops: object }) => {
      Object.assign(result.drops, { open_ledger_fee: '9000000000000' })
      return result
    }
    proxy.rules.add({ match: { method: 'fee' }, action: { do: 'mutate', change } })
    await expect(adapter.quote(intentOf(sender), CAPS)).rejects.toThrow('fee that cannot be')
  })

  test('a replacement under the same Sequence comes only after the last ledger [X10]', async () => {
    const sender = funded('patient')
    const { adapter, chain } = world
    const intent = intentOf(sender)
    const nonce = sequenceOf(sender)
    const terms = await quoted(intent)
    const first = signed(sender, intent, terms, nonce)
    await adapter.broadcast(first.raw)
    chain.forget()
    expect(adapter.bump(terms, await adapter.feeRate(), CAPS)).toBeNull()
    chain.close(Number(terms.lastLedger) - chain.closed().height)
    expect(adapter.bump(terms, await adapter.feeRate(), CAPS)).toBeNull()
    chain.close()
    const next = adapter.bump(terms, await adapter.feeRate(), CAPS)
    if (next?.family !== 'xrpl') throw new Error('no replacement')
    expect(next.lastLedger).toBeGreaterThan(terms.lastLedger)
    const second = signed(sender, intent, next, nonce)
    expect((await adapter.broadcast(first.raw)).answer).toContain('tefMAX_LEDGER')
    await adapter.broadcast(second.raw)
    chain.close(2)
    expect((await adapter.broadcast(first.raw)).answer).toContain('tefPAST_SEQ')
    const hashesOf = [first.txnHash, second.txnHash]
    const spent = { from: sender.address, reservation: { kind: 'nonce', nonce } as const }
    expect(await adapter.fate({ ...spent, hashes: hashesOf })).toMatchObject({
      state: 'included',
      txnHash: second.txnHash,
    })
    expect(await adapter.fate({ ...spent, hashes: [first.txnHash] })).toMatchObject({
      state: 'consumed',
    })
    expect(chain.paymentsBetween(sender.address, intent.to)).toHaveLength(1)
  })

  test('a new payment after a load peak pays only the minimum fee [W16]', async () => {
    const sender = funded('relieved')
    const { adapter, chain } = world
    chain.openFee = 800_000n
    const terms = await quoted(intentOf(sender))
    expect(terms.fee).toBe(960_000n)
    chain.openFee = 10n
    chain.close(Number(terms.lastLedger) - chain.closed().height + 1)
    const rate = await adapter.feeRate()
    expect(adapter.bump(terms, rate, CAPS)).toMatchObject({ fee: 12n })
    // At most the cap when the load has returned.
    chain.openFee = 2_000_000n
    expect(adapter.bump(terms, await adapter.feeRate(), CAPS)).toBeNull()
    chain.openFee = 10n
  })

  test('the user of a Sequence is unknown if its ledger is lost [X10 X09]', async () => {
    const sender = funded('forgetful')
    const { adapter, chain, nodes } = world
    const intent = intentOf(sender)
    const nonce = sequenceOf(sender)
    const first = signed(sender, intent, await quoted(intent), nonce)
    const second = signed(sender, { ...intent, memo: '6' }, await quoted(intent), nonce)
    await adapter.broadcast(second.raw)
    const { height } = chain.close()
    const later = signed(sender, intent, await quoted(intent), nonce + 1)
    await adapter.broadcast(later.raw)
    chain.close(3)
    const of = ({ txnHash }: Signed) =>
      adapter.fate({
        from: sender.address,
        reservation: { kind: 'nonce', nonce },
        hashes: [txnHash],
      })
    expect(await of(first)).toEqual({ state: 'consumed', by: 'other' })
    nodes[0]?.setMissing([[height, height]])
    expect(await of(first)).toEqual({ state: 'unknown' })
    // This very transaction used it, and the node cannot know.
    expect(await of(second)).toEqual({ state: 'unknown' })
    nodes[0]?.setMissing([])
    expect(await of(second)).toMatchObject({ state: 'included', ref: { height } })
  })

  test('the user of a Sequence is found page by page [X10]', async () => {
    const sender = funded('busy')
    const { adapter, chain, proxy } = world
    const intent = intentOf(sender)
    const nonce = sequenceOf(sender)
    const first = signed(sender, intent, await quoted(intent), nonce)
    const second = signed(sender, { ...intent, memo: '6' }, await quoted(intent), nonce)
    await adapter.broadcast(second.raw)
    chain.close()
    let pages = 0
    const change = (result: object) => {
      pages += 1
      const marker = { ledger: chain.closed().height, seq: 0 }
      return pages === 1 ? { ...result, transactions: [], marker } : result
    }
    proxy.rules.add({ match: { method: 'account_tx' }, action: { do: 'mutate', change } })
    const reservation = { kind: 'nonce', nonce } as const
    const spent = { from: sender.address, reservation, hashes: [first.txnHash] }
    expect(await adapter.fate(spent)).toMatchObject({ state: 'consumed' })
    expect(pages).toBe(2)
  })
})

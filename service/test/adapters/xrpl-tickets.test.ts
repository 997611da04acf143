import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Address } from '../../src/chains/port.ts'
import { compareWith } from '../support/oracles.ts'
import { CAPS, intentOf, quotedBy, type Sender, senderOf, signedBy } from './xrpl-hand.ts'
import { openXrplWorld, XRP, type XrplWorld } from './xrpl-world.ts'

const TERMS = { family: 'xrpl', fee: 12n, lastLedger: 77n } as const

describe('tickets of an XRP Ledger', () => {
  let world: XrplWorld
  let sender: Sender
  beforeAll(async () => {
    world = await openXrplWorld({ reserve: 1_000_000n })
    sender = senderOf('ticket holder')
    world.chain.pay({ to: sender.address, amount: 100_000_000n })
    world.chain.close()
  })
  afterAll(() => world.close())

  const sequence = () => world.chain.account(sender.address)?.sequence ?? 0
  const making = (tickets: number) =>
    intentOf(sender, { to: sender.address, amount: 0n, memo: null, tickets })
  const ticketsOf = async (address: Address) =>
    (await world.adapter.accountState(address))?.tickets ?? null
  const make = async (count: number) => {
    const { adapter, chain } = world
    const intent = making(count)
    const terms = await quotedBy(adapter, intent)
    const reservation = { kind: 'nonce', nonce: sequence() } as const
    await adapter.broadcast(signedBy(adapter, sender, { intent, terms, reservation }).raw)
    chain.close()
  }

  compareWith(['xrpl'], ({ xrpl }) => {
    test('an independent library reads the same tickets [V05]', () => {
      fc.assert(
        fc.property(
          fc.integer({ min: 1, max: 0xff_ff_ff_ff }),
          fc.integer({ min: 1, max: 250 }),
          (number, count) => {
            const { adapter } = world
            const payment = intentOf(sender)
            const ticket = { kind: 'ticket', ticket: number } as const
            const options = { intent: payment, terms: TERMS, reservation: ticket }
            const paid = signedBy(adapter, sender, options)
            const paidHex = Buffer.from(paid.raw).toString('hex').toUpperCase()
            expect(xrpl.hashes.hashSignedTx(paidHex)).toBe(paid.txnHash)
            expect(xrpl.decode(paidHex)).toMatchObject({ Sequence: 0, TicketSequence: number })
            expect(adapter.decode(paid.raw)).toMatchObject({ nonce: number, ticket: true })
            const reservation = { kind: 'nonce', nonce: number } as const
            const made = signedBy(adapter, sender, {
              ...options,
              intent: making(count),
              reservation,
            })
            const madeHex = Buffer.from(made.raw).toString('hex').toUpperCase()
            const facts = { TransactionType: 'TicketCreate', Sequence: number, TicketCount: count }
            expect(xrpl.decode(madeHex)).toMatchObject(facts)
            const { to, tokenId, amount, ...decoded } = adapter.decode(made.raw)
            expect([to, tokenId, amount]).toEqual([sender.address, XRP, 0n])
            expect(decoded).toMatchObject({ nonce: number, tickets: count })
            expect(decoded).not.toHaveProperty('ticket')
          },
        ),
        { numRuns: 30 },
      )
    })
  })

  test('a transaction of no tickets, or too many, is a bug', () => {
    const { adapter } = world
    const reservation = { kind: 'nonce', nonce: 3 } as const
    for (const intent of [making(0), making(251), making(1.5), intentOf(sender, { tickets: 1 })]) {
      expect(() => signedBy(adapter, sender, { intent, terms: TERMS, reservation })).toThrow()
    }
  })

  test('tickets are refused when the reserve leaves no room for them [X13]', async () => {
    const { adapter, chain } = world
    const poor = senderOf('poor')
    chain.pay({ to: poor.address, amount: 1_400_012n })
    chain.close()
    const wanted = (tickets: number) =>
      intentOf(poor, { to: poor.address, amount: 0n, memo: null, tickets })
    expect(await adapter.quote(wanted(2), CAPS)).toMatchObject({ ok: true })
    expect(await adapter.quote(wanted(3), CAPS)).toMatchObject({ code: 'INSUFFICIENT_BALANCE' })
    expect(await ticketsOf(poor.address)).toEqual([])
    expect(await ticketsOf(senderOf('nobody').address)).toBeNull()
    expect(await adapter.reserves()).toEqual({ base: 1_000_000n, step: 200_000n })
  })

  test('payments with tickets arrive in any order, each once [X10]', async () => {
    const { adapter, chain } = world
    const before = sequence()
    await make(3)
    const [a = 0, b = 0, c = 0] = (await ticketsOf(sender.address)) ?? []
    expect([a, b, c]).toEqual([before + 1, before + 2, before + 3])
    const intent = intentOf(sender)
    const paidUnder = async (ticket: number, memo: string) => {
      const reservation = { kind: 'ticket', ticket } as const
      const wanted = { ...intent, memo }
      const terms = await quotedBy(adapter, wanted)
      return signedBy(adapter, sender, { intent: wanted, terms, reservation })
    }
    const [first, last] = [await paidUnder(a, '1'), await paidUnder(c, '3')]
    expect((await adapter.broadcast(last.raw)).answer).toContain('tesSUCCESS')
    // In no ledger yet, and no other payment may have it.
    expect(await ticketsOf(sender.address)).toEqual([a, b])
    chain.close()
    const fate = (ticket: number, txnHash: string) => {
      const reservation = { kind: 'ticket', ticket } as const
      return adapter.fate({ from: sender.address, reservation, hashes: [txnHash] })
    }
    expect(await fate(c, last.txnHash)).toMatchObject({ state: 'included', succeeded: true })
    expect(await fate(a, first.txnHash)).toEqual({ state: 'unknown' })
    const other = await paidUnder(a, '2')
    await adapter.broadcast(other.raw)
    chain.close()
    expect(await fate(a, first.txnHash)).toEqual({ state: 'consumed', by: 'other' })
    expect((await adapter.broadcast(first.raw)).answer).toContain('tefNO_TICKET')
    expect(await ticketsOf(sender.address)).toEqual([b])
  })

  test('all tickets of an account are found page by page', async () => {
    const { adapter, chain, proxy } = world
    await make(5)
    const all = chain.account(sender.address)?.tickets ?? []
    let pages = 0
    // Of what is validated and of what is not, the first page has two and a marker for the rest.
    const change = (result: { account_objects: object[] }) => {
      pages += 1
      const { account_objects: objects } = result
      return pages % 2 === 0
        ? result
        : { ...result, account_objects: objects.slice(0, 2), marker: '2' }
    }
    const match = { method: 'account_objects' }
    proxy.rules.add({ match, action: { do: 'mutate', change } })
    const found = await adapter.accountState(sender.address)
    proxy.rules.clear()
    expect(pages).toBe(4)
    expect(found).toMatchObject({ owned: all.length, tickets: all })
  })

  test('a lagging node behind the same address removes no ticket [N15]', async () => {
    const { adapter, chain, proxy } = world
    const before = chain.account(sender.address)?.tickets ?? []
    const { height } = chain.closed()
    await make(2)
    expect(await ticketsOf(sender.address)).toHaveLength(before.length + 2)
    // As it answered before those were made; in one answer with what others have validated.
    const params = ([asked]: readonly unknown[]) => Object(asked).ledger_index === 'current'
    const change = (result: { account_objects: { TicketSequence: number }[] }) => ({
      ...result,
      account_objects: result.account_objects.filter((one) => before.includes(one.TicketSequence)),
      ledger_current_index: height + 1,
    })
    const match = { method: 'account_objects', params }
    proxy.rules.add({ match, action: { do: 'mutate', change } })
    await expect(adapter.accountState(sender.address)).rejects.toThrow('current ledger')
    proxy.rules.clear()
  })
})

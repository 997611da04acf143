import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { derivationOf, signerPath } from '../../src/accounts/signer-path.ts'
import { Outage } from '../../src/base/fault.ts'
import { noncesOf, payingBy } from '../../src/chains/chain-adapter.ts'
import type { Intent, Reservation } from '../../src/chains/port.ts'
import { listSenders } from '../../src/transactions/core/read.ts'
import { compareSenders } from '../../src/transactions/prepare.ts'
import { resumeSender } from '../../src/transactions/resume-sender.ts'
import { sendSpend } from '../../src/transactions/send.ts'
import { stockTickets } from '../../src/transactions/stock-tickets.ts'
import { parseHolder } from '../adapters/brands.ts'
import { openXrplSpender, XRP, XRPL, type XrplSpender } from '../support/xrpl-spender.ts'

const STOCK = 4
const RESERVE = 1_000_000n
const STEP = 200_000n

let spender: XrplSpender
afterEach(() => spender?.close())

test('tickets are used one by one, and created again before they run out [W18]', async () => {
  spender = await opened('stock')
  const { node, base, deps } = spender
  const gas = await spender.world.balance(XRP, 'claim:gas')
  const sequence = node.chain.account(base)?.sequence ?? 0
  expect(await stockTickets(deps)).toBe(STOCK)
  // While they are pending, payments wait for them, and no more are created.
  expect(await stockTickets(deps)).toBe(0)
  expect(await pay()).toBe('busy')
  await spender.closed(1)
  expect(spender.tickets()).toEqual([1, 2, 3, 4].map((at) => sequence + at))
  // The organization pays their fee; they create no deposit or alert.
  expect(await spender.world.balance(XRP, 'claim:gas')).toBe(gas - 12n)
  expect(await spender.world.alerts()).toEqual([])
  for (let paid = 1; paid <= 2; paid += 1) {
    expect(await pay()).toBe('sent')
    expect(await stockTickets(deps)).toBe(0)
  }
  expect(await pay()).toBe('sent')
  expect(await stockTickets(deps)).toBe(3)
  await spender.closed(1)
  // Used: the tickets of the payments, and the Sequence that created more.
  expect(spender.tickets()).toEqual([4, 6, 7, 8].map((at) => sequence + at))
  expect(node.chain.account(base)?.sequence).toBe(sequence + 9)
})

test('tickets are limited by the reserve, down to zero [X13]', async () => {
  spender = await opened('reserve', RESERVE + 2n * STEP + 100n)
  const { node, deps } = spender
  expect(await stockTickets(deps)).toBe(2)
  await spender.closed(1)
  expect(spender.tickets()).toHaveLength(2)
  // The reserve has risen: no ticket is possible, and payments use the sequence.
  Object.assign(node.chain.fees, { reserveStep: 5n * STEP })
  for (let paid = 0; paid < 3; paid += 1) {
    expect(await stockTickets(deps)).toBe(0)
    expect(await pay()).toBe('sent')
    await spender.closed(1)
  }
  expect(spender.tickets()).toEqual([])
  expect((await own()).map(({ ticket, state }) => [ticket, state])).toEqual([
    [false, 'Settled'],
    [true, 'Settled'],
    [true, 'Settled'],
    [false, 'Settled'],
  ])
})

test('tickets that the ledger rejected leave no gap in the numbers [X05]', async () => {
  spender = await opened('refused')
  const { node, base, deps } = spender
  const sequence = node.chain.account(base)?.sequence ?? 0
  const { fees } = node.chain
  expect(await stockTickets(deps)).toBe(STOCK)
  // The reserve grew between the query and the ledger.
  Object.assign(fees, { reserveStep: 10n ** 12n })
  await spender.closed(1)
  Object.assign(fees, { reserveStep: STEP })
  expect(spender.tickets()).toEqual([])
  deps.tickets = 0
  expect(await pay()).toBe('sent')
  await spender.closed(1)
  expect((await own()).map(({ nonce, succeeded }) => [nonce, succeeded])).toEqual([
    [sequence, false],
    [sequence + 1, true],
  ])
})

test('a ticket used by a forgotten transaction halts the account until resumed [W25]', async () => {
  spender = await opened('forgotten')
  const { node, base, deps, world } = spender
  await stockTickets(deps)
  await spender.closed(1)
  const [first = 0, ...others] = spender.tickets()
  await compareSenders(deps)
  expect(await halted()).toEqual([])
  const to = parseHolder(XRPL, node.chain.wallet.address)
  await signByHand({ kind: 'ticket', ticket: first }, { to, amount: 7n })
  // The scanner has not read that ledger: the spender must detect it.
  node.chain.close()
  await compareSenders(deps)
  expect(await halted()).toMatchObject([expect.stringContaining(`tickets ${first}, which`)])
  expect(await pay()).toBe('halted')
  await spender.closed(1)
  const { latest } = await noncesOf(deps.adapter, base)
  const { tickets = [] } = (await payingBy(deps.adapter, 'ticket').accountState(base)) ?? {}
  expect(tickets).toEqual(others)
  const seen = { chainId: XRPL, address: base, chainNonce: latest, chainTickets: tickets }
  const word = { actor: 'test', reason: 'seen' }
  await world.database.transaction((tx) => resumeSender(tx, { ...seen, ...word }))
  expect(await pay()).toBe('sent')
  await spender.closed(1)
  expect((await own()).at(-1)).toMatchObject({ nonce: others[0], ticket: true, state: 'Settled' })
})

test('tickets created before a database was lost are used, not created again [W25]', async () => {
  spender = await opened('left over')
  const { node, base, deps } = spender
  const sequence = node.chain.account(base)?.sequence ?? 0
  // Signed with the account's own key, and not recorded.
  await signByHand({ kind: 'nonce', nonce: sequence }, { to: base, amount: 0n, tickets: 3 })
  node.chain.close()
  const left = spender.tickets()
  expect(left).toHaveLength(3)
  expect(await stockTickets(deps)).toBe(0)
  expect(await pay()).toBe('sent')
  await spender.closed(1)
  expect(await own()).toMatchObject([{ nonce: left[0], ticket: true, state: 'Settled' }])
})

test('a node that is behind the scanned ledgers halts no account [N15]', async () => {
  spender = await opened('behind')
  const { node, deps } = spender
  await stockTickets(deps)
  await spender.closed(1)
  node.chain.unvalidated = 1
  await expect(compareSenders(deps)).rejects.toThrow(Outage)
  expect(await halted()).toEqual([])
  node.chain.unvalidated = 0
  await compareSenders(deps)
  expect(await halted()).toEqual([])
})

async function opened(seed: string, apart?: bigint): Promise<XrplSpender> {
  const one = await openXrplSpender(`tickets ${seed}`, apart)
  one.deps.tickets = STOCK
  return one
}

let payments = 0

/** Creates one payment; returns its result. */
async function pay(): Promise<string> {
  payments += 1
  const intent = spender.intentTo(`recipient ${payments}`)
  const mandate = await spender.requestFor(await spender.freshId(), intent)
  return (await sendSpend(spender.deps, mandate)).outcome
}

/** Signs with the account's own key, and submits without recording. */
async function signByHand(
  place: Reservation,
  wanted: Pick<Intent, 'to' | 'amount' | 'tickets'>,
): Promise<void> {
  const { base, deps, world } = spender
  const { entry, keys, adapter } = deps
  const path = await world.database.transaction((tx) =>
    signerPath(tx, keys, { entry, address: base }),
  )
  if (path === null) throw new Error('no path')
  const at = derivationOf(entry, path)
  const intent = { chainId: XRPL, tokenId: XRP, from: base, memo: null, ...wanted }
  const quote = await adapter.quote(intent, deps.caps)
  if (!quote.ok) throw new Error(quote.message)
  const unsigned = adapter.craft(intent, quote.terms, place, world.keys.keyring.publicKey(at))
  const signatures = unsigned.digests.map((digest) => world.keys.keyring.sign(at, digest))
  await adapter.broadcast(adapter.combine(unsigned, signatures).raw)
}

async function halted(): Promise<string[]> {
  const filter = { chainId: XRPL, halted: true }
  const senders = await spender.world.database.transaction((tx) => listSenders(tx, filter))
  return senders.map(({ haltedCause }) => haltedCause)
}

/** All spends of the account, in the order of signing. */
function own() {
  interface Row {
    nonce: number
    ticket: boolean
    state: string
    succeeded: boolean | null
  }
  return spender.world.database.transaction((tx) =>
    tx.many(sql<Row>`select nonce, ticket, state, succeeded from spends order by nonce`),
  )
}

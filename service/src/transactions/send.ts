import type { Slot } from '@sluice/signer'
import { assert } from '../base/assert.ts'
import type { Intent, NonceReservation, TicketReservation } from '../chains/port.ts'
import { maxFeeOf, restsOn } from '../chains/spending.ts'
import type { Tx } from '../store/database.ts'
import { commitAndBroadcast, type Stored, Unsent } from './core/commit-spend.ts'
import { shortageOf } from './core/funds.ts'
import { lockSender } from './core/lock-sender.ts'
import type { PaymentRequest, Sent, SpendDeps } from './core/payment-request.ts'
import { moveNonce } from './core/sender-rows.ts'
import type { SignedFor } from './core/signing-request.ts'
import { type Sender, UNMINED_MAX } from './core/sender.ts'
import { SpendMismatch } from './core/mismatch.ts'
import { numberFieldsOf, signIntent } from './core/sign.ts'
import { selectStanding, selectUnmined } from './core/spend-rows.ts'
import type { Spend } from './core/spend.ts'
import { storeSpend } from './core/store.ts'
import { readUnstored } from './core/unstored.ts'
import { prepareSender } from './prepare.ts'
import { selectFreeTickets } from './ticket/ticket-rows.ts'

/**
 * Makes one payment, once. One transaction checks the lease, locks the sender, runs the request's
 * claim, takes a nonce, signs, and stores bytes and hash; only after its commit the bytes are
 * broadcast (engineering, 3). Every outcome but `sent` leaves no trace. Quote the terms first: this
 * function does not check whether the payment would succeed. Throws an Outage if nodes or the
 * database do not answer. The spend may then exist; a retry is safe, because `claim` sees it.
 */
export async function sendSpend(deps: SpendDeps, request: PaymentRequest): Promise<Sent> {
  await prepareSender(deps, request.intent.from)
  deps.crash?.('send.prepared')
  const { orgId, purpose, subjectId, intent } = request
  return commitAndBroadcast(deps, {
    address: intent.from,
    purpose,
    subjectId,
    step: 'send',
    sign: (tx) => signAndStore(tx, deps, request),
    find: (tx) => selectStanding(tx, { orgId, subjectId }),
  })
}

async function signAndStore(tx: Tx, deps: SpendDeps, request: PaymentRequest): Promise<Stored> {
  const { orgId, purpose, subjectId, terms } = request
  const lockedSender = await lockSender(tx, deps, request.intent.from)
  if ('outcome' in lockedSender) throw new Unsent(lockedSender)
  const { sender, height } = lockedSender
  const { chainId, address } = sender
  deps.crash?.('send.locked')
  assert(sender.orgId === orgId, 'sender belongs to another organization', { subjectId })
  const unmined = await selectUnmined(tx, { chainId, sender: address })
  if (unmined.length >= UNMINED_MAX) throw new Unsent({ outcome: 'busy' })
  // The terms refer to a block: it and all blocks below must have been scanned.
  if ((restsOn(terms) ?? 0n) > BigInt(height)) throw new Unsent({ outcome: 'busy' })
  const intent = await claimIntent(tx, request)
  deps.crash?.('send.claimed')
  const native = deps.catalogue.nativeToken(chainId).id
  const { tokenId, amount } = intent
  const fee = maxFeeOf(terms)
  const shortage = await shortageOf(tx, { sender, native, tokenId, amount, fee })
  if (shortage !== null) throw new Unsent(shortage)
  const id = tx.ids.next()
  const paid = { id, purpose, subjectIds: [subjectId] }
  const reservation = await takeNumber(tx, deps, { sender, paid, intent, unmined })
  if (reservation === null) throw new Unsent({ outcome: 'busy' })
  const signed = await signIntent(tx, deps, { sender, spend: paid, intent, terms, reservation })
  deps.crash?.('send.signed')
  const number = numberFieldsOf(reservation)
  const signing = { sender, purpose, id, subjectId, intent, terms, ...number, height }
  const spend = await storeSpend(tx, signing, signed)
  await advanceNonce(tx, spend)
  deps.crash?.('send.stored')
  await request.sent(tx, spend)
  tx.beforeCommit(async () => deps.crash?.('send.told'))
  return { spend, raw: signed.raw, height }
}

/** Advances the sender past the number of a spend and the numbers that become its tickets. */
async function advanceNonce(tx: Tx, spend: Spend): Promise<void> {
  const { chainId, sender: address, nonce, ticket, tickets } = spend
  if (ticket) return
  const moved = await moveNonce(tx, { chainId, address, from: nonce, to: nonce + 1 + tickets })
  assert(moved, 'nonce changed although its sender was locked', { chainId, address, nonce })
}

/** Runs the claim, and asserts that the subject was not paid before. */
async function claimIntent(tx: Tx, request: PaymentRequest): Promise<Intent> {
  const { orgId, subjectId } = request
  const intent = await request.claim(tx)
  if (intent === null) throw new Unsent({ outcome: 'declined' })
  const standing = await selectStanding(tx, { orgId, subjectId })
  assert(standing === null, 'subject already has a spend', { standing })
  const { chainId, from } = request.intent
  const same = intent.chainId === chainId && intent.from === from
  if (!same) throw new SpendMismatch('claim names another sender or chain', { intent, subjectId })
  return intent
}

/** A payment of a locked sender that is about to be signed. */
interface Numbering {
  sender: Sender
  paid: SignedFor
  intent: Intent
  unmined: readonly Spend[]
}

/**
 * The number of the next payment of a locked sender. On accounts that all users share, each payment
 * takes a ticket, so that a stuck one blocks no other; without a free ticket, the next sequence.
 * Null while tickets are being created. A payment that was signed and not stored takes its number
 * again, and before all others.
 */
async function takeNumber(
  tx: Tx,
  deps: SpendDeps,
  { sender, paid, intent, unmined }: Numbering,
): Promise<NonceReservation | TicketReservation | null> {
  const own = { kind: 'nonce', nonce: sender.nextNonce } as const
  const free = deps.entry.sharesAddresses ? await selectFreeTickets(tx, sender) : []
  const again = await readUnstored(tx, deps, {
    sender,
    spend: paid,
    isUnused: (slot) => (slot.kind === 'ticket' ? free.includes(slot.ticket) : isSame(slot, own)),
  })
  if (again !== null && again.ids.length === 0) throw new Unsent({ outcome: 'declined' })
  if (again?.slot.kind === 'ticket') return { kind: 'ticket', ticket: again.slot.ticket }
  if (again !== null || !deps.entry.sharesAddresses || intent.amount === 0n) return own
  const [ticket] = free
  if (ticket !== undefined) return { kind: 'ticket', ticket }
  return unmined.some(({ tickets }) => tickets > 0) ? null : own
}

function isSame(slot: Slot, { nonce }: NonceReservation): boolean {
  return slot.kind === 'nonce' && slot.nonce === nonce
}

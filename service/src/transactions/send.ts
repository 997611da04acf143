import { assert } from '../base/assert.ts'
import type { ChainEntry } from '../catalogue/chains.ts'
import type { Intent, NonceReservation, TicketReservation } from '../chains/port.ts'
import { maxFeeOf, restsOn } from '../chains/spending.ts'
import type { Tx } from '../store/database.ts'
import { commitAndBroadcast, type Stored, Unsent } from './core/commit-spend.ts'
import { shortageOf } from './core/funds.ts'
import { lockSender } from './core/lock-sender.ts'
import type { Mandate, Sent, SpendMeans } from './core/mandate.ts'
import { moveNonce } from './core/sender-rows.ts'
import { type Sender, UNMINED_MAX } from './core/sender.ts'
import { numberFieldsOf, signIntent, SpendMismatch } from './core/sign.ts'
import { selectStanding, selectUnmined } from './core/spend-rows.ts'
import type { Spend } from './core/spend.ts'
import { storeSpend } from './core/store.ts'
import { prepareSender } from './prepare.ts'
import { selectFreeTickets } from './ticket/ticket-rows.ts'

/**
 * Makes one payment, once. In one transaction: the lease's token, the sender's lock, the asker's
 * claim, the nonce, the signature, and the bytes and hash as rows; after its commit, and only then,
 * the bytes go to the nodes (engineering, 3). Every outcome but `sent` leaves no trace. Quote the
 * terms first: nothing here asks a node whether the payment would go through.
 * Throws an Outage where nodes or database are away: then the spend may stand all the same, and to
 * ask again is harmless, since `claim` sees it.
 */
export async function sendSpend(deps: SpendMeans, request: Mandate): Promise<Sent> {
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

async function signAndStore(tx: Tx, deps: SpendMeans, request: Mandate): Promise<Stored> {
  const { orgId, purpose, subjectId, terms } = request
  const lockedSender = await lockSender(tx, deps, request.intent.from)
  if ('outcome' in lockedSender) throw new Unsent(lockedSender)
  const { sender, height } = lockedSender
  const { chainId, address } = sender
  deps.crash?.('send.locked')
  assert(sender.orgId === orgId, 'a spend from an address of another organization', { subjectId })
  const unmined = await selectUnmined(tx, { chainId, sender: address })
  if (unmined.length >= UNMINED_MAX) throw new Unsent({ outcome: 'busy' })
  // A block that is named was read, and so was whatever of ours lies below it.
  if ((restsOn(terms) ?? 0n) > BigInt(height)) throw new Unsent({ outcome: 'busy' })
  const intent = await claimIntent(tx, request)
  deps.crash?.('send.claimed')
  const native = deps.catalogue.nativeToken(chainId).id
  const { tokenId, amount } = intent
  const fee = maxFeeOf(terms)
  const shortage = await shortageOf(tx, { sender, native, tokenId, amount, fee })
  if (shortage !== null) throw new Unsent(shortage)
  const reservation = await takeNumber(tx, { entry: deps.entry, sender, intent, unmined })
  if (reservation === null) throw new Unsent({ outcome: 'busy' })
  const signed = await signIntent(tx, deps, { sender, intent, terms, reservation })
  deps.crash?.('send.signed')
  const id = tx.ids.next()
  const number = numberFieldsOf(reservation)
  const signing = { sender, purpose, id, subjectId, intent, terms, ...number, height }
  const spend = await storeSpend(tx, signing, signed)
  await advanceNonce(tx, spend)
  deps.crash?.('send.stored')
  await request.sent(tx, spend)
  tx.beforeCommit(async () => deps.crash?.('send.told'))
  return { spend, raw: signed.raw, height }
}

/** The numbers that a spend uses, or makes into tickets, are nobody else's; a ticket is none. */
async function advanceNonce(tx: Tx, spend: Spend): Promise<void> {
  const { chainId, sender: address, nonce, ticket, tickets } = spend
  if (ticket) return
  const moved = await moveNonce(tx, { chainId, address, from: nonce, to: nonce + 1 + tickets })
  assert(moved, 'a nonce moved although its sender was locked', { chainId, address, nonce })
}

/** The asker's claim, and that the subject was not paid before, whatever the asker's rows say. */
async function claimIntent(tx: Tx, request: Mandate): Promise<Intent> {
  const { orgId, subjectId } = request
  const intent = await request.claim(tx)
  if (intent === null) throw new Unsent({ outcome: 'declined' })
  const standing = await selectStanding(tx, { orgId, subjectId })
  assert(standing === null, 'a subject that has its spend is to be paid again', { standing })
  const { chainId, from } = request.intent
  const same = intent.chainId === chainId && intent.from === from
  if (!same) throw new SpendMismatch('a claim from another sender', { intent, subjectId })
  return intent
}

/** A payment of a locked sender that is about to be signed. */
interface Numbering {
  entry: ChainEntry
  sender: Sender
  intent: Intent
  unmined: readonly Spend[]
}

/**
 * The number under which a locked sender signs next: a ticket for each payment of an account that
 * all users share, so that one that is stuck holds none of the others; the sender's own next one
 * where there are none to be had. Null while tickets are under way, which are worth waiting for.
 */
async function takeNumber(
  tx: Tx,
  { entry, sender, intent, unmined }: Numbering,
): Promise<NonceReservation | TicketReservation | null> {
  const own = { kind: 'nonce', nonce: sender.nextNonce } as const
  if (!entry.sharesAddresses || intent.amount === 0n) return own
  const [ticket] = await selectFreeTickets(tx, sender)
  if (ticket !== undefined) return { kind: 'ticket', ticket }
  return unmined.some(({ tickets }) => tickets > 0) ? null : own
}

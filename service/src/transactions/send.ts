import { assert } from '../base/assert.ts'
import type { Intent } from '../chains/port.ts'
import { maxFeeOf, restsOn } from '../chains/spending.ts'
import type { Tx } from '../store/database.ts'
import { broadcastStored } from './core/broadcast.ts'
import { type Stored, Unsent, commitSpend } from './core/commit-spend.ts'
import { shortageOf } from './core/funds.ts'
import type { Mandate, Sent, SpendMeans } from './core/mandate.ts'
import { enterOffice } from './core/office.ts'
import { prepareSender } from './prepare.ts'
import { UNMINED_MAX } from './core/sender.ts'
import { moveNonce } from './core/sender-rows.ts'
import { SpendMismatch, signIntent } from './core/sign.ts'
import type { Spend } from './core/spend.ts'
import { selectStanding, selectUnmined } from './core/spend-rows.ts'
import { storeSpend } from './core/store.ts'
import { seatOf, takeNumber } from './nonce/take-number.ts'

/**
 * Makes one payment, once. In one transaction: the lease's token, the sender's lock, the asker's
 * claim, the nonce, the signature, and the bytes and hash as rows; after its commit, and only then,
 * the bytes go to the nodes (engineering, 3). Every outcome but `sent` leaves no trace. Quote the
 * terms first: nothing here asks a node whether the payment would go through.
 * Throws an Outage where nodes or database are away: then the spend may stand all the same, and to
 * ask again is harmless, since `claim` sees it.
 */
export async function sendSpend(means: SpendMeans, mandate: Mandate): Promise<Sent> {
  await prepareSender(means, mandate.intent.from)
  means.crash?.('send.prepared')
  const stored = await signOrSay(means, mandate)
  if ('outcome' in stored) return stored
  means.crash?.('send.committed')
  const { spend, raw, height } = stored
  await broadcastStored(means, { ...spend, raw, height }, 'send')
  return { outcome: 'sent', spend }
}

async function signOrSay(means: SpendMeans, mandate: Mandate): Promise<Stored | Sent> {
  const { orgId, purpose, subjectId, intent } = mandate
  return commitSpend(
    means,
    { address: intent.from, purpose, subjectId },
    (tx) => signAndStore(tx, means, mandate),
    (tx) => selectStanding(tx, { orgId, subjectId }),
  )
}

async function signAndStore(tx: Tx, means: SpendMeans, mandate: Mandate): Promise<Stored> {
  const { orgId, purpose, subjectId, terms } = mandate
  const office = await enterOffice(tx, means, mandate.intent.from)
  if ('outcome' in office) throw new Unsent(office)
  const { sender, height } = office
  const { chainId, address } = sender
  means.crash?.('send.locked')
  assert(sender.orgId === orgId, 'a spend from an address of another organization', { subjectId })
  const unmined = await selectUnmined(tx, { chainId, sender: address })
  if (unmined.length >= UNMINED_MAX) throw new Unsent({ outcome: 'busy' })
  // A block that is named was read, and so was whatever of ours lies below it.
  if ((restsOn(terms) ?? 0n) > BigInt(height)) throw new Unsent({ outcome: 'busy' })
  const intent = await claimed(tx, mandate)
  means.crash?.('send.claimed')
  const native = means.catalogue.nativeToken(chainId).id
  const { tokenId, amount } = intent
  const fee = maxFeeOf(terms)
  const shortage = await shortageOf(tx, { sender, native, tokenId, amount, fee })
  if (shortage !== null) throw new Unsent(shortage)
  const reservation = await takeNumber(tx, { entry: means.entry, sender, intent, unmined })
  if (reservation === null) throw new Unsent({ outcome: 'busy' })
  const signed = await signIntent(tx, means, { sender, intent, terms, reservation })
  means.crash?.('send.signed')
  const id = tx.ids.next()
  const signing = { sender, purpose, id, subjectId, intent, terms, ...seatOf(reservation), height }
  const spend = await storeSpend(tx, signing, signed)
  await passNumber(tx, spend)
  means.crash?.('send.stored')
  await mandate.sent(tx, spend)
  tx.beforeCommit(async () => means.crash?.('send.told'))
  return { spend, raw: signed.raw, height }
}

/** The numbers that a spend uses, or makes into tickets, are nobody else's; a ticket is none. */
async function passNumber(tx: Tx, spend: Spend): Promise<void> {
  const { chainId, sender: address, nonce, ticket, tickets } = spend
  if (ticket) return
  const moved = await moveNonce(tx, { chainId, address, from: nonce, to: nonce + 1 + tickets })
  assert(moved, 'a nonce moved although its sender was locked', { chainId, address, nonce })
}

/** The asker's claim, and that the subject was not paid before, whatever the asker's rows say. */
async function claimed(tx: Tx, mandate: Mandate): Promise<Intent> {
  const { orgId, subjectId } = mandate
  const intent = await mandate.claim(tx)
  if (intent === null) throw new Unsent({ outcome: 'declined' })
  const standing = await selectStanding(tx, { orgId, subjectId })
  assert(standing === null, 'a subject that has its spend is to be paid again', { standing })
  const { chainId, from } = mandate.intent
  const same = intent.chainId === chainId && intent.from === from
  if (!same) throw new SpendMismatch('a claim from another sender', { intent, subjectId })
  return intent
}

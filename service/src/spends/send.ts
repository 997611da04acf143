import { assert } from '../base/assert.ts'
import type { Intent } from '../chains/port.ts'
import { maxFeeOf, restsOn } from '../chains/spending.ts'
import type { Tx } from '../store/database.ts'
import { assertLease } from '../store/lease.ts'
import { CommitUnknown } from '../store/outage.ts'
import { broadcastStored } from './broadcast.ts'
import { shortageOf } from './funds.ts'
import { haltForMismatch } from './halt.ts'
import type { Mandate, Sent, SpendMeans } from './mandate.ts'
import { enterOffice } from './office.ts'
import { prepareSender } from './prepare.ts'
import { UNMINED_MAX } from './sender.ts'
import { moveNonce, selectSenderForUpdate } from './sender-rows.ts'
import { SpendMismatch, signIntent } from './sign.ts'
import type { Spend } from './spend.ts'
import { selectStanding, selectUnmined } from './spend-rows.ts'
import { storeSpend } from './store.ts'
import { selectTransactions } from './transaction-rows.ts'

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

/** A spend that is committed, and its bytes. */
interface Stored {
  spend: Spend
  raw: Uint8Array
  /** Our tip when it was signed. */
  height: number
}

/** Carries the answer out of a transaction that is to have no effect. */
class Unsent extends Error {
  override readonly name = 'Unsent'
  readonly sent: Sent

  constructor(sent: Sent) {
    super(sent.outcome)
    this.sent = sent
  }
}

async function signOrSay(means: SpendMeans, mandate: Mandate): Promise<Stored | Sent> {
  try {
    return await means.database.transaction((tx) => signAndStore(tx, means, mandate))
  } catch (error) {
    if (error instanceof Unsent) return error.sent
    if (error instanceof SpendMismatch) {
      await haltForMismatch(means, { ...mandate, address: mandate.intent.from }, error)
    }
    if (error instanceof CommitUnknown) return readAgain(means, mandate, error)
    throw error
  }
}

async function signAndStore(tx: Tx, means: SpendMeans, mandate: Mandate): Promise<Stored> {
  const { orgId, purpose, subjectId, terms } = mandate
  const office = await enterOffice(tx, means, mandate.intent.from)
  if ('outcome' in office) throw new Unsent(office)
  const { sender, height } = office
  const { chainId, address, nextNonce: nonce } = sender
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
  const signed = await signIntent(tx, means, { sender, intent, terms, nonce })
  means.crash?.('send.signed')
  const id = tx.ids.next()
  const signing = { sender, purpose, id, subjectId, intent, terms, nonce, height }
  const spend = await storeSpend(tx, signing, signed)
  const moved = await moveNonce(tx, { chainId, address, from: nonce, to: nonce + 1 })
  assert(moved, 'a nonce moved although its sender was locked', { chainId, address, nonce })
  means.crash?.('send.stored')
  await mandate.sent(tx, spend)
  tx.beforeCommit(async () => means.crash?.('send.told'))
  return { spend, raw: signed.raw, height }
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

/**
 * The commit's answer was lost. The sender's lock is free only once the database has decided; then
 * the rows say whether the spend stands (W24). Where it does not, the asker asks again.
 */
async function readAgain(
  means: SpendMeans,
  { orgId, subjectId, intent }: Mandate,
  lost: CommitUnknown,
): Promise<Stored> {
  return means.database.transaction(async (tx) => {
    await assertLease(tx, means.lease)
    await selectSenderForUpdate(tx, { chainId: means.entry.id, address: intent.from })
    const spend = await selectStanding(tx, { orgId, subjectId })
    const [first] = spend === null ? [] : await selectTransactions(tx, [spend])
    if (spend === null || first === undefined) throw lost
    return { spend, raw: first.raw, height: first.signedHeight }
  })
}

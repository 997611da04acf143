import { assert } from '../../base/assert.ts'
import type { Intent, Signed } from '../../chains/port.ts'
import { maxFeeOf, type Terms } from '../../chains/spending.ts'
import type { Tx } from '../../store/database.ts'
import type { SpendDeps } from './payment-request.ts'
import { recordOwnTransaction } from './own.ts'
import type { Sender } from './sender.ts'
import { deleteSpeedUp } from './speed-up-rows.ts'
import { insertSpend, replaceRow } from './spend-rows.ts'
import type { Purpose, Spend } from './spend.ts'
import { insertTransaction, renewRow } from './transaction-rows.ts'
import type { SpendTransaction } from './transaction.ts'

/** A spend that was signed and is to be written down. */
export interface Signing {
  sender: Sender
  purpose: Purpose
  id: string
  subjectId: string
  intent: Intent
  terms: Terms
  nonce: number
  /** Whether the number is a ticket's. */
  ticket?: boolean
  /** Our tip. */
  height: number
}

/** Stores a spend with its first transaction, known as ours before any node has seen it. */
export async function storeSpend(tx: Tx, signing: Signing, signed: Signed): Promise<Spend> {
  const { sender, intent, terms } = signing
  const spend = await insertSpend(tx, {
    orgId: sender.orgId,
    id: signing.id,
    chainId: sender.chainId,
    purpose: signing.purpose,
    subjectId: signing.subjectId,
    sender: sender.address,
    nonce: signing.nonce,
    ticket: signing.ticket ?? false,
    tickets: intent.tickets ?? 0,
    tokenId: intent.tokenId,
    recipient: intent.to,
    amount: intent.amount,
    maxFee: maxFeeOf(terms),
    txnHash: signed.txnHash,
  })
  await storeTransaction(tx, { spend, number: 1, signed, terms, height: signing.height })
  return spend
}

/** Signed bytes of a spend: its first transaction (`number` 1) or a replacement. */
interface Signature {
  spend: Spend
  number: number
  signed: Signed
  terms: Terms
  height: number
}

/** Stores signed bytes beside those that were signed before for the same spend. */
async function storeTransaction(
  tx: Tx,
  { spend, number, signed, terms, height }: Signature,
): Promise<void> {
  const { chainId, orgId, purpose } = spend
  const maxFee = maxFeeOf(terms)
  await insertTransaction(tx, { spend, number, ...signed, maxFee, terms, signedHeight: height })
  await recordOwnTransaction(tx, { chainId, txnHash: signed.txnHash, orgId, purpose })
}

/**
 * Stores a replacement for a locked spend in state `Sent`, which it then identifies, and calls the
 * `replaced` hook in the same commit (W18).
 */
export async function storeReplacement(
  tx: Tx,
  deps: Pick<SpendDeps, 'hooks'>,
  replacement: Signature,
): Promise<Spend> {
  const { spend, signed, terms } = replacement
  await storeTransaction(tx, replacement)
  const { txnHash } = signed
  return setCurrent(tx, deps, { spend, txnHash, maxFee: maxFeeOf(terms) })
}

/**
 * Makes an earlier transaction of a locked spend in state `Sent` the current one, as if it were
 * signed at `height`. After a reorg or the return of a coin a replacement can equal an earlier
 * transaction to the byte.
 */
export async function reuseSigned(
  tx: Tx,
  deps: Pick<SpendDeps, 'hooks'>,
  { spend, known, height }: { spend: Spend; known: SpendTransaction; height: number },
): Promise<Spend> {
  const { chainId, txnHash, maxFee } = known
  await renewRow(tx, { chainId, txnHash, signedHeight: height })
  return setCurrent(tx, deps, { spend, txnHash, maxFee })
}

async function setCurrent(
  tx: Tx,
  { hooks }: Pick<SpendDeps, 'hooks'>,
  replacement: { spend: Spend; txnHash: string; maxFee: bigint },
): Promise<Spend> {
  const { id, purpose } = replacement.spend
  const replaced = await replaceRow(tx, replacement)
  assert(replaced !== null, 'locked spend changed its state', { id })
  await deleteSpeedUp(tx, replaced)
  await hooks[purpose].onReplaced(tx, replaced)
  return replaced
}

import type { Intent, Signed } from '../../chains/port.ts'
import { type Terms, maxFeeOf } from '../../chains/spending.ts'
import type { Tx } from '../../store/database.ts'
import { recordOwnTransaction } from './own.ts'
import type { Sender } from './sender.ts'
import type { Purpose, Spend } from './spend.ts'
import { insertSpend } from './spend-rows.ts'
import { insertTransaction } from './transaction-rows.ts'

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
export async function storeSpend(tx: Tx, given: Signing, signed: Signed): Promise<Spend> {
  const { sender, intent, terms } = given
  const spend = await insertSpend(tx, {
    orgId: sender.orgId,
    id: given.id,
    chainId: sender.chainId,
    purpose: given.purpose,
    subjectId: given.subjectId,
    sender: sender.address,
    nonce: given.nonce,
    ticket: given.ticket ?? false,
    tickets: intent.tickets ?? 0,
    tokenId: intent.tokenId,
    recipient: intent.to,
    amount: intent.amount,
    maxFee: maxFeeOf(terms),
    txnHash: signed.txnHash,
  })
  await storeTransaction(tx, { spend, number: 1, signed, terms, height: given.height })
  return spend
}

/** Stores signed bytes beside those that were signed before for the same spend. */
export async function storeTransaction(
  tx: Tx,
  given: { spend: Spend; number: number; signed: Signed; terms: Terms; height: number },
): Promise<void> {
  const { spend, number, signed, terms, height } = given
  const { chainId, orgId, purpose } = spend
  const maxFee = maxFeeOf(terms)
  await insertTransaction(tx, { spend, number, ...signed, maxFee, terms, signedHeight: height })
  await recordOwnTransaction(tx, { chainId, txnHash: signed.txnHash, orgId, purpose })
}

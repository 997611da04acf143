import type { ChainId, TokenId } from '@sluice/wire'
import type { Address } from '../../chains/port.ts'
import type { Tx } from '../../store/database.ts'
import { selectForeign } from './foreign-rows.ts'
import { selectSender, selectSenders, type SenderFilter } from './sender-rows.ts'
import type { Sender } from './sender.ts'
import { selectOfSubject, selectSpend, sumUnminedOutflow } from './spend-rows.ts'
import type { Purpose, Spend } from './spend.ts'
import { selectSpendIds, selectTransactions } from './transaction-rows.ts'
import type { SpendTransaction } from './transaction.ts'

/** A spend with everything that was ever signed for it, oldest first. */
export interface SpendRecord extends Spend {
  transactions: readonly SpendTransaction[]
}

/** All spends of a withdrawal, sweep or top-up, oldest first: one, unless one was displaced. */
export async function readSpendsOf(
  tx: Tx,
  subject: { orgId: string; subjectId: string },
): Promise<SpendRecord[]> {
  const spends = await selectOfSubject(tx, subject)
  const transactions = spends.length === 0 ? [] : await selectTransactions(tx, spends)
  return spends.map((spend) => ({
    ...spend,
    transactions: transactions.filter(({ spendId }) => spendId === spend.id),
  }))
}

/** Why we signed a transaction; null if we did not. */
export async function purposeOfTransaction(
  tx: Tx,
  { chainId, txnHash }: { chainId: ChainId; txnHash: string },
): Promise<Purpose | null> {
  const key = (await selectSpendIds(tx, { chainId, hashes: [txnHash] })).get(txnHash)
  return key === undefined ? null : ((await selectSpend(tx, key))?.purpose ?? null)
}

/** Whether an address signs nothing until an operator resumes it. */
export async function isHalted(
  tx: Tx,
  sender: { chainId: ChainId; address: Address },
): Promise<boolean> {
  const found = await selectSender(tx, sender)
  return found !== null && found.haltedAt !== null
}

/** The addresses that sign, of one chain or of all; only halted ones where asked. */
export function listSenders(tx: Tx, filter: SenderFilter): Promise<Sender[]> {
  return selectSenders(tx, filter)
}

/** Transactions of a sender that we did not sign, or have forgotten, by nonce. */
export function listForeign(
  tx: Tx,
  sender: { chainId: ChainId; sender: Address },
): Promise<{ txnHash: string; nonce: number | null; height: number | null }[]> {
  return selectForeign(tx, sender)
}

/**
 * Base units of a token that unmined spends of a sender take from its place; for the native
 * currency with their highest fees.
 */
export async function unminedOutflow(
  tx: Tx,
  outflow: { chainId: ChainId; sender: Address; tokenId: TokenId; native: boolean },
): Promise<bigint> {
  const { amount, fees } = await sumUnminedOutflow(tx, outflow)
  return outflow.native ? amount + fees : amount
}

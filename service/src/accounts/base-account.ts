import type { ChainId } from '@sluice/wire'
import type { Tx } from '../store/database.ts'
import { type BaseRow, selectBase, selectBases, upsertBase } from './base-rows.ts'

/** What a base account lacks before it exists on the ledger. */
export const UNFUNDED = 'the account has not been funded with the reserve that the ledger asks for'

/** The one account of an organization that all its users share on a chain, and how it stands. */
export type BaseAccount = BaseRow

/** How the base account of an organization stood when it was looked at last; null before that. */
export function readBaseAccount(
  tx: Tx,
  whose: { orgId: string; chainId: ChainId },
): Promise<BaseAccount | null> {
  return selectBase(tx, whose)
}

/** The base accounts of a chain that were looked at. */
export function listBaseAccounts(tx: Tx, chainId: ChainId): Promise<BaseAccount[]> {
  return selectBases(tx, chainId)
}

/**
 * Notes how a base account stands. One that was ready stays so from the height it was seen at
 * first: what came before was no user's, whatever is missing later. What it is to keep apart stays
 * where it is left out.
 */
export function noteBaseAccount(
  tx: Tx,
  base: Omit<BaseAccount, 'keep'> & Partial<Pick<BaseAccount, 'keep'>>,
): Promise<void> {
  return upsertBase(tx, { keep: null, ...base })
}

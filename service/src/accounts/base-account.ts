import type { ChainId } from '@sluice/wire'
import type { Tx } from '../store/database.ts'
import { type BaseRow, selectBase, selectBases, upsertBase } from './base-rows.ts'

/** Missing before a base account exists on the ledger. */
export const UNFUNDED = 'the account has not been funded with the reserve that the ledger asks for'

/** The account that all users of an organization share on a chain, with its state. */
export type BaseAccount = BaseRow

/** The last known state of an organization's base account; null before the first check. */
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
 * Stores the state of a base account. Once ready, it keeps the height at which it was first seen
 * ready, because earlier payments belong to no user. An omitted `keep` is unchanged.
 */
export function noteBaseAccount(
  tx: Tx,
  base: Omit<BaseAccount, 'keep'> & Partial<Pick<BaseAccount, 'keep'>>,
): Promise<void> {
  return upsertBase(tx, { keep: null, ...base })
}

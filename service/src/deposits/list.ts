import type { ChainId, TokenId } from '@sluice/wire'
import { Refusal } from '../base/fault.ts'
import { isId } from '../base/id.ts'
import type { Address } from '../chains/port.ts'
import type { Tx } from '../store/database.ts'
import { type Deposit, type Funding, isDeposit, isFunding } from './deposit.ts'
import { type PageAsked, selectPage, sumBelowMinimum } from './list-rows.ts'
import {
  type UnsettledQuery,
  selectDeposit,
  selectOfTransaction,
  selectUnsettled,
} from './lookup-rows.ts'

/**
 * One page of an organization's deposits, newest first, from just after a keyset; fewer than
 * `limit` come back only at the end. The order is (creation, id) and so stable while new deposits
 * arrive.
 */
export function listDeposits(tx: Tx, asked: PageAsked): Promise<Deposit[]> {
  return selectPage(tx, asked)
}

/** One deposit. Refuses with NOT_FOUND, also for another organization's. */
export async function readDeposit(
  tx: Tx,
  { orgId, id }: { orgId: string; id: string },
): Promise<Deposit> {
  const found = isId(id) ? await selectDeposit(tx, { orgId, id }) : null
  if (found !== null) return found
  throw new Refusal('NOT_FOUND', {}, 'No deposit of your organization has this id.')
}

/** The deposits and fundings of one transaction, in the order of their positions. */
export async function transfersOfTransaction(
  tx: Tx,
  key: { chainId: ChainId; txnHash: string },
): Promise<{ deposits: Deposit[]; fundings: Funding[] }> {
  const transfers = await selectOfTransaction(tx, key)
  return { deposits: transfers.filter(isDeposit), fundings: transfers.filter(isFunding) }
}

/**
 * Base units on these addresses that are not credited, by token: unconfirmed, below the minimum or
 * held. Addresses without any are left out.
 */
export async function unsettledAmounts(
  tx: Tx,
  query: UnsettledQuery,
): Promise<{ address: Address; tokenId: TokenId; amount: bigint }[]> {
  return query.addresses.length === 0 ? [] : selectUnsettled(tx, query)
}

/** Base units below the minimum at a deposit's account, of its token. */
export function waitingBelowMinimum(tx: Tx, deposit: Deposit): Promise<bigint> {
  return sumBelowMinimum(tx, deposit)
}

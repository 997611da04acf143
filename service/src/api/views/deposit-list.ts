import type { Readable } from 'node:stream'
import type { Deposit as DepositView } from '@sluice/wire'
import { parseExternalUserId } from '../../accounts/account.ts'
import { isId } from '../../base/id.ts'
import { readChainStates } from '../../catalogue/chain-state.ts'
import { ALL_CHAINS } from '../../catalogue/chains.ts'
import type { Catalogue } from '../../catalogue/find.ts'
import { listDeposits } from '../../deposits/list.ts'
import type { DepositFilter } from '../../deposits/list-rows.ts'
import type { Caller } from '../../orgs/caller.ts'
import type { ServerMeans } from '../http/means.ts'
import { type Page, type ReadEntries, answerList } from '../http/paging.ts'
import {
  hashesOf,
  isTransactionHash,
  parseChainFilter,
  parseHash,
  parseSearch,
  parseStatus,
  parseTime,
  parseTokenFilter,
} from '../http/parse-values.ts'
import { viewDeposit } from './views.ts'

/** What lists of deposits are narrowed and paged by, as it stands in a query (decisions, 9). */
export interface DepositQuery {
  userId?: string
  chainId?: string
  tokenId?: string
  status?: string
  txnHash?: string
  q?: string
  from?: string
  to?: string
  limit?: string
  cursor?: string
}

/**
 * Deposits of the caller's organization under a key. Refuses with BAD_REQUEST and INVALID_USER_ID.
 */
export function answerDeposits<Key extends string>(
  means: Pick<ServerMeans, 'database' | 'catalogue'> & { caller: Caller },
  { key, query }: { key: Key; query: DepositQuery },
): Promise<Page<Key, DepositView> | Readable> {
  const filter = parseFilter(means.catalogue, query)
  return answerList(query, { key, read: reader(means, filter) })
}

function reader(
  { database, catalogue, caller: { orgId } }: Parameters<typeof answerDeposits>[0],
  filter: DepositFilter,
): ReadEntries<DepositView> {
  return (after, limit) =>
    database.forOrg(orgId, async (tx) => {
      const [states, deposits] = await Promise.all([
        readChainStates(tx),
        listDeposits(tx, { orgId, filter, after, limit }),
      ])
      const tips = new Map(states.map(({ chainId, tip }) => [chainId, tip.height]))
      return deposits.map((deposit) => ({
        place: deposit,
        view: viewDeposit(deposit, { catalogue, tipHeight: tips.get(deposit.chainId) ?? null }),
      }))
    })
}

function parseFilter(catalogue: Catalogue, query: DepositQuery): DepositFilter {
  const { userId, chainId, tokenId, status, txnHash, q, from, to } = query
  return {
    ...(userId !== undefined && { externalUserId: parseExternalUserId(userId) }),
    ...(chainId !== undefined && { chainId: parseChainFilter(catalogue, chainId) }),
    ...(tokenId !== undefined && { tokenId: parseTokenFilter(catalogue, tokenId) }),
    ...(status !== undefined && { status: parseStatus(status) }),
    ...(txnHash !== undefined && { transaction: transactionOf(parseHash(txnHash)) }),
    ...(q !== undefined && { search: searchOf(parseSearch(q)) }),
    ...(from !== undefined && { from: parseTime('from', from) }),
    ...(to !== undefined && { to: parseTime('to', to) }),
  }
}

/** A hash does not say which chain it is of; deposits of chains without nodes stay listed. */
function transactionOf(text: string) {
  return { chainIds: ALL_CHAINS.map(({ id }) => id), hashes: hashesOf(text) }
}

function searchOf(text: string): NonNullable<DepositFilter['search']> {
  return {
    text,
    ...(isId(text) && { id: text }),
    ...(isTransactionHash(text) && { transaction: transactionOf(parseHash(text)) }),
  }
}

import type { Readable } from 'node:stream'
import type { Deposit as DepositView } from '@sluice/wire'
import { parseExternalUserId } from '../accounts/account.ts'
import { readChainStates } from '../catalogue/chain-state.ts'
import { ALL_CHAINS } from '../catalogue/chains.ts'
import type { Catalogue } from '../catalogue/find.ts'
import { hashOn } from '../chains/format-address.ts'
import { listDeposits } from '../deposits/list.ts'
import type { DepositFilter } from '../deposits/list-rows.ts'
import type { Caller } from '../orgs/caller.ts'
import type { ServerMeans } from './means.ts'
import { type Page, type ReadEntries, answerList } from './paging.ts'
import {
  parseChainFilter,
  parseHash,
  parseStatus,
  parseTime,
  parseTokenFilter,
} from './parse-values.ts'
import { viewDeposit } from './views.ts'

/** What lists of deposits are narrowed and paged by, as it stands in a query (decisions, 9). */
export interface DepositQuery {
  userId?: string
  chainId?: string
  tokenId?: string
  status?: string
  txnHash?: string
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
  const { userId, chainId, tokenId, status, txnHash, from, to } = query
  return {
    ...(userId !== undefined && { externalUserId: parseExternalUserId(userId) }),
    ...(chainId !== undefined && { chainId: parseChainFilter(catalogue, chainId) }),
    ...(tokenId !== undefined && { tokenId: parseTokenFilter(catalogue, tokenId) }),
    ...(status !== undefined && { status: parseStatus(status) }),
    ...(txnHash !== undefined && { transaction: transactionOf(parseHash(txnHash)) }),
    ...(from !== undefined && { from: parseTime('from', from) }),
    ...(to !== undefined && { to: parseTime('to', to) }),
  }
}

/**
 * A hash in the spellings of all chains, which say nothing of where it is from; of those without
 * nodes too, since their deposits stay.
 */
function transactionOf(text: string) {
  const chainIds = ALL_CHAINS.map(({ id }) => id)
  return { chainIds, hashes: [...new Set(chainIds.map((id) => hashOn(id, text)))] }
}

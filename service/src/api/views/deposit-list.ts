import type { Readable } from 'node:stream'
import type { Deposit as DepositView } from '@sluice/wire'
import { isId } from '../../base/id.ts'
import { readChainStates } from '../../catalogue/chain-state.ts'
import { ALL_CHAINS } from '../../catalogue/chains.ts'
import { listDeposits } from '../../deposits/list.ts'
import type { DepositFilter } from '../../deposits/list-rows.ts'
import { type Page, type ReadEntries, answerList } from '../http/paging.ts'
import { hashesOf, isTransactionHash, parseHash } from '../http/parse-values.ts'
import type { Call } from '../http/route.ts'
import { viewDeposit } from './views.ts'

type DepositQuery = Call<'getPayments'>['query']
type Deps = Pick<Call<'getPayments'>, 'database' | 'catalogue' | 'caller' | 'exporting'>

/** Deposits of the caller's organization, under a key. Refuses with BAD_REQUEST (cursor). */
export function answerDeposits<Key extends string>(
  deps: Deps,
  { key, query }: { key: Key; query: DepositQuery },
): Promise<Page<Key, DepositView> | Readable> {
  const { exporting } = deps
  return answerList({ ...query, exporting }, { key, read: reader(deps, filterOf(query)) })
}

function reader(
  { database, catalogue, caller: { orgId } }: Deps,
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

function filterOf({ userId, txnHash, q, ...query }: DepositQuery): DepositFilter {
  const { chainId, tokenId, status, from, to } = query
  return {
    ...(userId !== undefined && { externalUserId: userId }),
    ...(chainId !== undefined && { chainId }),
    ...(tokenId !== undefined && { tokenId }),
    ...(status !== undefined && { status }),
    ...(txnHash !== undefined && { transaction: transactionOf(txnHash) }),
    ...(q !== undefined && { search: searchOf(q) }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  }
}

/** A hash does not identify a chain. Includes chains that have no nodes. */
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

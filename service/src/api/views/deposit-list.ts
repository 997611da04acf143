import type { Readable } from 'node:stream'
import type { ChainId, Deposit as DepositView } from '@sluice/wire'
import { listAccounts } from '../../accounts/list.ts'
import { isId } from '../../base/id.ts'
import { readChainStates } from '../../catalogue/chain-state.ts'
import { ALL_CHAINS } from '../../catalogue/chains.ts'
import { listDeposits } from '../../deposits/list.ts'
import type { DepositFilter, DepositSearch } from '../../deposits/list-rows.ts'
import type { Tx } from '../../store/database.ts'
import { type Page, type ReadEntries, answerList } from '../http/paging.ts'
import { hashesOf, isTransactionHash, parseHash } from '../http/parse-values.ts'
import type { Call } from '../http/route.ts'
import { accountAddressOf } from '../http/validate.ts'
import { viewDeposit } from './views.ts'

type DepositQuery = Call<'getPayments'>['query']
type Deps = Pick<
  Call<'getPayments'>,
  'database' | 'serviceKey' | 'catalogue' | 'caller' | 'exporting'
>

/** Deposits of the caller's organization, under a key. Refuses with BAD_REQUEST (cursor). */
export function answerDeposits<Key extends string>(
  deps: Deps,
  { key, query }: { key: Key; query: DepositQuery },
): Promise<Page<Key, DepositView> | Readable> {
  const { exporting } = deps
  return answerList({ ...query, exporting }, { key, read: reader(deps, query) })
}

function reader(deps: Deps, query: DepositQuery): ReadEntries<DepositView> {
  const { database, catalogue, caller } = deps
  const { orgId } = caller
  // The search is the same for every page of a streamed list.
  let filter: DepositFilter | null = null
  return (after, limit) =>
    database.forOrg(orgId, async (tx) => {
      filter ??= await filterOf(tx, deps, query)
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

async function filterOf(
  tx: Tx,
  deps: Deps,
  { userId, txnHash, q, ...query }: DepositQuery,
): Promise<DepositFilter> {
  const { chainId, tokenId, status, from, to } = query
  return {
    ...(userId !== undefined && { externalUserId: userId }),
    ...(chainId !== undefined && { chainId }),
    ...(tokenId !== undefined && { tokenId }),
    ...(status !== undefined && { status }),
    ...(txnHash !== undefined && { transaction: transactionOf(txnHash) }),
    ...(q !== undefined && { search: await searchOf(tx, deps, { text: q, chainId }) }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  }
}

/** A hash does not identify a chain. Includes chains that have no nodes. */
function transactionOf(text: string) {
  return { chainIds: ALL_CHAINS.map(({ id }) => id), hashes: hashesOf(text) }
}

interface Searched {
  text: string
  chainId: ChainId | undefined
}

async function searchOf(tx: Tx, deps: Deps, searched: Searched): Promise<DepositSearch> {
  const { text } = searched
  return {
    text,
    ...(isId(text) && { id: text }),
    ...(isTransactionHash(text) && { transaction: transactionOf(parseHash(text)) }),
    ...(await recipientOf(tx, deps, searched)),
  }
}

/** An X-address with a tag (XRPL) selects the account of that tag. */
async function recipientOf(
  tx: Tx,
  { serviceKey, caller: { orgId } }: Deps,
  { text, chainId }: Searched,
): Promise<Pick<DepositSearch, 'addresses' | 'account'>> {
  const found = accountAddressOf(ALL_CHAINS, text, chainId)
  if (found === null) return {}
  const { addresses = [], destinationTag } = found
  if (destinationTag === undefined)
    return { addresses: [...new Set(addresses.map(({ address }) => address))] }
  const page = { orgId, filter: found, after: null, limit: 1 }
  const { accounts } = await listAccounts(tx, serviceKey, page)
  const account = accounts[0]?.account ?? null
  return account === null ? {} : { account }
}

import type { Readable } from 'node:stream'
import {
  type ChainId,
  WITHDRAWAL_STATUSES,
  type Withdrawal as WithdrawalView,
  type WithdrawalStatus,
} from '@sluice/wire'
import { parseExternalUserId } from '../../accounts/account.ts'
import { isId } from '../../base/id.ts'
import { ALL_CHAINS } from '../../catalogue/chains.ts'
import type { Catalogue } from '../../catalogue/find.ts'
import { parseRecipient } from '../../chains/format-address.ts'
import type { Caller } from '../../orgs/caller.ts'
import { listWithdrawals } from '../../withdrawals/list.ts'
import type { RecipientFilter, WithdrawalFilter } from '../../withdrawals/list-rows.ts'
import { parseReference } from '../../withdrawals/request/parse-request.ts'
import { badRequest } from '../http/faults.ts'
import type { ServerMeans } from '../http/means.ts'
import { type Page, answerList } from '../http/paging.ts'
import {
  hashesOf,
  isTransactionHash,
  parseChainFilter,
  parseHash,
  parseSearch,
  parseTime,
  parseTokenFilter,
} from '../http/parse-values.ts'
import { viewWithdrawal } from './withdrawal-views.ts'

/** What a list of withdrawals is narrowed and paged by, as it stands in a query (decisions, 9). */
export interface WithdrawalQuery {
  status?: string
  chainId?: string
  tokenId?: string
  recipient?: string
  txnHash?: string
  reference?: string
  externalUserId?: string
  q?: string
  from?: string
  to?: string
  limit?: string
  cursor?: string
}

/** Withdrawals of the caller's organization. Refuses with BAD_REQUEST and INVALID_USER_ID. */
export function answerWithdrawals(
  { database, catalogue, caller }: Pick<ServerMeans, 'database' | 'catalogue'> & { caller: Caller },
  query: WithdrawalQuery,
): Promise<Page<'withdrawals', WithdrawalView> | Readable> {
  const { orgId } = caller
  const filter = parseFilter(catalogue, query)
  return answerList(query, {
    key: 'withdrawals',
    read: async (after, limit) => {
      const page = await database.forOrg(orgId, (tx) =>
        listWithdrawals(tx, { orgId, filter, after, limit }),
      )
      return page.map((withdrawal) => ({ place: withdrawal, view: viewWithdrawal(withdrawal) }))
    },
  })
}

function parseFilter(catalogue: Catalogue, query: WithdrawalQuery): WithdrawalFilter {
  const { status, chainId, tokenId, recipient, txnHash, reference, externalUserId, q } = query
  const { from, to } = query
  const chain = chainId === undefined ? undefined : parseChainFilter(catalogue, chainId)
  return {
    ...(status !== undefined && { statuses: parseStatuses(status) }),
    ...(chain !== undefined && { chainId: chain }),
    ...(tokenId !== undefined && { tokenId: parseTokenFilter(catalogue, tokenId) }),
    ...(recipient !== undefined && { recipient: parseRecipientFilter(recipient, chain) }),
    ...(txnHash !== undefined && { hashes: hashesOf(parseHash(txnHash)) }),
    ...(reference !== undefined && { reference: parseReference(reference) }),
    ...(externalUserId !== undefined && { externalUserId: parseExternalUserId(externalUserId) }),
    ...(q !== undefined && { search: searchOf(parseSearch(q), chain) }),
    ...(from !== undefined && { from: parseTime('from', from) }),
    ...(to !== undefined && { to: parseTime('to', to) }),
  }
}

function parseStatuses(text: string): WithdrawalStatus[] {
  const statuses = text.split(',').map((name) => {
    const status = WITHDRAWAL_STATUSES.find((one) => one === name)
    if (status !== undefined) return status
    const known = WITHDRAWAL_STATUSES.join(', ')
    throw badRequest('status', `status must be one or several of ${known}, separated by commas.`)
  })
  return [...new Set(statuses)]
}

function parseRecipientFilter(text: string, chain: ChainId | undefined): RecipientFilter {
  const recipient = recipientOf(text, chain)
  if (recipient !== null) return recipient
  throw badRequest('recipient', 'recipient must be an address of a chain.')
}

/** An address in the spellings of all chains on which it is one; null if it is one on none. */
function recipientOf(text: string, chain: ChainId | undefined): RecipientFilter | null {
  const entries = ALL_CHAINS.filter(({ id }) => chain === undefined || id === chain)
  const found = entries.flatMap((entry) => parseRecipient(entry, text) ?? [])
  const [first] = found
  if (first === undefined) return null
  const addresses = [...new Set(found.map(({ address }) => address))]
  return first.tag === null ? { addresses } : { addresses, tag: String(first.tag) }
}

function searchOf(
  text: string,
  chain: ChainId | undefined,
): NonNullable<WithdrawalFilter['search']> {
  const recipient = recipientOf(text, chain)
  return {
    text,
    ...(isId(text) && { id: text }),
    ...(recipient !== null && { recipient }),
    ...(isTransactionHash(text) && { hashes: hashesOf(parseHash(text)) }),
  }
}

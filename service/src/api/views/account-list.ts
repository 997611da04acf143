import type { Readable } from 'node:stream'
import type { Account, ChainId } from '@sluice/wire'
import { type AccountFilter, parseExternalUserId } from '../../accounts/account.ts'
import { listAccounts } from '../../accounts/list.ts'
import { raiseTamperedApart } from '../../accounts/tampered.ts'
import type { Catalogue } from '../../catalogue/find.ts'
import { parseRecipient } from '../../chains/format-address.ts'
import type { Caller } from '../../orgs/caller.ts'
import { badRequest } from '../http/faults.ts'
import type { ServerMeans } from '../http/means.ts'
import { type Page, answerList } from '../http/paging.ts'
import { parseChainFilter } from '../http/parse-values.ts'
import { viewAccount } from './views.ts'

type Means = Pick<ServerMeans, 'database' | 'catalogue' | 'serviceKey'> & { caller: Caller }

interface AccountQuery {
  userId?: string
  chainId?: string
  address?: string
  limit?: string
  cursor?: string
}

/**
 * Deposit accounts of the caller's organization. Omits an account whose row was changed in the
 * database, and raises an alert. Refuses with BAD_REQUEST and INVALID_USER_ID.
 */
export function answerAccounts(
  { database, catalogue, serviceKey, caller: { orgId } }: Means,
  query: AccountQuery,
): Promise<Page<'accounts', Account> | Readable> {
  const filter = parseFilter(catalogue, query)
  return answerList(query, {
    key: 'accounts',
    read: async (after, limit) => {
      const { accounts, tampered } = await database.forOrg(orgId, (tx) =>
        listAccounts(tx, serviceKey, { orgId, filter, after, limit }),
      )
      await raiseTamperedApart(database, tampered)
      return accounts.map(({ place, account }) => ({
        place,
        view: account === null ? null : viewAccount(account),
      }))
    },
  })
}

function parseFilter(
  catalogue: Catalogue,
  { userId, chainId, address }: AccountQuery,
): AccountFilter {
  const chain = chainId === undefined ? undefined : parseChainFilter(catalogue, chainId)
  return {
    ...(userId !== undefined && { externalUserId: parseExternalUserId(userId) }),
    ...(chain !== undefined && { chainId: chain }),
    ...(address !== undefined && addressFilter(catalogue, address, chain)),
  }
}

/**
 * Without a chain, an address is looked up on every chain on which it is valid. An X-address
 * (XLS-5d) selects the account of its tag; without a tag, all accounts that share the address.
 */
function addressFilter(
  catalogue: Catalogue,
  text: string,
  chain: ChainId | undefined,
): Pick<AccountFilter, 'addresses' | 'destinationTag'> {
  const entries = catalogue.chains.filter(({ id }) => chain === undefined || id === chain)
  const parsed = entries.flatMap((entry) => {
    const found = parseRecipient(entry, text)
    return found === null ? [] : [{ chainId: entry.id, ...found }]
  })
  const [first] = parsed
  if (first === undefined)
    throw badRequest('address', '`address` is not a valid address of the chain.')
  const addresses = parsed.map(({ chainId, address }) => ({ chainId, address }))
  return first.tag === null ? { addresses } : { addresses, destinationTag: first.tag }
}

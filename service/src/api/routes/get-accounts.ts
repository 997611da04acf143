import type { ChainId } from '@sluice/wire'
import { type AccountFilter, parseExternalUserId } from '../../accounts/account.ts'
import { listAccounts } from '../../accounts/list.ts'
import { raiseTamperedApart } from '../../accounts/tampered.ts'
import type { Catalogue } from '../../catalogue/find.ts'
import { parseRecipient } from '../../chains/format-address.ts'
import { badRequest } from '../http/faults.ts'
import { answerList } from '../http/paging.ts'
import { parseChainFilter } from '../http/parse-values.ts'
import { route } from '../http/route.ts'
import { viewAccount } from '../views/views.ts'

/**
 * Section 4.5. An account whose row was changed in the database is left out, and an alert raised.
 * Refuses with BAD_REQUEST and INVALID_USER_ID.
 */
export const getAccounts = route(
  'getAccounts',
  async ({ database, catalogue, serviceKey, caller: { orgId }, query }) => {
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
  },
)

function parseFilter(
  catalogue: Catalogue,
  { userId, chainId, address }: { userId?: string; chainId?: string; address?: string },
): AccountFilter {
  const chain = chainId === undefined ? undefined : parseChainFilter(catalogue, chainId)
  return {
    ...(userId !== undefined && { externalUserId: parseExternalUserId(userId) }),
    ...(chain !== undefined && { chainId: chain }),
    ...(address !== undefined && whoIs(catalogue, address, chain)),
  }
}

/**
 * An address without a chain is looked for on every chain whose addresses look so. An X-address
 * (XLS-5d) is the account of its tag; one without a tag stands for all that share the address.
 */
function whoIs(
  catalogue: Catalogue,
  text: string,
  chain: ChainId | undefined,
): Pick<AccountFilter, 'addresses' | 'destinationTag'> {
  const entries = catalogue.chains.filter(({ id }) => chain === undefined || id === chain)
  const named = entries.flatMap((entry) => {
    const found = parseRecipient(entry, text)
    return found === null ? [] : [{ chainId: entry.id, ...found }]
  })
  const [first] = named
  if (first === undefined) throw badRequest('address', 'address is not an address of the chain.')
  const addresses = named.map(({ chainId, address }) => ({ chainId, address }))
  return first.tag === null ? { addresses } : { addresses, destinationTag: first.tag }
}

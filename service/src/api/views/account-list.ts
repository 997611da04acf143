import type { Readable } from 'node:stream'
import type { Account } from '@sluice/wire'
import type { AccountFilter } from '../../accounts/account.ts'
import { listAccounts } from '../../accounts/list.ts'
import { raiseTamperedApart } from '../../accounts/tampered.ts'
import { type Page, answerList } from '../http/paging.ts'
import type { Call } from '../http/route.ts'
import { viewAccount } from './views.ts'

type Deps = Pick<Call<'getAccounts'>, 'database' | 'serviceKey' | 'caller' | 'exporting'>

type AccountQuery = Call<'getAccounts'>['query']

/**
 * Deposit accounts of the caller's organization. Omits an account whose row was changed in the
 * database, and raises an alert. Refuses with BAD_REQUEST (cursor).
 */
export function answerAccounts(
  { database, serviceKey, caller: { orgId }, exporting }: Deps,
  query: AccountQuery,
): Promise<Page<'accounts', Account> | Readable> {
  const filter = filterOf(query)
  return answerList(
    { ...query, exporting },
    {
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
    },
  )
}

function filterOf({ userId, chainId, address }: AccountQuery): AccountFilter {
  return {
    ...(userId !== undefined && { externalUserId: userId }),
    ...(chainId !== undefined && { chainId }),
    ...address,
  }
}

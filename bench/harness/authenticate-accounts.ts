import { sql } from 'kysely'
import {
  type AccountIdentity,
  type WatchIdentity,
  macOfAccount,
  macOfWatch,
} from '../../service/src/accounts/row-mac.ts'
import { watchColumns } from '../../service/src/accounts/watch-rows.ts'
import type { ServiceKey } from '../../service/src/keys/service-key.ts'
import type { Queries } from '../../service/src/store/queries.ts'

/** Rows in one statement. */
const BATCH = 5_000

/** Writes the MACs of accounts and watched addresses that a benchmark inserted without them. */
export async function authenticateAccounts(
  session: Queries,
  serviceKey: Pick<ServiceKey, 'mac'>,
): Promise<void> {
  for (;;) {
    const accounts = await session.many(sql<AccountIdentity>`
      select org_id as "orgId", id, chain_id as "chainId", external_user_id as "externalUserId",
             address, destination_tag as "destinationTag", wallet_number as wallet,
             path_index as index
        from accounts
       where mac = ''
       limit ${BATCH}`)
    const watches = await session.many(sql<WatchIdentity>`
      select ${watchColumns}
        from watched_addresses
       where mac = ''
       limit ${BATCH}`)
    if (accounts.length + watches.length === 0) return
    await session.run(sql`
      update accounts a
         set mac = u.mac
        from unnest(
             ${accounts.map(({ orgId }) => orgId)}::uuid[],
             ${accounts.map(({ id }) => id)}::uuid[],
             ${accounts.map((account) => macOfAccount(serviceKey, account))}::bytea[]
             ) as u (org_id, id, mac)
       where a.org_id = u.org_id
         and a.id = u.id`)
    await session.run(sql`
      update watched_addresses w
         set mac = u.mac
        from unnest(
             ${watches.map(({ scope }) => scope)}::text[],
             ${watches.map(({ address }) => address)}::text[],
             ${watches.map((watch) => macOfWatch(serviceKey, watch))}::bytea[]
             ) as u (scope, address, mac)
       where w.scope = u.scope
         and w.address = u.address`)
  }
}

import type { ChainId, TokenId } from '@sluice/wire'
import { sql } from 'kysely'
import { type Millis, iso } from '../base/clock.ts'
import type { Tx } from '../store/database.ts'
import type { LedgerAccount } from './account.ts'

/** What stands on each of these accounts of these organizations. */
export async function selectPlaces(
  tx: Tx,
  given: { chainId: ChainId; orgIds: readonly string[]; accounts: readonly LedgerAccount[] },
): Promise<{ tokenId: TokenId; account: LedgerAccount; amount: bigint }[]> {
  return tx.many(sql<{ tokenId: TokenId; account: LedgerAccount; amount: bigint }>`
    select token_id as "tokenId", account, amount
      from balances
     where org_id = any(${given.orgIds}::uuid[])
       and chain_id = ${given.chainId}
       and account = any(${given.accounts}::text[])`)
}

/** The places that postings since a time moved, of the last `limit` such postings. */
export async function selectMovedPlaces(
  tx: Tx,
  given: { chainId: ChainId; since: Millis; limit: number },
): Promise<{ orgId: string; account: LedgerAccount }[]> {
  return tx.many(sql<{ orgId: string; account: LedgerAccount }>`
    select distinct org_id as "orgId", account
      from (select org_id, unnest(array[debit, credit]) as account
              from (select org_id, debit, credit
                      from postings
                     where chain_id = ${given.chainId}
                       and created_at >= ${iso(given.since)}::timestamptz
                       and (debit like 'place:%' or credit like 'place:%')
                     order by created_at desc
                     limit ${given.limit}) recent) sides
     where account like 'place:%'
     order by org_id, account`)
}

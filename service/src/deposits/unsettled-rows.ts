import type { ChainId, TokenId } from '@sluice/wire'
import { sql } from 'kysely'
import type { Address } from '../chains/port.ts'
import type { Tx } from '../store/database.ts'

/**
 * What of each token lies on these addresses of these organizations and is not credited: each state
 * by the index that is made for it.
 */
export async function selectUnsettled(
  tx: Tx,
  given: { chainId: ChainId; orgIds: readonly string[]; addresses: readonly Address[] },
): Promise<{ address: Address; tokenId: TokenId; amount: bigint }[]> {
  const { chainId, orgIds, addresses } = given
  return tx.many(sql<{ address: Address; tokenId: TokenId; amount: bigint }>`
    select address, token_id as "tokenId", sum(amount)::numeric as amount
      from (select address, token_id, amount
              from deposits
             where chain_id = ${chainId}
               and status = 'Detected'
               and address = any(${addresses}::text[])
             union all
            select address, token_id, amount
              from deposits
             where org_id = any(${orgIds}::uuid[])
               and chain_id = ${chainId}
               and status = 'BelowMinimum'
               and address = any(${addresses}::text[])
             union all
            select address, token_id, amount
              from deposits
             where chain_id = ${chainId}
               and status = 'Held'
               and address = any(${addresses}::text[])) u
     group by address, token_id`)
}

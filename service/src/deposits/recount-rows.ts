import type { ChainId } from '@sluice/wire'
import { sql } from 'kysely'
import type { TokenEntry } from '../catalogue/tokens.ts'
import type { Tx } from '../store/database.ts'
import type { Deposit } from './deposit.ts'
import { type DepositRow, fromRow } from './rows.ts'

/** Locks what waits below the minimum at accounts where its sum reaches what the tokens say now. */
export async function lockReached(
  tx: Tx,
  given: {
    chainId: ChainId
    tokens: readonly Pick<TokenEntry, 'id' | 'minimumAmount'>[]
    accountsMax: number
  },
): Promise<Deposit[]> {
  const { chainId, tokens, accountsMax } = given
  const rows = await tx.many(sql<DepositRow>`
      with reached as (
           select org_id, account_id, token_id
             from deposits
             join unnest(
                  ${tokens.map(({ id }) => id)}::text[],
                  ${tokens.map(({ minimumAmount }) => minimumAmount)}::numeric[])
                  as t (token_id, minimum)
            using (token_id)
            where chain_id = ${chainId}
              and status = 'BelowMinimum'
            group by org_id, account_id, token_id, minimum
           having sum(amount) >= minimum
            limit ${accountsMax})
    select d.*
      from deposits d
      join reached
     using (org_id, account_id, token_id)
     where d.chain_id = ${chainId}
       and d.status = 'BelowMinimum'
     order by d.id
       for update of d`)
  return rows.map(fromRow)
}

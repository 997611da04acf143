import type { ChainId } from '@sluice/wire'
import { sql } from 'kysely'
import type { TokenEntry } from '../catalogue/tokens.ts'
import type { Tx } from '../store/database.ts'
import type { Deposit } from './deposit.ts'
import { type DepositRow, fromRow } from './rows.ts'

/**
 * Locks what waits below the minimum at accounts where its sum reaches what the tokens say now: of
 * one account after the other, until there are `depositsMax`. What waits at one comes together.
 */
export async function lockReached(
  tx: Tx,
  given: {
    chainId: ChainId
    tokens: readonly Pick<TokenEntry, 'id' | 'minimumAmount'>[]
    depositsMax: number
  },
): Promise<Deposit[]> {
  const { chainId, tokens, depositsMax } = given
  const rows = await tx.many(sql<DepositRow>`
      with reached as materialized (
           select org_id, account_id, token_id,
                  sum(count(*)) over (order by org_id, account_id, token_id) - count(*) as before
             from deposits
             join unnest(
                  ${tokens.map(({ id }) => id)}::text[],
                  ${tokens.map(({ minimumAmount }) => minimumAmount)}::numeric[])
                  as t (token_id, minimum)
            using (token_id)
            where chain_id = ${chainId}
              and status = 'BelowMinimum'
            group by org_id, account_id, token_id, minimum
           having sum(amount) >= minimum)
    select d.*
      from reached r
     cross join lateral (
           select *
             from deposits
            where org_id = r.org_id
              and account_id = r.account_id
              and chain_id = ${chainId}
              and token_id = r.token_id
              and status = 'BelowMinimum'
            order by id
              for update) d
     where r.before < ${depositsMax}
     order by d.id`)
  return rows.map(fromRow)
}

import type { ChainId } from '@sluice/wire'
import { sql } from 'kysely'
import type { TokenEntry } from '../catalogue/tokens.ts'
import type { BlockRef } from '../chains/port.ts'
import type { Tx } from '../store/database.ts'
import type { Deposit } from './deposit.ts'
import { type TransferRow, depositsOf } from './rows.ts'

/** Deposits below the minimum on a chain up to a height, and the current minimums. */
export interface Waiting {
  chainId: ChainId
  tokens: readonly Pick<TokenEntry, 'id' | 'minimumAmount'>[]
  upTo: number
}

/**
 * Highest block with a deposit below the minimum at an account whose sum reaches the current
 * minimum; null if there is none.
 */
export async function selectHighestReached(tx: Tx, waiting: Waiting): Promise<BlockRef | null> {
  return tx.maybe(sql<BlockRef>`
      with reached as (${accountsReached(waiting)})
    select d.block_height as height, d.block_hash as hash
      from reached r
     cross join lateral (
           select block_height, block_hash
             from incoming_transfers
            where ${waitsAt(waiting)}
            order by block_height desc
            limit 1) d
     order by d.block_height desc
     limit 1`)
}

/**
 * Locks the deposits below the minimum at accounts whose sum reaches the current minimum: account
 * by account, up to `depositsMax`. All deposits of an account are locked together.
 */
export async function lockReached(
  tx: Tx,
  { depositsMax, ...waiting }: Waiting & { depositsMax: number },
): Promise<Deposit[]> {
  const rows = await tx.many(sql<TransferRow>`
      with reached as materialized (${accountsReached(waiting)})
    select d.*
      from reached r
     cross join lateral (
           select *
             from incoming_transfers
            where ${waitsAt(waiting)}
            order by id
              for update) d
     where r.before < ${depositsMax}
     order by d.id`)
  return depositsOf(rows)
}

function accountsReached({ chainId, tokens, upTo }: Waiting) {
  return sql`
           select org_id, account_id, token_id,
                  sum(count(*)) over (order by org_id, account_id, token_id) - count(*) as before
             from incoming_transfers
             join unnest(
                  ${tokens.map(({ id }) => id)}::text[],
                  ${tokens.map(({ minimumAmount }) => minimumAmount)}::numeric[])
                  as t (token_id, minimum)
            using (token_id)
            where chain_id = ${chainId}
              and status = 'BelowMinimum'
              and block_height <= ${upTo}
            group by org_id, account_id, token_id, minimum
           having sum(amount) >= minimum`
}

/** Of one account of `reached`, which is `r`. */
function waitsAt({ chainId, upTo }: Waiting) {
  return sql`org_id = r.org_id
              and account_id = r.account_id
              and chain_id = ${chainId}
              and token_id = r.token_id
              and status = 'BelowMinimum'
              and block_height <= ${upTo}`
}

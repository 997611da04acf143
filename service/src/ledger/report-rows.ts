import type { ChainId, TokenId } from '@sluice/wire'
import { sql } from 'kysely'
import { type Millis, iso } from '../base/clock.ts'
import type { Tx } from '../store/database.ts'
import { CLAIM } from './account.ts'
import { tokensQuery } from './rows.ts'
import type { Flows, ReportFilter, TokenMonth, TokenDay } from './report.ts'

/** Claims that the organization may use: credited, and not held for an operator. */
const CREDITED = [CLAIM.available, CLAIM.reserved, CLAIM.gas]

/**
 * Postings since a time that change the credited balance, with their sign. A posting between two
 * credited claims, or between two other accounts, changes nothing. They are read token by token,
 * through the index of the ledger's list.
 */
const crossing = ({ orgId, from, chainId, tokenId }: ReportFilter) => sql`
           select p.*
             from (${tokensQuery(orgId)}) kinds
            cross join lateral (
                  select chain_id, token_id, created_at, reference_id,
                         split_part(reason, '.', 1) as cause,
                         case when credit = any(${CREDITED}::text[]) then amount
                              else -amount end as moved
                    from postings
                   where org_id = ${orgId}
                     and chain_id = kinds.chain_id
                     and token_id = kinds.token_id
                     and created_at >= ${iso(from)}
                     and (debit = any(${CREDITED}::text[]))
                      <> (credit = any(${CREDITED}::text[]))) p
            where (${chainId ?? null}::text is null or kinds.chain_id = ${chainId ?? null})
              and (${tokenId ?? null}::text is null or kinds.token_id = ${tokenId ?? null})`

const balancesNow = ({ orgId, chainId, tokenId }: ReportFilter) => sql`
           select chain_id, token_id, sum(amount) as amount
             from balances
            where org_id = ${orgId}
              and account = any(${CREDITED}::text[])
              and (${chainId ?? null}::text is null or chain_id = ${chainId ?? null})
              and (${tokenId ?? null}::text is null or token_id = ${tokenId ?? null})
            group by chain_id, token_id`

/** Sums of `moved` by cause; every other cause is a correction. */
const flows = sql`
           coalesce(sum(moved) filter (where cause = 'deposit'), 0) as deposits,
           coalesce(sum(moved) filter (where cause = 'funding'), 0) as fundings,
           coalesce(-sum(moved) filter (where cause = 'withdrawal'), 0) as withdrawals,
           coalesce(-sum(moved) filter (where cause = 'spend'), 0) as fees,
           coalesce(sum(moved) filter (
             where cause not in ('deposit', 'funding', 'withdrawal', 'spend')), 0) as corrections`

interface FlowRow extends Flows {
  chain_id: ChainId
  token_id: TokenId
  closing: bigint
}

/**
 * The sums from `from` until `to` for each token with a balance, by chain and token. One statement,
 * so that balances and postings are of one moment.
 */
export async function selectStatement(
  tx: Tx,
  filter: ReportFilter & { to: Millis },
): Promise<TokenMonth[]> {
  const to = iso(filter.to)
  const rows = await tx.many(sql<FlowRow & { change: bigint }>`
      with crossing as (${crossing(filter)}),
           within as (
           select chain_id, token_id, sum(moved) as change, ${flows}
             from crossing
            where created_at < ${to}
            group by chain_id, token_id),
           later as (
           select chain_id, token_id, sum(moved) as change
             from crossing
            where created_at >= ${to}
            group by chain_id, token_id)
    select chain_id, token_id, now.amount - coalesce(later.change, 0) as closing,
           coalesce(within.change, 0) as change,
           coalesce(deposits, 0) as deposits, coalesce(fundings, 0) as fundings,
           coalesce(withdrawals, 0) as withdrawals, coalesce(fees, 0) as fees,
           coalesce(corrections, 0) as corrections
      from (${balancesNow(filter)}) now
      left join within
     using (chain_id, token_id)
      left join later
     using (chain_id, token_id)
     order by chain_id, token_id`)
  return rows.map(({ chain_id: chainId, token_id: tokenId, closing, change, ...sums }) => ({
    chainId,
    tokenId,
    opening: closing - change,
    ...sums,
    closing,
  }))
}

/** The sums of each UTC day with postings from `from` until `to`, by day, chain and token. */
export async function selectDays(
  tx: Tx,
  filter: ReportFilter & { to: Millis },
): Promise<TokenDay[]> {
  const rows = await tx.many(sql<
    FlowRow & Pick<TokenDay, 'day' | 'depositCount' | 'withdrawalCount'>
  >`
      with referred as (
           select chain_id, token_id, date_trunc('day', created_at at time zone 'UTC') as day,
                  cause, reference_id, sum(moved) as moved
             from (${crossing(filter)}) crossing
            group by 1, 2, 3, 4, 5),
           days as (
           select chain_id, token_id, day, sum(moved) as change, ${flows},
                  count(*) filter (where cause = 'deposit' and moved > 0) as "depositCount",
                  count(*) filter (where cause = 'withdrawal' and moved < 0) as "withdrawalCount"
             from referred
            group by chain_id, token_id, day),
           closed as (
           select days.*, now.amount - coalesce(sum(change) over (
                    partition by chain_id, token_id
                    order by day desc
                    rows between unbounded preceding and 1 preceding), 0) as closing
             from days
             join (${balancesNow(filter)}) now
            using (chain_id, token_id))
    select chain_id, token_id, to_char(day, 'YYYY-MM-DD') as day, "depositCount",
           "withdrawalCount", deposits, fundings, withdrawals, fees, corrections, closing
      from closed
     where day <= ${iso(filter.to)}::timestamptz at time zone 'UTC'
     order by closed.day, chain_id, token_id`)
  return rows.map(({ chain_id: chainId, token_id: tokenId, ...day }) => ({
    chainId,
    tokenId,
    ...day,
  }))
}

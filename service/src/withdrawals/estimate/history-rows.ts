import type { ChainId, TokenId } from '@sluice/wire'
import { type RawBuilder, sql } from 'kysely'
import { type Millis, iso } from '../../base/clock.ts'
import type { AddressEnds } from '../../chains/format-address.ts'
import type { Address } from '../../chains/port.ts'
import type { Tx } from '../../store/database.ts'

/** Newest withdrawals to a recipient that are read: a recipient may have any number. */
const RECENT_MAX = 1_000
/** Known recipients with the same beginning that are compared. */
const COMPARED_MAX = 100

/** Other withdrawals of an organization to a recipient, without failed and cancelled ones. */
export interface RecipientHistory {
  /** Whether an earlier one has the same memo, on chains where it is a part of the recipient. */
  isKnown: boolean
  /** Whether an earlier one has a memo. */
  hadMemo: boolean
  /** The newest with the same token, amount and memo within a time; null without one. */
  duplicateId: string | null
}

export interface HistoryQuery {
  orgId: string
  chainId: ChainId
  tokenId: TokenId
  amount: bigint
  recipient: Address
  memo: string | null
  /** Whether the memo is a part of the recipient. */
  hasTags: boolean
  since: Millis
  until: Millis
  /** The withdrawal that is compared with the others; null before it is created. */
  existing: { id: string; createdAt: Millis } | null
}

/** The statement reads at most the `RECENT_MAX` newest withdrawals to the recipient. */
export function historyQuery(query: HistoryQuery): RawBuilder<RecipientHistory> {
  const isSame = query.hasTags ? sql`w.memo is not distinct from ${query.memo}::text` : sql`true`
  const { existing } = query
  const isEarlier =
    existing === null
      ? sql`true`
      : sql`(w.created_at, w.id) < (${iso(existing.createdAt)}::timestamptz, ${existing.id}::uuid)`
  return sql<RecipientHistory>`
    select coalesce(bool_or(${isSame} and ${isEarlier}), false) as "isKnown",
           coalesce(bool_or(w.memo is not null and ${isEarlier}), false) as "hadMemo",
           (array_agg(w.id order by w.created_at desc, w.id desc)
             filter (where ${isSame}
                       and w.token_id = ${query.tokenId}
                       and w.amount = ${query.amount}::numeric
                       and w.created_at >= ${iso(query.since)}::timestamptz
                       and w.created_at <= ${iso(query.until)}::timestamptz))[1]
             as "duplicateId"
      from (select id, token_id, amount, memo, status, chain_id, created_at
              from withdrawals
             where org_id = ${query.orgId}
               and recipient = ${query.recipient}
             order by created_at desc, id desc
             limit ${RECENT_MAX}) w
     where w.chain_id = ${query.chainId}
       and w.id is distinct from ${existing?.id ?? null}::uuid
       and w.status not in ('Failed', 'Cancelled')`
}

/** Reads the history of a recipient. */
export function selectHistory(tx: Tx, query: HistoryQuery): Promise<RecipientHistory> {
  return tx.one(historyQuery(query))
}

/**
 * Recipients of an organization that begin and end like this, on any chain, itself included. The
 * index is entered once for each recipient with the beginning, however often it was paid; under
 * every collation such a recipient is between the prefix and the prefix followed by the letter z.
 */
export function similarQuery(query: {
  orgId: string
  ends: AddressEnds
  limit: number
}): RawBuilder<{ address: Address }> {
  const { orgId, ends, limit } = query
  const next = (after: RawBuilder<unknown>) => sql`
             select w.recipient
               from withdrawals w
              where w.org_id = ${orgId}
                and ${after}
                and w.recipient <= ${ends.prefix} || repeat('z', 80)
              order by w.recipient
              limit 1`
  return sql<{ address: Address }>`
      with recursive begun as (
        (${next(sql`w.recipient >= ${ends.prefix}`)})
        union all
        select (${next(sql`w.recipient > b.recipient`)})
          from begun b
         where b.recipient is not null
      )
    select c.recipient as address
      from (select recipient from begun limit ${COMPARED_MAX}) c
     where starts_with(c.recipient, ${ends.prefix})
       and right(c.recipient, ${ends.suffix.length}) = ${ends.suffix}
     limit ${limit}`
}

/** Reads the recipients that begin and end like an address. */
export function selectSimilarRecipients(
  tx: Tx,
  query: { orgId: string; ends: AddressEnds; limit: number },
): Promise<{ address: Address }[]> {
  return tx.many(similarQuery(query))
}

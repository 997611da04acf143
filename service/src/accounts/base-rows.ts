import type { ChainId } from '@sluice/wire'
import { sql } from 'kysely'
import { iso } from '../base/clock.ts'
import type { Address } from '../chains/port.ts'
import type { Tx } from '../store/database.ts'

/** A base account as it was noted last. */
export interface BaseRow {
  orgId: string
  chainId: ChainId
  address: Address
  /** From when on it was seen to be ready for deposits; null while it is not. */
  readyHeight: number | null
  /** Describes what is missing; "" if the account is ready. */
  missing: string
  /**
   * Base units that the account is to keep apart: what the chain asks of it, and some fees. Null
   * before the chain was asked.
   */
  keep: bigint | null
}

/** The base account of an organization on a chain. */
export function selectBase(
  tx: Tx,
  { orgId, chainId }: { orgId: string; chainId: ChainId },
): Promise<BaseRow | null> {
  return tx.maybe(sql<BaseRow>`
    select ${columns}
      from base_accounts
     where org_id = ${orgId}
       and chain_id = ${chainId}`)
}

/** All of a chain, by organization. */
export function selectBases(tx: Tx, chainId: ChainId): Promise<BaseRow[]> {
  return tx.many(sql<BaseRow>`
    select ${columns}
      from base_accounts
     where chain_id = ${chainId}
     order by org_id`)
}

/** Inserts or changes one; the height that it was ready at first never moves. */
export async function upsertBase(tx: Tx, base: BaseRow): Promise<void> {
  await tx.run(sql`
    insert into base_accounts as b (
           org_id, chain_id, address, ready_height, missing, keep, checked_at)
    values (${base.orgId}, ${base.chainId}, ${base.address}, ${base.readyHeight}::bigint,
            ${base.missing}, ${base.keep}::numeric, ${iso(tx.clock.now())}::timestamptz)
        on conflict (org_id, chain_id) do update
       set ready_height = coalesce(b.ready_height, excluded.ready_height),
           missing = excluded.missing,
           keep = coalesce(excluded.keep, b.keep),
           checked_at = excluded.checked_at`)
}

const columns = sql`
           org_id as "orgId", chain_id as "chainId", address, ready_height as "readyHeight",
           missing, keep`

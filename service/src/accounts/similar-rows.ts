import { sql } from 'kysely'
import type { AddressEnds } from '../chains/format-address.ts'
import type { Address } from '../chains/port.ts'
import type { Tx } from '../store/database.ts'

/** An address of an organization in a scope, with its purpose. */
export interface OwnSimilar {
  address: Address
  purpose: 'deposit' | 'settlement' | 'gas'
}

/**
 * Addresses of an organization in a scope that begin and end like this, itself included. The
 * primary key serves the beginning: under every collation an address that begins with the prefix
 * is between the prefix and the prefix followed by the letter z.
 */
export async function selectSimilarOwn(
  tx: Tx,
  query: { orgId: string; scope: string; ends: AddressEnds; limit: number },
): Promise<OwnSimilar[]> {
  const { orgId, scope, ends, limit } = query
  return tx.many(sql<OwnSimilar>`
    select address, purpose
      from watched_addresses
     where scope = ${scope}
       and address >= ${ends.prefix}
       and address <= ${ends.prefix} || repeat('z', 80)
       and org_id = ${orgId}
       and starts_with(address, ${ends.prefix})
       and right(address, ${ends.suffix.length}) = ${ends.suffix}
     order by address
     limit ${limit}`)
}

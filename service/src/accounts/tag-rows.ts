import type { ChainId } from '@sluice/wire'
import { sql } from 'kysely'
import type { Address } from '../chains/port.ts'
import type { Tx } from '../store/database.ts'
import { type AccountRow, type StoredAccount, fromRow } from './rows.ts'

/** The accounts of these tags of base accounts. */
export async function selectTagged(
  tx: Tx,
  chainId: ChainId,
  pairs: readonly { address: Address; tag: number }[],
): Promise<StoredAccount[]> {
  const rows = await tx.many(sql<AccountRow>`
    select a.*
      from accounts a
      join unnest(
           ${pairs.map(({ address }) => address)}::text[],
           ${pairs.map(({ tag }) => tag)}::bigint[]) as u (address, tag)
        on a.chain_id = ${chainId}
       and a.address = u.address
       and a.destination_tag = u.tag`)
  return rows.map(fromRow)
}

import type { ChainId } from '@sluice/wire'
import { sql } from 'kysely'
import type { Address } from '../chains/port.ts'
import type { Tx } from '../store/database.ts'

/** The accounts of these tags of base accounts. */
export async function selectTagged(
  tx: Tx,
  chainId: ChainId,
  pairs: readonly { address: Address; tag: number }[],
): Promise<
  { address: Address; tag: number; orgId: string; accountId: string; externalUserId: string }[]
> {
  return tx.many(sql<{
    address: Address
    tag: number
    orgId: string
    accountId: string
    externalUserId: string
  }>`
    select a.address, a.destination_tag as tag, a.org_id as "orgId", a.id as "accountId",
           a.external_user_id as "externalUserId"
      from accounts a
      join unnest(
           ${pairs.map(({ address }) => address)}::text[],
           ${pairs.map(({ tag }) => tag)}::bigint[]) as u (address, tag)
        on a.chain_id = ${chainId}
       and a.address = u.address
       and a.destination_tag = u.tag`)
}

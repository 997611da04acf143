import type { ChainId } from '@sluice/wire'
import { sql } from 'kysely'
import type { Address } from '../chains/port.ts'
import type { Tx } from '../store/database.ts'
import type { Queries } from '../store/queries.ts'

/** An issued address and the path of its key. */
export interface IssuedAddress {
  orgId: string
  id: string
  chainId: ChainId
  address: Address
  wallet: number
  index: number
}

/** Moves every wallet's next index up to a multiple of `step` that it has not reached. */
export async function skipIndexes(session: Queries, step: number): Promise<void> {
  await session.run(sql`
    update wallets
       set next_index = (next_index / ${step} + 1) * ${step}`)
}

/** Moves the number of the next wallet up to a multiple of `step` that it has not reached. */
export async function skipNumbers(session: Queries, step: number): Promise<void> {
  await session.run(sql`
    update wallet_counter
       set next_number = (next_number / ${step} + 1) * ${step}`)
}

/** Transactions that watched addresses were another server's; their numbers say nothing here. */
export async function forgetTransactions(session: Queries): Promise<void> {
  await session.run(sql`
    update watched_addresses
       set added_in = null
     where added_in is not null`)
}

/** Issued addresses in the order of their ids. */
export async function selectIssued(
  tx: Tx,
  { after, limit }: { after: string | null; limit: number },
): Promise<IssuedAddress[]> {
  return tx.many(sql<IssuedAddress>`
    select org_id as "orgId", id, chain_id as "chainId", address,
           wallet_number as wallet, path_index as index
      from accounts
     where ${after}::uuid is null
        or id > ${after}::uuid
     order by id
     limit ${limit}`)
}

import type { ChainId } from '@sluice/wire'
import { sql } from 'kysely'
import type { Tx } from '../store/database.ts'
import type { Deposit } from './deposit.ts'
import { type DepositRow, fromRow } from './rows.ts'

/** Deposits of a chain that are held with this cause, the newest first, at most `limit`. */
export async function selectHeldFor(
  tx: Tx,
  { chainId, cause, limit }: { chainId: ChainId; cause: string; limit: number },
): Promise<Deposit[]> {
  const rows = await tx.many(sql<DepositRow>`
    select *
      from deposits
     where chain_id = ${chainId}
       and status = 'Held'
       and held_cause = ${cause}
     order by id desc
     limit ${limit}`)
  return rows.map(fromRow)
}

/** Locks those that are held since they were read, as they were, in one order. */
export async function lockHeldSince(tx: Tx, deposits: readonly Deposit[]): Promise<Deposit[]> {
  const read = new Map(deposits.map((one) => [one.id, one]))
  const rows = await tx.many(sql<DepositRow>`
    select d.*
      from deposits d
      join unnest(
           ${deposits.map(({ orgId }) => orgId)}::uuid[],
           ${deposits.map(({ id }) => id)}::uuid[]) as u (org_id, id)
     using (org_id, id)
     where d.status = 'Held'
     order by d.id
       for update of d`)
  return rows.map(fromRow).filter((now) => {
    const then = read.get(now.id)
    return (
      then?.heldCause === now.heldCause &&
      then.block.hash === now.block.hash &&
      then.updatedAt === now.updatedAt
    )
  })
}

import { sql } from 'kysely'
import { iso } from '../../base/clock.ts'
import type { Tx } from '../../store/database.ts'
import type { SenderKey } from '../core/sender-rows.ts'
import type { Sender } from '../core/sender.ts'

/** Valid unused tickets of a sender, lowest first. */
export async function selectFreeTickets(
  tx: Tx,
  { chainId, address }: SenderKey,
): Promise<number[]> {
  const rows = await tx.many(sql<{ number: number }>`
    select t.number
      from tickets t
     where t.chain_id = ${chainId}
       and t.address = ${address}
       and t.standing
       and not exists (
             select
               from spends s
              where s.chain_id = t.chain_id
                and s.sender = t.address
                and s.nonce = t.number)
     order by t.number`)
  return rows.map(({ number }) => number)
}

/** Inserts tickets, or makes them valid again. */
export async function upsertTickets(
  tx: Tx,
  {
    sender,
    numbers,
  }: { sender: Pick<Sender, 'chainId' | 'address' | 'orgId'>; numbers: readonly number[] },
): Promise<void> {
  const now = iso(tx.clock.now())
  await tx.run(sql`
    insert into tickets (chain_id, address, number, org_id, standing, created_at, updated_at)
    select ${sender.chainId}, ${sender.address}, u.number, ${sender.orgId}, true,
           ${now}::timestamptz, ${now}::timestamptz
      from unnest(${numbers}::bigint[]) as u (number)
        on conflict (chain_id, address, number) do update
       set standing = true,
           updated_at = excluded.updated_at`)
}

/** Makes tickets invalid. */
export async function dropTickets(
  tx: Tx,
  { chainId, address, numbers }: SenderKey & { numbers: readonly number[] },
): Promise<void> {
  await tx.run(sql`
    update tickets
       set standing = false,
           updated_at = ${iso(tx.clock.now())}::timestamptz
     where chain_id = ${chainId}
       and address = ${address}
       and number = any(${numbers}::bigint[])
       and standing`)
}

import { sql } from 'kysely'
import { withSession } from '../../../src/store/connection.ts'
import { theWorld } from './given.ts'
import { CHAIN, type Tenant } from './state.ts'

/** How many rows an organization has, by table: in every table that knows organizations. */
export function countRows({ id }: Tenant): Promise<Record<string, number>> {
  return withSession(theWorld().databaseUrls.owner, async (session) => {
    // The owner is bound by row security as everybody is: it enters as the organization.
    await session.script(`set sluice.org_id = '${id}'`)
    const tables = await session.many(sql<{ name: string }>`
      select c.relname::text as name
        from pg_class c
        join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id' and not a.attisdropped
       where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace
       order by 1`)
    const counts: Record<string, number> = {}
    for (const { name } of tables) {
      const { rows } = await session.one(
        sql<{ rows: number }>`
          select count(*)::int as rows from ${sql.table(name)} where org_id = ${id}`,
      )
      counts[name] = rows
    }
    return counts
  })
}

/** Moves the end of an organization's open invitations into the past. */
export function expireInvitations({ id }: Tenant): Promise<void> {
  return withSession(theWorld().databaseUrls.owner, async (session) => {
    await session.script(`
      set sluice.org_id = '${id}';
      update invitations
         set expires_at = created_at
       where ended_at is null`)
  })
}

/** The id of one of the deposits of `insertDeposits`, by its number from 1. */
export function depositId(number: number): string {
  return `01990000-0000-7000-9000-${number.toString(16).padStart(12, '0')}`
}

/**
 * Inserts deposits to the accounts of an organization in the order of their end users, one after
 * the other, each of as many base units as its number. Their blocks left the chain, so that they
 * have no postings.
 */
export function insertDeposits(
  { id }: Tenant,
  { tokenId, count }: { tokenId: string; count: number },
): Promise<void> {
  return withSession(theWorld().databaseUrls.owner, async (session) => {
    await session.script(`set sluice.org_id = '${id}'`)
    await session.run(sql`
      with owners as (
           select *,
                  row_number() over (order by external_user_id collate "C") - 1 as place,
                  count(*) over () as owners
             from accounts
            where org_id = ${id}
              and chain_id = ${CHAIN})
      insert into incoming_transfers (
             org_id, id, purpose, place, chain_id, txn_hash, position, account_id, token_id,
             account_chain_id, external_user_id, address, amount, net_movement, status, booked,
             block_height, block_hash, created_at, updated_at)
      select org_id, ('01990000-0000-7000-9000-' || lpad(to_hex(n), 12, '0'))::uuid, 'deposit',
             'deposits', chain_id, '0x' || lpad(to_hex(n), 64, '0'), 'tx', owners.id, ${tokenId},
             chain_id, external_user_id, address, n, 0, 'Orphaned', 'none', 1,
             '0x' || repeat('0', 64), now() - (${count}::int - n) * interval '5 minutes', now()
        from generate_series(1, ${count}::int) n
        join owners on n % owners = owners.place`)
  })
}

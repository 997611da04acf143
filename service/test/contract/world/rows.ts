import { sql } from 'kysely'
import { withSession } from '../../../src/store/connection.ts'
import { theWorld } from './given.ts'
import type { Tenant } from './state.ts'

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

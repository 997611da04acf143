import { sql } from 'kysely'
import type { Tx } from '../../../src/store/database.ts'
import type { SimWorld } from '../world.ts'

/** I18: a query for one organization sees no row of another; I1: balances equal their postings. */
export async function checkTenants(world: SimWorld): Promise<string[]> {
  const wrongs: string[] = []
  const { database, stage } = world
  const { tenantTables } = stage
  for (const { orgId } of stage.tenants) {
    const seen = await database.forOrg(orgId, (tx) => countOthers(tx, tenantTables, orgId))
    wrongs.push(...seen.map((line) => `I18: ${line} of another organization are seen`))
  }
  const seen = await database.asApi((tx) => countOthers(tx, tenantTables, null))
  wrongs.push(...seen.map((line) => `I18: ${line} are seen for no organization`))
  const drift = await world.looker.rows(DRIFT)
  for (const one of drift) wrongs.push(`I1: a balance is not its postings: ${JSON.stringify(one)}`)
  return wrongs
}

/** Counts the tables that show rows of other organizations; of any, without an organization. */
async function countOthers(
  tx: Tx,
  tables: readonly string[],
  orgId: string | null,
): Promise<string[]> {
  const isOther = orgId === null ? 'true' : `org_id <> '${orgId}'`
  const counts = tables.map(
    (name) => `select '${name}' as name, count(*)::int as n from ${name} where ${isOther}`,
  )
  const rows = await tx.many(
    sql<{ name: string; n: number }>`${sql.raw(counts.join(' union all '))}`,
  )
  return rows.flatMap(({ name, n }) => (n === 0 ? [] : [`${n} rows of ${name}`]))
}

const DRIFT = `
  with moved as (
    select org_id, chain_id, token_id, debit as account,
           case when debit like 'place:%' then amount else -amount end as amount from postings
    union all
    select org_id, chain_id, token_id, credit,
           case when credit like 'place:%' then -amount else amount end from postings)
  select b.org_id, b.token_id, b.account, b.amount::text, s.amount::text as sum
    from balances b
    full join (select org_id, chain_id, token_id, account, sum(amount) as amount
                 from moved group by 1, 2, 3, 4) s
         using (org_id, chain_id, token_id, account)
   where b.amount is distinct from s.amount`

import { sql } from 'kysely'
import type { SimWorld } from '../world.ts'

const TABLES = ['deposits', 'withdrawals', 'events', 'balances', 'accounts', 'spends', 'postings']

/** I18: who asks for one organization sees no row of another; I1: balances are their postings. */
export async function checkTenants(world: SimWorld): Promise<string[]> {
  const wrongs: string[] = []
  const { orgId } = world.stage.tenants[1]
  const seen = TABLES.map((table) => `(select count(*) from ${table} where org_id <> '${orgId}')`)
  const row = await world.database.forOrg(orgId, (tx) =>
    tx.one(sql<{ n: number }>`select ${sql.raw(seen.join(' + '))} as n`),
  )
  if (row.n !== 0) wrongs.push(`I18: ${row.n} rows of another organization are seen`)
  const drift = await world.looker.rows(DRIFT)
  for (const one of drift) wrongs.push(`I1: a balance is not its postings: ${JSON.stringify(one)}`)
  return wrongs
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

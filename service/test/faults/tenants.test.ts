import { sql } from 'kysely'
import { DatabaseError } from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Session } from '../../src/store/connection.ts'
import { openTenants, type Tenants } from './tenants.ts'

const NOT_ALLOWED = '42501'

/** Queries over several tables, each of which would reveal other tenants' rows without policies. */
const JOINS: readonly string[] = [
  'select * from incoming_transfers d join accounts a on a.id = d.account_id',
  'select * from incoming_transfers d left join postings p on p.reference_id = d.id',
  'select * from events e natural left join deliveries d',
  'select * from organizations o, users u, api_keys k where u.id = k.user_id',
  'select * from accounts a full join watched_addresses w on w.address = a.address',
  'select * from balances b cross join lateral (select * from postings p limit 100) p',
  'with everything as (select * from incoming_transfers) select * from everything',
  'with recursive r as (select id from organizations union select org_id from users) table r',
  'select row_to_json(d) from incoming_transfers d',
  'select json_agg(e.*) from events e',
  'select array_agg(org_id) from wallets',
  'select (select string_agg(body, chr(10)) from events)',
  'select org_id, count(*) over () from postings',
  'select * from incoming_transfers union all select * from incoming_transfers',
  "select * from incoming_transfers where org_id <> current_setting('sluice.org_id')::uuid",
  'select * from incoming_transfers where true or org_id is null',
  'select * from incoming_transfers d where exists (select from accounts where org_id <> d.org_id)',
  'table incoming_transfers',
  'select * from only events',
  'select * from events tablesample system (100)',
  'select d.ctid, d.xmin, d.* from incoming_transfers d for key share',
  'explain (analyze, verbose) select * from incoming_transfers',
]

/** Statements that would raise the API's login above its rights. */
const ESCALATIONS: readonly string[] = [
  'set role sluice_engine',
  'set role sluice_owner',
  'set local role sluice_engine',
  'set session authorization sluice_engine',
  'set session authorization default; set role sluice_owner',
  'reset role; set role sluice_engine',
  'reset session authorization; set role sluice_engine',
  'grant sluice_engine to current_user',
  'grant sluice_owner to sluice_api',
  'alter role current_user superuser',
  'alter role sluice_api bypassrls',
  'create role another superuser',
  'alter table incoming_transfers disable row level security',
  'alter table incoming_transfers no force row level security',
  'alter table incoming_transfers owner to current_user',
  'drop policy own_org on incoming_transfers',
  'create policy all_of_them on incoming_transfers using (true)',
  'alter function current_org() rename to nobody',
  'create or replace function current_org() returns uuid language sql as $$ select null::uuid $$',
  'truncate incoming_transfers',
  'drop table incoming_transfers',
  'lock table incoming_transfers in access exclusive mode',
  "copy incoming_transfers to program 'cat'",
  "copy (select 1) to '/tmp/out'",
  "select pg_read_file('/etc/passwd')",
  "select pg_ls_dir('.')",
  "select lo_import('/etc/passwd')",
  'select pg_terminate_backend(pid) from pg_stat_activity where usename <> current_user',
  'create table public.mine (a int)',
  'create function public.mine() returns int language sql as $$ select 1 $$',
  'create trigger spy before insert on accounts execute function refuse_change()',
  'select last_value from postings_id_seq',
  'insert into balances select * from balances',
  'update chain_states set tip_height = 0',
  'delete from events',
  'delete from audit_log',
  'select from audit_seals',
  'delete from audit_seals',
  "insert into audit_seals values (1, 1, sha256(''))",
  'select from unsealed_entries',
  'delete from unsealed_entries',
]

let tenants: Tenants
beforeAll(async () => {
  tenants = await openTenants()
  return () => tenants.close()
})

describe('the role of the API', () => {
  test('the API role sees no row of another organization with any query [S09]', async () => {
    const { tables } = tenants
    expect(tables.length).toBeGreaterThan(15)
    const queries = [...tables.map(({ name }) => `select * from ${name}`), ...JOINS]
    for (const query of queries) {
      const said = await asOurs((session) => answerTo(session, query))
      expect([query, tenants.marks.filter((mark) => said.includes(mark))]).toEqual([query, []])
    }
    const own = await asOurs((session) => answerTo(session, 'select * from incoming_transfers'))
    expect(own).toContain(tenants.ours)
  })

  test('the API role sees no row without an existing organization [S09]', async () => {
    for (const orgId of ['', '019b76da-0000-7000-8000-000000000000']) {
      for (const { name } of tenants.tables) {
        const said = await enterAs(orgId, (session) => answerTo(session, `select * from ${name}`))
        expect([name, said]).toEqual([name, expect.stringMatching(/^(\[\]|refused .*)$/)])
      }
    }
  })

  test('the API role cannot write or give rows to another organization [S09]', async () => {
    const { ours, theirs, tables } = tenants
    for (const { name, column } of tables) {
      const change = `update ${name} set ${column} = ${column} where ${column} = '${theirs}'`
      expect(await changedBy(change)).toBe(0)
      expect(await changedBy(`delete from ${name} where ${column} = '${theirs}'`)).toBe(0)
      const gift = `update ${name} set ${column} = '${theirs}' where ${column} = '${ours}'`
      expect([name, await changedBy(gift)]).toEqual([name, 0])
      const forged = `
        insert into ${name} overriding system value
        select r.*
          from ${name} t,
               jsonb_populate_record(null::${name}, to_jsonb(t) || '{"${column}": "${theirs}"}') r`
      expect([name, await changedBy(forged)]).toEqual([name, 0])
    }
  })

  test('no cheap function of the API role sees rows before the policy [S09]', async () => {
    const spy = `create function pg_temp.spy(text) returns boolean language plpgsql cost 0.000001
      as $$ begin
        if $1 like '%${tenants.theirs}%' then raise exception 'leaked'; end if;
        return true;
      end $$`
    for (const { name } of tenants.tables) {
      const query = `select count(*) from ${name} t where pg_temp.spy(t::text)`
      const said = await asOurs(async (session) => {
        await session.script(spy)
        return answerTo(session, query)
      })
      expect([name, said]).not.toEqual([name, expect.stringContaining('leaked')])
    }
  })

  test('turning row security off gives the API role no access [S09]', async () => {
    for (const { name } of tenants.tables) {
      const said = await asOurs(async (session) => {
        await session.script('set local row_security = off')
        return answerTo(session, `select * from ${name}`)
      })
      expect([name, said]).toEqual([name, expect.stringMatching(/^refused 42501 /)])
    }
  })

  test('the API role reads no data of others in planner statistics [S09]', async () => {
    const said = await asOurs((session) =>
      answerTo(session, "select * from pg_stats where schemaname = 'public'"),
    )
    expect(tenants.marks.filter((mark) => said.includes(mark))).toEqual([])
  })

  test.each(ESCALATIONS)('the API role is refused: %s [S09]', async (statement) => {
    const said = await tenants.enter(async (session) => {
      await session.script('begin')
      return answerTo(session, statement)
    })
    expect(said).toMatch(/^refused 42501 /)
  })

  test('the API role may call few functions with the rights of another [S09]', async () => {
    const rows = await tenants.enter((session) =>
      session.many(sql<{ name: string }>`
        select p.proname::text as name
          from pg_proc p
         where p.pronamespace = 'public'::regnamespace
           and p.prosecdef
           and has_function_privilege(p.oid, 'execute')
         order by 1`),
    )
    // The second is the ledger's trigger, which cannot be called directly.
    expect(rows.map(({ name }) => name)).toEqual([
      'api_key_owner',
      'apply_postings',
      'invitation_of_hash',
      'is_chain_disputed',
      'is_platform_address',
      'user_of_name',
    ])
    const calling = asOurs((session) => answerTo(session, 'select apply_postings()'))
    expect(await calling).toContain('trigger functions can only be called as triggers')
  })

  test('the API role finds the owner of an API key only by its hash [S09]', async () => {
    const unknown = `select * from api_key_owner(decode('${'00'.repeat(32)}', 'hex'))`
    expect(await asOurs((session) => answerTo(session, unknown))).toBe('[]')
    const all = 'select o.* from api_keys k, api_key_owner(k.hash) o'
    const said = await asOurs((session) => answerTo(session, all))
    expect(said).toContain(tenants.ours)
    expect(said).not.toContain(tenants.theirs)
  })

  test('every table of the API role has a policy or no organization [S09]', async () => {
    const open = await tenants.enter((session) =>
      session.many(sql<{ name: string }>`
        select c.relname::text as name
          from pg_class c
         where c.relnamespace = 'public'::regnamespace
           and c.relkind in ('r', 'p', 'v', 'm', 'f')
           and has_any_column_privilege(c.oid, 'select, insert, update')
           and not (c.relrowsecurity and c.relforcerowsecurity)
         order by 1`),
    )
    expect(open.map(({ name }) => name)).toEqual([
      'chain_nodes',
      'chain_states',
      'guesses',
      'request_counts',
      'schema_migrations',
      'superseded',
      'token_checks',
      'wallet_counter',
    ])
  })
})

/** As the program connects: the role set, one organization named, and all changes rolled back. */
function asOurs<T>(work: (session: Session) => Promise<T>): Promise<T> {
  return enterAs(tenants.ours, work)
}

function enterAs<T>(orgId: string, work: (session: Session) => Promise<T>): Promise<T> {
  return tenants.enter(async (session) => {
    await session.script(`
      begin;
      set local role sluice_api;
      select set_config('sluice.org_id', '${orgId}', true)`)
    return work(session)
  })
}

/** All rows as text, or the error. */
async function answerTo(session: Session, query: string): Promise<string> {
  try {
    return JSON.stringify(await session.many(sql.raw(query)), (_key, value: unknown) =>
      typeof value === 'bigint' ? `${value}` : value,
    )
  } catch (error) {
    const code = error instanceof DatabaseError ? error.code : 'unknown'
    return `refused ${code} ${String(error)}`
  }
}

/**
 * The number of rows that a statement changes; 0 if it is not permitted. No other error is
 * accepted.
 */
function changedBy(statement: string): Promise<number> {
  return asOurs(async (session) => {
    try {
      return await session.run(sql.raw(statement))
    } catch (error) {
      if (error instanceof DatabaseError && error.code === NOT_ALLOWED) return 0
      throw error
    }
  })
}

import { sql } from 'kysely'
import { withSession } from '../../src/store/connection.ts'

/** The tables that the steps of the service write to. */
export const WRITTEN_TABLES = [
  'chain_states',
  'blocks',
  'incoming_transfers',
  'postings',
  'balances',
  'event_counters',
  'events',
  'deliveries',
  'delivery_attempts',
  'leases',
  'alerts',
] as const

/** A database fault: an error of this SQLSTATE, or the loss of the connection. */
export type DatabaseFault = { code: string } | 'connection lost'

/** Common faults of a database, and their names. */
export const DATABASE_FAULTS: readonly [string, DatabaseFault][] = [
  ['serialization failures', { code: '40001' }],
  ['deadlocks', { code: '40P01' }],
  ['a full disk', { code: '53100' }],
  ['no room for connections', { code: '53300' }],
  ['a read-only server', { code: '25006' }],
  ['lost connections', 'connection lost'],
]

/**
 * Makes one in n writes fail, drawn from a seed and the number of the write; a repeated step draws
 * again.
 */
export async function breakWrites(
  ownerUrl: string,
  options: { fault: DatabaseFault; oneIn: number; seed: string; tables?: readonly string[] },
): Promise<void> {
  const { fault, oneIn, seed, tables = WRITTEN_TABLES } = options
  await withSession(ownerUrl, async (session) => {
    await session.script(`
      create sequence fault_turns;
      create sequence fault_hits;
      grant usage on sequence fault_turns, fault_hits to public;
      create function break_write() returns trigger
        language plpgsql
        as $$
        declare
          drawn text := md5('${seed}' || nextval('fault_turns'));
        begin
          if ('x' || substr(drawn, 1, 7))::bit(28)::int % ${oneIn} = 0 then
            perform nextval('fault_hits');
            ${actionOf(fault)};
          end if;
          return null;
        end $$;`)
    for (const table of tables) {
      // Balances are written with the owner's rights, which cannot end a connection.
      if (table === 'balances' && fault === 'connection lost') continue
      await session.script(`
        create trigger break_write before insert or update or delete on ${table}
          for each statement execute function break_write()`)
    }
  })
}

/** Makes one in n commits fail that wrote to this table, after all its statements succeeded. */
export async function breakCommits(
  ownerUrl: string,
  options: { code: string; oneIn: number; seed: string; table: string },
): Promise<void> {
  const { code, oneIn, seed, table } = options
  await breakWrites(ownerUrl, { fault: { code }, oneIn, seed, tables: [] })
  await withSession(ownerUrl, (session) =>
    session.script(`
      create constraint trigger break_commit after insert or update on ${table}
        deferrable initially deferred
        for each row execute function break_write()`),
  )
}

/** Removes the faults. Returns the number of failed writes. */
export async function mendWrites(ownerUrl: string): Promise<number> {
  return withSession(ownerUrl, async (session) => {
    const [hits] = await session.many(sql<{ last: bigint; called: boolean }>`
      select last_value as last, is_called as called
        from fault_hits`)
    await session.script(`
      drop function break_write cascade;
      drop sequence fault_turns, fault_hits`)
    return hits?.called === true ? Number(hits.last) : 0
  })
}

function actionOf(fault: DatabaseFault): string {
  if (fault === 'connection lost') return 'perform pg_terminate_backend(pg_backend_pid())'
  return `raise exception 'injected' using errcode = '${fault.code}'`
}

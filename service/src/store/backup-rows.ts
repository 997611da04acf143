import { sql } from 'kysely'
import { Refusal } from '../base/fault.ts'
import type { Queries } from './queries.ts'

export interface BackedUpTable {
  name: string
  /** Stored columns, without generated ones. */
  columns: readonly string[]
  /** Identity columns, whose sequences must continue after the restored rows. */
  counted: readonly string[]
}

/**
 * Every table except the migrations and the leases, each after the tables that it references by
 * foreign keys or by the triggers that replace them (docs/decisions/0023).
 */
export async function selectTables(session: Queries): Promise<BackedUpTable[]> {
  const tables = await session.many(sql<BackedUpTable>`
    select c.relname::text as name,
           array_agg(a.attname::text order by a.attnum)
             filter (where a.attgenerated = '') as columns,
           coalesce(array_agg(a.attname::text order by a.attnum)
             filter (where a.attidentity <> ''), '{}') as counted
      from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace
       and c.relkind = 'r'
       and c.relname not in ('schema_migrations', 'leases')
     group by c.relname
     order by c.relname`)
  const references = await session.many(sql<Reference>`
    select distinct t.relname::text as table, o.relname::text as needs
      from pg_constraint k
      join pg_class t on t.oid = k.conrelid
      join pg_class o on o.oid = k.confrelid
     where k.contype = 'f'
       and k.connamespace = 'public'::regnamespace
       and k.conrelid <> k.confrelid
     union
    select t.relname::text, substr(p.proname::text, length('demand_') + 1)
      from pg_trigger g
      join pg_class t on t.oid = g.tgrelid
      join pg_proc p on p.oid = g.tgfoid
     where p.pronamespace = 'public'::regnamespace
       and starts_with(p.proname::text, 'demand_')
     order by 1, 2`)
  return inOrder(tables, references)
}

interface Reference {
  table: string
  needs: string
}

function inOrder(
  tables: readonly BackedUpTable[],
  references: readonly Reference[],
): BackedUpTable[] {
  const placed = new Map<string, BackedUpTable>()
  const place = (table: BackedUpTable) => {
    if (placed.has(table.name)) return
    for (const { needs } of references.filter((one) => one.table === table.name)) {
      const needed = tables.find((one) => one.name === needs)
      if (needed !== undefined) place(needed)
    }
    placed.set(table.name, table)
  }
  tables.forEach(place)
  return [...placed.values()]
}

/** Opens the reading of a table; its rows then come from `fetchRows`. */
export async function openRows(session: Queries, { name }: BackedUpTable): Promise<void> {
  await session.run(sql`
    declare backup_rows no scroll cursor for
     select to_jsonb(t)::text as line
       from ${sql.id('public', name)} t`)
}

/** The next rows of the table that is open, each the text of one JSON object; none at its end. */
export async function fetchRows(session: Queries, count: number): Promise<string[]> {
  const rows = await session.many(sql<{ line: string }>`
    fetch forward ${sql.lit(count)} from backup_rows`)
  return rows.map(({ line }) => line)
}

export async function closeRows(session: Queries): Promise<void> {
  await session.run(sql`close backup_rows`)
}

/** Puts rows back as they were, numbers that counted themselves included. */
export async function insertRows(
  session: Queries,
  { name, columns }: BackedUpTable,
  lines: readonly string[],
): Promise<number> {
  const table = sql.id('public', name)
  const names = sql.join(columns.map((column) => sql.id(column)))
  return session.run(sql`
    insert into ${table} (${names})
    overriding system value
    select ${names}
      from jsonb_populate_recordset(null::${table}, ${`[${lines.join(',')}]`}::jsonb)`)
}

/** Empties a table of its seed rows and disables its triggers until `finishTable`. */
export async function prepareTable(session: Queries, { name }: BackedUpTable): Promise<void> {
  await session.run(sql`alter table ${sql.id('public', name)} disable trigger user`)
  await session.run(sql`delete from ${sql.id('public', name)}`)
}

/**
 * Checks deferred constraints now, because a table with pending checks cannot be altered, and the
 * references that triggers check. Refuses rows without their parent rows.
 */
export async function checkReferences(session: Queries): Promise<void> {
  await session.run(sql`set constraints all immediate`)
  // A schema without triggers for references has no such function.
  const { isThere } = await session.one(sql<{ isThere: boolean }>`
    select to_regprocedure('public.find_orphans()') is not null as "isThere"`)
  if (!isThere) return
  const found = await session.many(sql<{ kind: string; orphans: number }>`
    select kind, orphans
      from find_orphans()
     where orphans > 0`)
  const [first] = found
  if (first === undefined) return
  const says = `The backup has ${first.orphans} rows of ${first.kind} without their parent rows.`
  throw new Refusal('BAD_REQUEST', {}, says)
}

/** Enables the triggers again and continues the sequences after the restored rows. */
export async function finishTable(session: Queries, table: BackedUpTable): Promise<void> {
  const id = sql.id('public', table.name)
  for (const column of table.counted) {
    await session.one(sql`
      select setval(
               pg_get_serial_sequence(${`public.${table.name}`}, ${column}),
               greatest(max(${sql.id(column)}), 1),
               max(${sql.id(column)}) is not null)
        from ${id}`)
  }
  await session.run(sql`alter table ${id} enable trigger user`)
}

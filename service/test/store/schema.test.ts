import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { migrate } from '../../src/store/migrate.ts'
import { readSchema } from '../../src/store/schema.ts'
import { silentLog } from '../support/clock.ts'
import { makeEmptyDatabase } from '../support/database.ts'
import { writeMigrations } from './tiny.ts'

const MIGRATIONS = new URL('../../migrations/', import.meta.url)

async function schemaOf(folder: URL | string): Promise<string> {
  const empty = await makeEmptyDatabase()
  try {
    await migrate({ ownerUrl: empty.urls.owner, folder, log: silentLog() })
    return await readSchema(empty.urls.owner)
  } finally {
    await empty.drop()
  }
}

test('schema.sql equals the schema of the migrations [O06]', async () => {
  const kept = await readFile(new URL('schema.sql', MIGRATIONS), 'utf8').catch(() => '')
  const made = await schemaOf(MIGRATIONS)
  expect(made, 'schema.sql differs: run `node tools/dump-schema.mjs`').toBe(kept)
})

const WHOLE = `
  create type mood as enum ('sour', 'sweet');
  create table jars (
    id int generated always as identity primary key,
    owner_id uuid not null,
    mood mood default 'sweet',
    weight numeric(78,0) not null check (weight > 0),
    double numeric generated always as (weight * 2) stored
  ) with (fillfactor = 70);
  create table lids (jar_id int references jars (id), size int, unique nulls not distinct (size));
  create unique index jars_sweet on jars (owner_id) where mood = 'sweet';
  create view heavy as select id from jars where weight > 100;
  create function refuse() returns trigger language plpgsql as $$ begin return null; end $$;
  create trigger jars_kept before delete on jars for each row execute function refuse();
  alter table jars enable row level security, force row level security;
  create policy own on jars for select to sluice_api using (owner_id is not null);
  grant select on jars to sluice_engine, sluice_api;
  grant update (mood) on jars to sluice_api;
  grant usage on sequence jars_id_seq to sluice_engine;
  revoke all on function refuse() from public;
`

test('the text of a schema has every kind of object that is used here', async () => {
  const migrations = await writeMigrations({ '0001-whole.sql': WHOLE })
  const text = await schemaOf(migrations.folder)
  await migrations.remove()
  for (const line of [
    `create type mood as enum ('sour', 'sweet');`,
    '  id integer not null generated always as identity,',
    `  mood mood default 'sweet'::mood,`,
    '  double numeric generated always as ((weight * (2)::numeric)),',
    '  constraint jars_pkey PRIMARY KEY (id),',
    '  constraint jars_weight_check CHECK ((weight > (0)::numeric))',
    'alter table jars set (fillfactor=70);',
    `CREATE UNIQUE INDEX jars_sweet ON public.jars USING btree (owner_id)` +
      ` WHERE (mood = 'sweet'::mood);`,
    'CREATE TRIGGER jars_kept BEFORE DELETE ON public.jars FOR EACH ROW EXECUTE FUNCTION refuse();',
    'alter table jars enable row level security, force row level security;',
    'create policy own on jars for select to sluice_api using ((owner_id IS NOT NULL));',
    'grant select on table jars to sluice_api;',
    'grant select on table jars to sluice_engine;',
    'grant update (mood) on table jars to sluice_api;',
    'grant usage on sequence jars_id_seq to sluice_engine;',
    '  constraint lids_size_key UNIQUE NULLS NOT DISTINCT (size),',
    '  constraint lids_jar_id_fkey FOREIGN KEY (jar_id) REFERENCES jars(id)',
    'create view heavy as',
  ])
    expect(text.split('\n')).toContain(line)
  expect(text).not.toContain('grant execute on function refuse() to public')
})

test('two databases with the same schema have the same text', async () => {
  const straight = await writeMigrations({
    '0001-a.sql': 'create table a (x int); create table b (y int);',
  })
  const detour = await writeMigrations({
    '0001-b.sql': 'create table b (z int, y int); alter table b drop column z;',
    '0002-a.sql': 'create table a (x int);',
  })
  expect(await schemaOf(straight.folder)).toBe(await schemaOf(detour.folder))
  await straight.remove()
  await detour.remove()
})

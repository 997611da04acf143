import { readdir, readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { withSession } from '../../src/store/connection.ts'
import { migrate } from '../../src/store/migrate.ts'
import { silentLog } from '../support/clock.ts'
import { makeEmptyDatabase } from '../support/database.ts'
import { writeMigrations } from './tiny.ts'

const MIGRATIONS = new URL('../../migrations/', import.meta.url)
const BITCOIN = 'bip122:000000000019d6689c085ae165831e93'
const ORG = '01990000-0000-7000-8000-000000000001'
const ACCOUNT = '01990000-0000-7000-8000-000000000002'

/** An installation that has taken deposits, as the version before had them. */
const OLD = `
  insert into organizations (id, name, created_at, updated_at)
  values ('${ORG}', 'First', now(), now());
  insert into accounts (
         org_id, id, chain_id, external_user_id, address, wallet_number, path_index, created_at,
         updated_at)
  values ('${ORG}', '${ACCOUNT}', '${BITCOIN}', 'ann', 'bc1qann', 0, 0, now(), now());
  insert into deposits (
         org_id, id, chain_id, txn_hash, position, account_id, token_id, account_chain_id,
         external_user_id, address, sender_address, amount, net_movement, block_height,
         block_hash, status, booked, created_at, updated_at)
  select '${ORG}', gen_random_uuid(), chain, 'tx' || at, place, '${ACCOUNT}',
         chain || '/slip44:0', chain, 'ann', 'bc1qann', '', 100 + at, 100 + at, 40 + at,
         'block' || at, status, 'unconfirmed', now(), now()
    from (values (1, '${BITCOIN}', 'out:0', 'Confirmed'),
                 (2, '${BITCOIN}', 'out:12', 'Detected'),
                 (3, '${BITCOIN}', 'out:1', 'Held'),
                 (4, '${BITCOIN}', 'out:1', 'BelowMinimum'),
                 (5, '${BITCOIN}', 'out:1', 'Orphaned'),
                 (6, 'eip155:1', 'log:3', 'Confirmed')) as d (at, chain, place, status);
  insert into fundings (
         org_id, id, chain_id, txn_hash, position, token_id, address, purpose, place, amount,
         net_movement, status, booked, block_height, block_hash, created_at, updated_at)
  select '${ORG}', gen_random_uuid(), chain, 'fund' || at, 'out:' || at, chain || '/slip44:0',
         'bc1qhouse', 'settlement', 'settlement', 200 + at, 200 + at, status, 'unconfirmed', 50,
         'block', now(), now()
    from (values (1, '${BITCOIN}', 'Confirmed'),
                 (2, '${BITCOIN}', 'Detected'),
                 (3, '${BITCOIN}', 'Orphaned'),
                 (4, 'eip155:1', 'Confirmed')) as f (at, chain, status);`

test('O06 what an installation had taken in before is coins, exactly', async () => {
  const files = (await readdir(MIGRATIONS)).filter((name) => /^\d{4}-/.test(name)).toSorted()
  const texts = await Promise.all(
    files.map(async (name) => [name, await readFile(new URL(name, MIGRATIONS), 'utf8')] as const),
  )
  const before = texts.filter(([name]) => name < '0011')
  const migrations = await writeMigrations(Object.fromEntries(before))
  onTestFinished(() => migrations.remove())
  const empty = await makeEmptyDatabase()
  onTestFinished(() => empty.drop())
  const ownerUrl = empty.urls.owner
  const given = { ownerUrl, folder: migrations.folder, log: silentLog() }
  await migrate(given)
  await withSession(empty.adminUrl, (session) => session.script(OLD))
  await migrations.add(Object.fromEntries(texts.filter(([name]) => name >= '0011')))
  await migrate(given)
  const rows = await withSession(empty.adminUrl, (session) =>
    session.many(sql`
      select txn_hash, vout, address, amount::text, place, block_height::int, block_hash, spendable,
             spend_id, spent_height
        from coins
       order by txn_hash`),
  )
  const free = { spend_id: null, spent_height: null }
  const house = { address: 'bc1qhouse', place: 'settlement', block_height: 50, ...free }
  const deposit = (at: number, vout: number, spendable: boolean) => ({
    txn_hash: `tx${at}`,
    vout,
    address: 'bc1qann',
    amount: `${100 + at}`,
    place: 'deposits',
    block_height: 40 + at,
    block_hash: `block${at}`,
    spendable,
    ...free,
  })
  expect(rows).toEqual([
    { ...house, txn_hash: 'fund1', vout: 1, amount: '201', block_hash: 'block', spendable: true },
    { ...house, txn_hash: 'fund2', vout: 2, amount: '202', block_hash: 'block', spendable: false },
    deposit(1, 0, true),
    deposit(2, 12, false),
    deposit(3, 1, false),
    deposit(4, 1, false),
  ])
})

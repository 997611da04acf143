import { startEvmNode } from '@sluice/simulator'
import { sql } from 'kysely'
import type { Session } from '../../src/store/connection.ts'
import { withSession } from '../../src/store/connection.ts'
import { openWorld } from '../support/world.ts'
import { REQUIRED, SEPOLIA } from '../support/world-life.ts'

const LOGIN = 'sluice_door'
const PASSWORD = 'door'

/** Two organizations with a row in every table that has an organization. */
export interface Tenants {
  ours: string
  theirs: string
  /** Every id, address and hash that identifies their data. */
  marks: readonly string[]
  /** Tables with a column that names an organization. */
  tables: readonly TenantTable[]
  /** A connection with only the rights of the API's role, outside any transaction. */
  enter<T>(work: (session: Session) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export interface TenantTable {
  name: string
  /** The column that names the organization. */
  column: string
}

export async function openTenants(): Promise<Tenants> {
  const node = await startEvmNode({ chainId: 11_155_111, seed: 'tenants' })
  const world = await openWorld({ seed: 'tenants', chains: [{ id: SEPOLIA, nodes: [node.url] }] })
  await world.settle()
  const ours = world.orgId
  const theirs = await world.found('Theirs')
  for (const orgId of [ours, theirs]) {
    const { address } = await world.issue('shared', SEPOLIA, orgId)
    node.chain.pay({ to: address, amount: 7n })
  }
  node.chain.mine(1 + REQUIRED)
  await world.settle()
  const { owner, engine } = world.urls
  const tables = await withSession(owner, readTables)
  await withSession(engine, (session) => fillTheRest(session, [ours, theirs]))
  const url = await makeLogin(owner)
  const [own, foreign] = await withSession(owner, async (session) => [
    await readMarks(session, tables, ours),
    await readMarks(session, tables, theirs),
  ])
  // Values that both have, such as the hash of a block, identify neither.
  const marks = [...(foreign ?? [])].filter((mark) => !(own ?? new Set()).has(mark))
  const close = async () => {
    await world.close()
    await node.stop()
  }
  return { ours, theirs, marks, tables, enter: (work) => withSession(url, work), close }
}

/** Rows of the tables that are still empty. */
async function fillTheRest(session: Session, orgIds: readonly string[]): Promise<void> {
  await session.script('begin; set local role sluice_engine')
  for (const orgId of orgIds) {
    const hash = `0x${orgId.replaceAll('-', '').padEnd(64, '0')}`
    await session.script(`
      insert into org_switches (org_id, subject, enabled, updated_at)
      values ('${orgId}', '${SEPOLIA}', true, now());
      insert into own_transactions values ('${SEPOLIA}', '${hash}', '${orgId}', 'sweep', now());
      insert into sessions (org_id, id, user_id, created_at, expires_at)
      select org_id, gen_random_uuid(), id, now(), now() from users where org_id = '${orgId}';
      insert into alerts (id, code, subject, message, raised_at, last_at, org_id)
      values (gen_random_uuid(), 'gas.low', '${hash}', '', now(), now(), '${orgId}');
      insert into audit_findings (org_id, chain_id, token_id, address, expected, found, height,
                                  found_at)
      values ('${orgId}', '${SEPOLIA}', 'token', '${hash}', 1, 2, 3, now());
      insert into delivery_attempts (org_id, event_id, endpoint_id, number, url, request_headers,
                                     started_at, finished_at)
      select org_id, id, org_id, 1, 'https://${orgId}.example.com', '{}', now(), now()
        from events where org_id = '${orgId}' limit 1`)
    await session.script(enrolling(orgId))
    await session.script(sharing(orgId, hash))
    await session.script(spending(orgId, hash))
    await session.script(reserving(orgId, hash))
  }
  await session.script('commit')
}

/** The rows of a person who enrols. */
function enrolling(orgId: string): string {
  const own = `from users where org_id = '${orgId}' and role = 'api'`
  return `
    insert into invitations (org_id, id, user_id, hash, role, created_by, created_at, expires_at,
                             mac)
    select org_id, gen_random_uuid(), id, uuid_send(id), 'viewer', '', now(), now(), '' ${own};
    insert into recovery_codes (org_id, user_id, hash, created_at)
    select org_id, id, uuid_send(id), now() ${own};
    insert into passkeys (org_id, id, user_id, credential_id, public_key, counter, name, mac,
                          created_at)
    select org_id, gen_random_uuid(), id, uuid_send(id), '', 0, 'Phone', '', now() ${own}`
}

/** A row of everything that belongs to an account shared by tags. */
function sharing(orgId: string, hash: string): string {
  return `
    insert into base_accounts values ('${orgId}', '${SEPOLIA}', '${hash}', 1, '', now());
    insert into unattributed_deposits (org_id, id, chain_id, txn_hash, position, token_id, address,
                                       amount, net_movement, block_height, block_hash, created_at,
                                       updated_at)
    values ('${orgId}', gen_random_uuid(), '${SEPOLIA}', '${hash}', 'tx', 'token', '${hash}', 1, 1,
            1, '', now(), now())`
}

/** A row of everything that belongs to an outgoing payment, under one id. */
function spending(orgId: string, hash: string): string {
  const own = `from users where org_id = '${orgId}' and role = 'api'`
  return `
    insert into senders values
      ('${SEPOLIA}', '${hash}', '${orgId}', 'gas', 1, 0, 1, null, '', now(), now());
    insert into spends (org_id, id, chain_id, purpose, subject_id, sender, nonce, token_id,
                        recipient, amount, state, max_fee, txn_hash, created_at, updated_at)
    select org_id, id, '${SEPOLIA}', 'withdrawal', id, '${hash}', 0, 'token', '${hash}', 1, 'Sent',
           1, '${hash}', now(), now() ${own};
    insert into spend_transactions (chain_id, txn_hash, org_id, spend_id, number, raw, max_fee,
                                    terms, signed_height, signed_at)
    select '${SEPOLIA}', '${hash}', org_id, id, 1, '', 1, '{}', 1, now() ${own};
    insert into foreign_transactions (chain_id, txn_hash, org_id, sender, nonce, found_at)
    values ('${SEPOLIA}', '${hash}', '${orgId}', '${hash}', 0, now());
    insert into withdrawals (org_id, id, chain_id, token_id, amount, recipient, reference, status,
                             required_approvals, required_humans, initiator, mac, created_at,
                             updated_at)
    select org_id, id, '${SEPOLIA}', 'token', 1, '${hash}', id::text, 'Pending', 1, 0, id, '',
           now(), now() ${own};
    insert into withdrawal_approvals (org_id, id, withdrawal_id, user_id, totp_step, mac,
                                      created_at)
    select org_id, id, id, id, 0, '', now() ${own};
    insert into top_ups (org_id, id, chain_id, address, place, amount, state, created_at,
                         updated_at)
    select org_id, id, '${SEPOLIA}', '${hash}', 'settlement', 1, 'Sent', now(), now() ${own};
    insert into gas_levels (org_id, chain_id, low, updated_at)
    values ('${orgId}', '${SEPOLIA}', true, now());
    insert into incoming_transfers (org_id, id, chain_id, txn_hash, position, token_id, address,
                                    purpose, place, amount, net_movement, status, booked,
                                    block_height, block_hash, created_at, updated_at)
    select org_id, id, '${SEPOLIA}', '${hash}', 'tx', 'token', '${hash}', 'gas', 'gas', 1, 1,
           'Detected', 'unconfirmed', 1, '', now(), now() ${own};
    insert into sweeps (org_id, id, chain_id, token_id, address, amount, state, created_at,
                        updated_at)
    select org_id, id, '${SEPOLIA}', 'token', '${hash}', 1, 'Waiting', now(), now() ${own}`
}

/** A row of everything that a spend reserves or borrows. */
function reserving(orgId: string, hash: string): string {
  const own = `from spends where org_id = '${orgId}'`
  return `
    insert into coins (org_id, chain_id, txn_hash, vout, address, amount, place, spendable,
                       created_at, updated_at)
    values ('${orgId}', '${SEPOLIA}', '${hash}', 0, '${hash}', 1, 'settlement', true, now(), now());
    insert into spend_subjects (org_id, spend_id, subject_id, recipient, amount, position)
    select org_id, id, id, '${hash}', 1, 0 ${own};
    insert into transaction_coins (org_id, chain_id, txn_hash, coin_hash, coin_vout)
    values ('${orgId}', '${SEPOLIA}', '${hash}', '${hash}', 0);
    insert into spend_give_ups (org_id, spend_id, proposed_by, transactions, proposed_at)
    select org_id, id, id, 1, now() ${own};
    insert into speed_ups (org_id, spend_id, txn_hash, requested_at)
    select org_id, id, txn_hash, now() ${own};
    insert into tickets (chain_id, address, number, org_id, standing, created_at, updated_at)
    values ('${SEPOLIA}', '${hash}', 1, '${orgId}', true, now(), now());
    insert into energy_loans (org_id, id, chain_id, address, place, stake, energy, state,
                              created_at, updated_at)
    select org_id, id, '${SEPOLIA}', '${hash}', 'settlement', 1, 1, 'Lent', now(), now() ${own};
    insert into energy_uses (org_id, subject_id, loan_id, energy, created_at)
    select org_id, id, id, 1, now() ${own}`
}

function readTables(session: Session): Promise<TenantTable[]> {
  return session.many(sql<TenantTable>`
    select c.relname::text as name, a.attname::text as column
      from pg_class c
      join pg_attribute a on a.attrelid = c.oid and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace
       and c.relkind = 'r'
       and (a.attname = 'org_id' or (c.relname = 'organizations' and a.attname = 'id'))
     order by 1`)
}

/** A login that is a member of the API's role only, as the operations guide describes. */
async function makeLogin(ownerUrl: string): Promise<string> {
  const admin = adminOf(ownerUrl)
  await withSession(admin, async (session) => {
    const found = await session.maybe(sql`select 1 from pg_roles where rolname = ${LOGIN}`)
    if (found === null) await session.script(`create role ${LOGIN} login password '${PASSWORD}'`)
    await session.script(`grant sluice_api to ${LOGIN}`)
  })
  const url = new URL(ownerUrl)
  if (url.hostname === '') url.searchParams.set('user', LOGIN)
  else Object.assign(url, { username: LOGIN, password: PASSWORD })
  return url.href
}

/** On our own server its superuser, since its owner creates no roles; else the configured user. */
function adminOf(ownerUrl: string): string {
  const url = new URL(ownerUrl)
  if (url.searchParams.get('user') === 'sluice_owner') url.searchParams.set('user', 'postgres')
  return url.href
}

async function readMarks(
  session: Session,
  tables: readonly TenantTable[],
  orgId: string,
): Promise<Set<string>> {
  const marks = new Set([orgId])
  await session.script('begin; set local role sluice_owner')
  for (const { name, column } of tables) {
    const rows = await session.many(sql<{ row: string }>`
      select row_to_json(t)::text as row
        from ${sql.table(name)} t
       where ${sql.ref(column)} = ${orgId}`)
    if (rows.length === 0) throw new Error(`${name} has no row of theirs to look for`)
    for (const { row } of rows)
      for (const [mark] of row.matchAll(/[0-9a-f]{8}-[0-9a-f-]{27}|0x[0-9a-f]{40,64}/g))
        marks.add(mark)
  }
  await session.script('commit')
  return marks
}

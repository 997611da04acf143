import { sql } from 'kysely'
import type { Database } from '../../src/store/database.ts'
import { parseChain, parseToken } from '../adapters/brands.ts'

export const ORG = '01990000-0000-7000-8000-00000000000a'
const OTHER = '01990000-0000-7000-8000-00000000000b'
/** The chain of most rows, since the organization left another; a few rows are on a third one. */
export const CHAIN = parseChain('eip155:1')
export const LEFT_CHAIN = parseChain('eip155:137')
export const RARE_CHAIN = parseChain('eip155:56')
/** Number of the oldest rows, which are on the chain that was left. */
const LEFT_ROWS = 5_000
export const LEFT_TOKENS = [
  parseToken('eip155:137/slip44:60'),
  parseToken('eip155:137/erc20:0xc2132D05D31c914a87C6611C10748AEb04B58e8F'),
] as const
export const RARE_COIN = parseToken('eip155:56/slip44:714')
/** Of `CHAIN`: nearly all of it is of the first, a few deposits of each of the others. */
export const TOKENS = [
  parseToken('eip155:1/slip44:60'),
  parseToken('eip155:1/erc20:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'),
  parseToken('eip155:1/erc20:0xdAC17F958D2ee523a2206206994597C13D831ec7'),
] as const
/** This user has every twentieth deposit and withdrawal. */
export const USER = 'user-7'
/** The code of every alert, and the actor and action of every entry of the audit log. */
export const ALERT_CODE = 'gas.low'
export const ACTOR = 'user:1'
export const ACTION = 'withdrawal.create'
/** Number of accounts, of deposits and of withdrawals, one a second, for each organization. */
export const ROWS = 20_000

/** Two organizations with long lists that differ as much as possible. */
export async function fillLists(database: Database): Promise<void> {
  for (const orgId of [ORG, OTHER]) {
    await database.transaction(async (tx) => {
      await tx.run(organization(orgId))
      await tx.run(sql`
        insert into users (org_id, id, username, role, mac, created_at, updated_at)
        values (${orgId}, ${orgId}, ${orgId}, 'api', '', now(), now())`)
      await tx.run(people(orgId))
      await tx.run(invitations(orgId))
      await tx.run(keys(orgId))
      await tx.run(accounts(orgId))
      await tx.run(deposits(orgId))
      await tx.run(postings(orgId))
      await tx.run(withdrawals(orgId))
      await tx.run(approvals(orgId))
      await tx.run(alerts(orgId))
      await tx.run(auditLog(orgId))
      await tx.run(sweeps(orgId))
    })
  }
}

/** Two organizations with many events, and their deliveries to their default endpoints. */
export async function fillEvents(database: Database): Promise<void> {
  for (const orgId of [ORG, OTHER]) {
    await database.transaction(async (tx) => {
      await tx.run(organization(orgId))
      await tx.run(events(orgId))
      await tx.run(deliveries(orgId))
    })
  }
}

const organization = (orgId: string) => sql`
  insert into organizations (id, name, mac, created_at, updated_at)
  values (${orgId}, 'Long', '', now(), now())`
const id = (n: string) =>
  sql.raw(`('01990000-0000-7000-9000-' || lpad(to_hex(${n}), 12, '0'))::uuid`)
const time = sql`'1970-01-01Z'::timestamptz + n * interval '1 second'`
const chain = sql`
           case when n <= ${LEFT_ROWS}::int then ${LEFT_CHAIN}
                when n % 2000 = 1999 then ${RARE_CHAIN}
                else ${CHAIN} end`

function people(orgId: string) {
  return sql`
    insert into users (org_id, id, username, role, mac, created_at, updated_at)
    select ${orgId}, ${id('n')}, ${orgId} || '-' || n, 'viewer', '', ${time}, ${time}
      from generate_series(1, ${ROWS}::int) as n`
}

/** Each person has an open invitation. */
function invitations(orgId: string) {
  return sql`
    insert into invitations (
           org_id, id, user_id, hash, role, created_by, created_at, expires_at, mac)
    select ${orgId}, ${id('n')}, ${id('n')}, sha256((${orgId} || n)::bytea), 'viewer', '', ${time},
           ${time}, ''
      from generate_series(1, ${ROWS}::int) as n`
}

function keys(orgId: string) {
  return sql`
    insert into api_keys (
           org_id, id, user_id, hash, name, scopes, is_default, last_four, created_by, created_at,
           mac)
    select ${orgId}, ${id('n')}, ${orgId}, sha256((${orgId} || n)::bytea), 'key', array['read'],
           false, 'last', '', ${time}, ''
      from generate_series(1, ${ROWS}::int) as n`
}

function accounts(orgId: string) {
  const side = orgId === ORG ? '0' : '1'
  return sql`
    insert into accounts (
           org_id, id, chain_id, external_user_id, address, wallet_number, path_index,
           mac, created_at, updated_at)
    select ${orgId}, ${id('n')}, ${chain}, 'user-' || n,
           '0x' || ${side}::text || lpad(n::text, 39, '0'), 0, n, '', ${time}, ${time}
      from generate_series(1, ${ROWS}::int) n`
}

function deposits(orgId: string) {
  const side = orgId === ORG ? '0' : '1'
  return sql`
    insert into incoming_transfers (
           org_id, id, purpose, place, chain_id, txn_hash, position, account_id, token_id,
           account_chain_id, external_user_id, address, amount, net_movement, status, booked,
           block_height, block_hash, created_at, updated_at)
    select ${orgId}, ${id('n')}, 'deposit', 'deposits', ${chain},
           '0x' || ${side}::text || lpad(n::text, 63, '0'), 'tx', ${id('n')},
           case when n <= ${LEFT_ROWS}::int and n % 2 = 0 then ${LEFT_TOKENS[0]}
                when n <= ${LEFT_ROWS}::int then ${LEFT_TOKENS[1]}
                when n % 2000 = 1999 then ${RARE_COIN}
                when n % 2000 = 333 then ${TOKENS[1]}
                when n % 2000 = 334 then ${TOKENS[2]}
                else ${TOKENS[0]} end,
           ${chain}, 'user-' || n % 20, '0x01', 1, 1,
           case when n % 2000 = 777 then 'Held'
                when n <= ${LEFT_ROWS}::int then 'BelowMinimum'
                else 'Confirmed' end, 'available', n, '0x01',
           ${time}, ${time}
      from generate_series(1, ${ROWS}::int) n`
}

/** Each deposit is at a separate address. */
function postings(orgId: string) {
  return sql`
    insert into postings (
           org_id, chain_id, token_id, debit, credit, amount, reason, reference_id, created_at)
    select org_id, chain_id, token_id, 'place:deposits:' || txn_hash, 'claim:available', amount,
           'deposit.detected', id, created_at
      from incoming_transfers
     where org_id = ${orgId}`
}

function withdrawals(orgId: string) {
  return sql`
    insert into withdrawals (
           org_id, id, chain_id, token_id, amount, recipient, reference, external_user_id, status,
           required_approvals, required_humans, initiator, mac, created_at, updated_at)
    select ${orgId}, ${id('n')}, ${chain}, ${TOKENS[0]}, 1, '0x01', 'reference-' || n,
           case when n % 20 = 7 then ${USER} end,
           case when n % 2000 = 777 then 'Pending'
                when n <= ${LEFT_ROWS}::int then 'Cancelled'
                else 'Completed' end, 1, 0, ${orgId}, '',
           ${time}, ${time}
      from generate_series(1, ${ROWS}::int) n`
}

function approvals(orgId: string) {
  return sql`
    insert into withdrawal_approvals (
           org_id, id, withdrawal_id, user_id, totp_step, mac, created_at)
    select ${orgId}, ${id('n')}, ${id('n')}, ${orgId}, 0, '', ${time}
      from generate_series(1, ${ROWS}::int) n`
}

/** Ids of alerts are unique across organizations. */
function alerts(orgId: string) {
  const side = orgId === ORG ? 'a' : 'b'
  return sql`
    insert into alerts (id, code, subject, message, raised_at, last_at, resolved_at, org_id)
    select ('01990000-0000-7000-9000-' || ${side}::text || lpad(to_hex(n), 11, '0'))::uuid,
           ${ALERT_CODE}, ${side}::text || n, '', ${time}, ${time},
           case when n % 2000 <> 777 then ${time} end, ${orgId}
      from generate_series(1, ${ROWS}::int) n`
}

/** Each entry is about another object. */
function auditLog(orgId: string) {
  return sql`
    insert into audit_log (at, org_id, actor, action, object)
    select ${time}, ${orgId}, ${ACTOR}, ${ACTION}, 'withdrawal ' || n
      from generate_series(1, ${ROWS}::int) n
     order by n`
}

function sweeps(orgId: string) {
  const side = orgId === ORG ? '0' : '1'
  return sql`
    insert into sweeps (
           org_id, id, chain_id, token_id, address, amount, state, created_at, updated_at)
    select ${orgId}, ${id('n')}, ${chain},
           case when n <= ${LEFT_ROWS}::int then ${LEFT_TOKENS[0]}
                when n % 2000 = 1999 then ${RARE_COIN}
                else ${TOKENS[0]} end,
           '0x' || ${side}::text || lpad(n::text, 39, '0'), 1,
           case when n % 2000 = 777 then 'Failed'
                when n % 2000 = 778 then 'Waiting'
                else 'Done' end,
           ${time}, ${time}
      from generate_series(1, ${ROWS}::int) n`
}

/** Each record has two events; `gas.low` and failed deliveries are rare. */
function events(orgId: string) {
  return sql`
    insert into events (org_id, id, sequence, type, subject_id, body, created_at)
    select ${orgId}, ${eventId}, n,
           case when n % 2000 = 777 then 'gas.low' else 'deposit.confirmed' end,
           'record ' || n / 2, '{}', ${time}
      from generate_series(1, ${ROWS}::int) n`
}

function deliveries(orgId: string) {
  return sql`
    insert into deliveries (org_id, event_id, endpoint_id, sequence, state)
    select org_id, id, org_id, sequence,
           case when sequence % 2000 = 777 then 'failed' else 'delivered' end
      from events
     where org_id = ${orgId}
       and sequence % 2000 <> 778`
}

/** Ids of events begin with their time in milliseconds (RFC 9562, 5.7). */
const eventId = sql`
           (lpad(to_hex((n * 1000) >> 16), 8, '0') || '-'
            || lpad(to_hex((n * 1000) & 65535), 4, '0') || '-7000-8000-'
            || lpad(to_hex(n), 12, '0'))::uuid`

import { type Session, withSession } from '../../service/src/store/connection.ts'
import { CHAIN, DEPOSITS_A_BLOCK, STRIDE } from './plan.ts'
import { authenticateAccounts } from '../harness/authenticate-accounts.ts'
import type { ServiceKey } from '../../service/src/keys/service-key.ts'

/**
 * Up to this number every watched address has its own account; above are those that receive
 * deposits.
 */
const ACCOUNTS_MAX = 1_000_000

/**
 * Fills a database with watched addresses of one organization, by the superuser and in one go: the
 * addresses of the plan, each on the chain's scope.
 */
export async function fillWatched(
  adminUrl: string,
  given: {
    serviceKey: ServiceKey
    orgId: string
    chainId: string
    scope: string
    watched: number
    blocks: number
    /** Number of the first address; 0 without another organization. */
    offset?: number
  },
): Promise<void> {
  const { serviceKey, orgId, chainId, scope, watched, blocks, offset = 0 } = given
  const recipients = `select distinct (k * ${STRIDE}) % ${watched} + ${offset} as i
      from generate_series(0, ${blocks * DEPOSITS_A_BLOCK - 1}::bigint) k`
  const all = `select i from generate_series(${offset}::bigint, ${offset + watched - 1}) i`
  const owners = watched <= ACCOUNTS_MAX ? all : recipients
  const owned = `(select ${accountId('i')} where i in (${recipients}))`
  await withSession(adminUrl, async (session) => {
    await session.script(`
      set session_replication_role = replica;
      set work_mem = '256MB';
      set maintenance_work_mem = '512MB';
      set synchronous_commit = off;
      insert into accounts (org_id, id, chain_id, external_user_id, address, wallet_number,
                            path_index, mac, created_at, updated_at)
      select '${orgId}', ${accountId('i')}, '${chainId}', 'user ' || i, ${address('i')}, 0, i,
             '', '2026-01-01', '2026-01-01'
        from (${owners}) o;
      alter table watched_addresses drop constraint watched_addresses_pkey;
      drop index watched_addresses_recent;
      drop index watched_addresses_added;
      insert into watched_addresses (scope, address, org_id, chain_id, purpose, account_id,
                                     external_user_id, wallet_number, path_index, mac,
                                     created_at)
      select '${scope}', ${address('i')}, '${orgId}', '${chainId}', 'deposit',
             ${watched <= ACCOUNTS_MAX ? accountId('i') : owned},
             'user ' || i, 0, i, '', '2026-01-01'
        from (${all}) a;
      alter table watched_addresses add constraint watched_addresses_pkey
        primary key (scope, address);
      create index watched_addresses_recent on watched_addresses (created_at);
      create index watched_addresses_added on watched_addresses (added_in)
        where added_in is not null;
      set session_replication_role = origin`)
    await authenticateAccounts(session, serviceKey)
    await session.script('vacuum (analyze) accounts')
    await session.script('vacuum (analyze) watched_addresses')
  })
}

function address(i: string): string {
  return `'0x' || substr(encode(sha256(('watched ' || ${i})::bytea), 'hex'), 1, 40)`
}

function accountId(i: string): string {
  return `('01990000-0000-7000-8000-' || lpad(to_hex(${i}), 12, '0'))::uuid`
}

/** Watches the recipients of some blocks, and some addresses without payments, in one commit. */
export async function addWatched(
  session: Session,
  given: {
    serviceKey: ServiceKey
    orgId: string
    watched: number
    from: number
    to: number
    fillers: number
    batch: number
  },
): Promise<void> {
  const { serviceKey, orgId, watched, from, to, fillers, batch } = given
  const first = (from - CHAIN.origin - 1) * DEPOSITS_A_BLOCK
  const last = (to - CHAIN.origin) * DEPOSITS_A_BLOCK - 1
  const filler = `'0x' || substr(encode(sha256(('filler ${batch} ' || k)::bytea), 'hex'), 1, 40)`
  await session.script(`
    with paid as (
      select distinct (k * ${STRIDE}) % ${watched} as i
        from generate_series(${first}::bigint, ${last}) k
    ), opened as (
      insert into accounts (org_id, id, chain_id, external_user_id, address, wallet_number,
                            path_index, mac, created_at, updated_at)
      select '${orgId}', ${accountId('i')}, '${CHAIN.id}', 'user ' || i, ${address('i')}, 0, i,
             '', now(), now()
        from paid
      on conflict do nothing
    )
    insert into watched_addresses (scope, address, org_id, chain_id, purpose, account_id,
                                   external_user_id, wallet_number, path_index, mac,
                                   created_at)
    select 'eip155/mainnet', ${address('i')}, '${orgId}'::uuid, '${CHAIN.id}', 'deposit',
           ${accountId('i')}, 'user ' || i, 0, i, ''::bytea, now()
      from paid
     union all
    select 'eip155/mainnet', ${filler}, '${orgId}'::uuid, '${CHAIN.id}', 'deposit', null::uuid, '',
           0, 0, ''::bytea, now()
      from generate_series(1, ${fillers}) k
    on conflict do nothing`)
  await authenticateAccounts(session, serviceKey)
}

-- The house's first tables. Each table has one owner room, named above it; only that room's rows files speak to it.
-- Roles: sluice_owner owns everything and migrates; sluice_engine runs the loops and sees all organizations;
-- sluice_api answers requests and sees the one organization named by the setting sluice.org_id.

create function current_org() returns uuid
  language sql stable parallel safe
  as $$ select nullif(current_setting('sluice.org_id', true), '')::uuid $$;

-- store: the right of one process to do something, by the database's own time; the token fences its commits.
create table leases (
  name       text primary key,
  holder     text not null,
  token      bigint not null check (token >= 1),
  expires_at timestamptz(3) not null
);

-- catalogue: what a chain is doing; one row from the first successful contact on.
create table chain_states (
  chain_id        text primary key,
  genesis         text not null,
  start_height    bigint not null check (start_height >= 0),
  tip_height      bigint not null check (tip_height >= 0),
  tip_hash        text not null,
  head_height     bigint not null check (head_height >= 0),
  final_height    bigint,
  final_hash      text,
  condition       text not null default 'running' check (condition in ('running', 'frozen', 'halted')),
  condition_cause text not null default '',
  tip_time        timestamptz(3) not null,
  updated_at      timestamptz(3) not null
);

-- catalogue: what the chain itself says of a token (engineering, 17), and whether it was caught lying.
create table token_checks (
  token_id     text primary key,
  chain_id     text not null,
  state        text not null check (state in ('pending', 'verified', 'mismatch', 'unreachable')),
  found        text not null default '',
  suspended_at timestamptz(3),
  suspended_cause text not null default '',
  checked_at   timestamptz(3) not null
);

-- journal: what an operator must know.
create table alerts (
  id          uuid primary key,
  code        text not null,
  subject     text not null,
  message     text not null,
  details     jsonb not null default '{}',
  times       bigint not null default 1,
  raised_at   timestamptz(3) not null,
  last_at     timestamptz(3) not null,
  resolved_at timestamptz(3)
);
create unique index alerts_open on alerts (code, subject) where resolved_at is null;

-- journal: who did what; append-only.
create table audit_log (
  id      bigint generated always as identity primary key,
  at      timestamptz(3) not null,
  org_id  uuid,
  actor   text not null,
  action  text not null,
  object  text not null,
  details jsonb not null default '{}'
);

-- orgs
create table organizations (
  id                     uuid primary key,
  name                   text not null check (length(name) between 1 and 100),
  webhook_url            text not null default '',
  min_withdrawal_signers integer not null default 1 check (min_withdrawal_signers >= 1),
  min_human_approvals    integer not null default 0 check (min_human_approvals >= 0),
  created_at             timestamptz(3) not null,
  updated_at             timestamptz(3) not null
);

-- orgs
create table users (
  org_id         uuid not null references organizations (id),
  id             uuid not null,
  username       text not null,
  role           text not null check (role in ('viewer', 'operator', 'approver', 'admin', 'api')),
  status         text not null default 'active' check (status in ('active', 'disabled')),
  password_hash  text not null default '',
  totp_secret    bytea,
  last_totp_step bigint not null default 0,
  mac            bytea not null,
  created_at     timestamptz(3) not null,
  updated_at     timestamptz(3) not null,
  primary key (org_id, id)
);
create unique index users_username on users (lower(username));
create unique index users_api on users (org_id) where role = 'api';

-- orgs: only a SHA-256 of a key is kept.
create table api_keys (
  org_id       uuid not null references organizations (id),
  id           uuid not null,
  user_id      uuid not null,
  hash         bytea not null unique,
  last_four    text not null,
  created_by   text not null,
  created_at   timestamptz(3) not null,
  revoked_at   timestamptz(3),
  last_used_at timestamptz(3),
  primary key (org_id, id),
  foreign key (org_id, user_id) references users (org_id, id)
);
create unique index api_keys_live on api_keys (org_id) where revoked_at is null;

-- orgs: sealed by the service key; several overlap after a rotation.
create table signing_secrets (
  org_id      uuid not null references organizations (id),
  id          uuid not null,
  sealed      bytea not null,
  created_at  timestamptz(3) not null,
  valid_until timestamptz(3),
  primary key (org_id, id)
);
create unique index signing_secrets_current on signing_secrets (org_id) where valid_until is null;

-- orgs: an organization's own switches; no row means on.
create table org_switches (
  org_id     uuid not null references organizations (id),
  subject    text not null,
  enabled    boolean not null,
  updated_at timestamptz(3) not null,
  primary key (org_id, subject)
);

-- Who a key belongs to is asked before the organization is known, so the question has a door of its own.
create function api_key_owner(key_hash bytea)
  returns table (org_id uuid, key_id uuid, user_id uuid, user_status text, revoked boolean)
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select k.org_id, k.id, k.user_id, u.status, k.revoked_at is not null
      from public.api_keys k
      join public.users u on u.org_id = k.org_id and u.id = k.user_id
     where k.hash = key_hash
  $$;

-- webhooks: the outbox. `body` is the exact text that is signed and sent.
create table event_counters (
  org_id        uuid primary key references organizations (id),
  last_sequence bigint not null default 0
);
create table events (
  org_id     uuid not null references organizations (id),
  id         uuid not null,
  sequence   bigint not null,
  type       text not null,
  subject_id text not null,
  body       text not null,
  created_at timestamptz(3) not null,
  primary key (org_id, id),
  unique (org_id, sequence)
);
create table deliveries (
  org_id       uuid not null,
  event_id     uuid not null,
  state        text not null check (state in ('pending', 'delivered', 'failed')),
  attempts     integer not null default 0,
  next_at      timestamptz(3),
  leased_until timestamptz(3),
  lease_token  uuid,
  finished_at  timestamptz(3),
  primary key (org_id, event_id),
  foreign key (org_id, event_id) references events (org_id, id)
);
create index deliveries_due on deliveries (org_id, next_at) where state = 'pending';
create index deliveries_failed on deliveries (org_id, finished_at desc) where state = 'failed';
create table delivery_attempts (
  id              bigint generated always as identity primary key,
  org_id          uuid not null,
  event_id        uuid not null,
  number          integer not null,
  url             text not null,
  request_headers jsonb not null,
  status          integer,
  response_body   text not null default '',
  error           text not null default '',
  started_at      timestamptz(3) not null,
  finished_at     timestamptz(3) not null,
  foreign key (org_id, event_id) references events (org_id, id)
);
create index delivery_attempts_event on delivery_attempts (org_id, event_id, number);

-- ledger: a posting is one debit and one credit of the same amount. Places are what the chain shows and grow by
-- debits; claims are whose it is and grow by credits; so their sums stay equal by construction (engineering, 1).
create table balances (
  org_id     uuid not null references organizations (id),
  chain_id   text not null,
  token_id   text not null,
  account    text not null,
  amount     numeric(96,0) not null,
  overdrawn  boolean not null default false,
  updated_at timestamptz(3) not null,
  primary key (org_id, chain_id, token_id, account),
  constraint balances_not_negative
    check (amount >= 0 or (overdrawn and account = 'claim:available'))
);
-- Every account there is. A place names one address; addresses hold no colon.
create function is_ledger_account(account text) returns boolean
  language sql immutable parallel safe
  as $$
    select account in (
             'claim:unconfirmed', 'claim:available', 'claim:reserved', 'claim:below_minimum', 'claim:held',
             'claim:unattributed', 'claim:gas')
        or ((account like 'place:deposits:_%' or account like 'place:settlement:_%' or account like 'place:gas:_%')
            and account not like 'place:%:%:%')
  $$;
-- That the organization exists is held by the balances, of which every posting moves two.
create table postings (
  id           bigint generated always as identity primary key,
  org_id       uuid not null,
  chain_id     text not null,
  token_id     text not null,
  debit        text not null,
  credit       text not null,
  amount       numeric(78,0) not null check (amount > 0),
  reason       text not null,
  reversal     boolean not null default false,
  reference_id uuid not null,
  block_height bigint,
  created_at   timestamptz(3) not null,
  constraint postings_accounts
    check (debit <> credit and is_ledger_account(debit) and is_ledger_account(credit))
);
create index postings_reference on postings (org_id, reference_id);
create index postings_recent on postings (chain_id, created_at);

-- Balances follow the postings and nothing else: no role but the owner may write them. Row by row, in the order of
-- the keys: so two steps never wait for each other crosswise, and a balance is checked as it will stand (a check is
-- asked of a row proposed to an upsert before it is added to the one that stands, so a negative one cannot be proposed).
-- A plan made while the table was small must not outlive that, hence no scans of all of it.
create function apply_postings() returns trigger
  language plpgsql security definer set search_path = public, pg_temp set enable_seqscan = off
  as $$
  declare
    moved record;
  begin
    for moved in
      select m.org_id, m.chain_id, m.token_id, m.account, sum(m.amount) as amount,
             bool_or(m.amount < 0 and not m.reversal) as takes, max(m.created_at) as created_at
        from (
          select org_id, chain_id, token_id, debit as account, reversal, created_at,
                 case when debit like 'place:%' then amount else -amount end as amount
            from new_postings
          union all
          select org_id, chain_id, token_id, credit, reversal, created_at,
                 case when credit like 'place:%' then -amount else amount end
            from new_postings
        ) m
       group by m.org_id, m.chain_id, m.token_id, m.account
       order by m.org_id, m.chain_id, m.token_id, m.account
    loop
      -- Only a reversal may leave a balance below zero; whoever takes anything else needs all of it covered.
      update public.balances b
         set amount = b.amount + moved.amount,
             overdrawn = b.amount + moved.amount < 0 and not moved.takes,
             updated_at = greatest(b.updated_at, moved.created_at)
       where b.org_id = moved.org_id
         and b.chain_id = moved.chain_id
         and b.token_id = moved.token_id
         and b.account = moved.account;
      continue when found;
      insert into public.balances as b (org_id, chain_id, token_id, account, amount, overdrawn, updated_at)
      values (moved.org_id, moved.chain_id, moved.token_id, moved.account, moved.amount,
              moved.amount < 0 and not moved.takes, moved.created_at)
      on conflict (org_id, chain_id, token_id, account) do update
         set amount = b.amount + moved.amount,
             overdrawn = b.amount + moved.amount < 0 and not moved.takes,
             updated_at = greatest(b.updated_at, moved.created_at);
    end loop;
    return null;
  end
  $$;
create trigger postings_apply
  after insert on postings
  referencing new table as new_postings
  for each statement execute function apply_postings();

create function refuse_change() returns trigger
  language plpgsql
  as $$ begin raise exception '% is append-only', tg_table_name; end $$;
create trigger postings_immutable before update or delete or truncate on postings
  for each statement execute function refuse_change();
create trigger audit_log_immutable before update or delete or truncate on audit_log
  for each statement execute function refuse_change();

-- accounts: branches of the key tree, one for an organization, chain and purpose (engineering, 18).
create table wallet_counter (
  only_row    boolean primary key default true check (only_row),
  next_number integer not null default 0
);
insert into wallet_counter default values;
create table wallets (
  org_id     uuid not null references organizations (id),
  chain_id   text not null,
  purpose    text not null check (purpose in ('deposit', 'settlement', 'gas')),
  number     integer not null unique check (number >= 0),
  xpub       text not null default '',
  xpub_mac   bytea not null,
  next_index bigint not null default 0 check (next_index between 0 and 2147483648),
  created_at timestamptz(3) not null,
  primary key (org_id, chain_id, purpose)
);
-- accounts: one account for each end user and chain.
create table accounts (
  org_id           uuid not null references organizations (id),
  id               uuid not null,
  chain_id         text not null,
  external_user_id text not null check (length(external_user_id) between 1 and 255),
  address          text not null,
  destination_tag  bigint check (destination_tag between 0 and 4294967295),
  wallet_number    integer not null check (wallet_number >= 0),
  path_index       bigint not null check (path_index between 0 and 2147483647),
  created_at       timestamptz(3) not null,
  updated_at       timestamptz(3) not null,
  primary key (org_id, id),
  unique (org_id, chain_id, external_user_id),
  -- Most chains have no tags, and there an address alone must be nobody else's.
  unique nulls not distinct (chain_id, address, destination_tag)
);
create index accounts_created on accounts (org_id, created_at desc, id desc);
create index accounts_user on accounts (org_id, external_user_id, created_at desc, id desc);
-- accounts: what the scanners look for. A scope is the set of chains on which an address is ours: all EVM main
-- networks, all EVM test networks, or one chain. An address belongs to one organization, for ever.
create table watched_addresses (
  scope      text not null,
  address    text not null,
  org_id     uuid not null references organizations (id),
  chain_id   text not null,
  purpose    text not null check (purpose in ('deposit', 'settlement', 'gas')),
  account_id uuid,
  external_user_id text not null default '',
  created_at timestamptz(3) not null,
  primary key (scope, address),
  foreign key (org_id, account_id) references accounts (org_id, id)
);
-- Not by scope first: a planner without statistics would read a whole scope by it, where the key finds one address.
create index watched_addresses_recent on watched_addresses (created_at);

-- spends: transactions signed by us. A transaction of ours that moves our own money is no deposit.
create table own_transactions (
  chain_id   text not null,
  txn_hash   text not null,
  org_id     uuid not null references organizations (id),
  purpose    text not null check (purpose in ('withdrawal', 'sweep', 'top-up', 'filler', 'consolidation')),
  created_at timestamptz(3) not null,
  primary key (chain_id, txn_hash)
);

-- deposits: identity is (chain, transaction, position, account, token); decisions, section 1.
create table deposits (
  org_id           uuid not null,
  id               uuid not null,
  chain_id         text not null,
  txn_hash         text not null,
  position         text not null,
  account_id       uuid not null,
  token_id         text not null,
  account_chain_id text not null,
  external_user_id text not null,
  address          text not null,
  sender_address   text not null default '',
  amount           numeric(78,0) not null check (amount > 0),
  -- What the block's transfers of this token moved into the address less what they moved out of it.
  net_movement     numeric(96,0) not null,
  status           text not null check (status in ('Detected', 'Confirmed', 'BelowMinimum', 'Held', 'Orphaned')),
  -- Which claim of the ledger this deposit's money stands under; none while orphaned.
  booked           text not null check (booked in ('unconfirmed', 'available', 'below_minimum', 'held', 'none')),
  held_cause       text not null default '',
  -- An operator has looked at it and let it go: no check holds it again.
  cleared          boolean not null default false,
  block_height     bigint not null,
  block_hash       text not null,
  confirmed_at     timestamptz(3),
  confirmed_height bigint,
  created_at       timestamptz(3) not null,
  updated_at       timestamptz(3) not null,
  primary key (org_id, id),
  unique (chain_id, txn_hash, position, account_id, token_id),
  foreign key (org_id, account_id) references accounts (org_id, id)
);
create index deposits_created on deposits (org_id, created_at desc, id desc);
create index deposits_user on deposits (org_id, external_user_id, created_at desc, id desc);
create index deposits_waiting on deposits (chain_id, block_height) where status = 'Detected';
create index deposits_block on deposits (chain_id, block_height);
create index deposits_small on deposits (org_id, account_id, chain_id, token_id) where status = 'BelowMinimum';

-- scanner: our chain of blocks, each connected onto its parent, to the depth kept.
create table blocks (
  chain_id    text not null,
  height      bigint not null,
  hash        text not null,
  parent_hash text not null,
  time        timestamptz(3) not null,
  primary key (chain_id, height)
);

-- scanner: ranges that an operator asked to be read again; the holder of the chain's lease works them off.
create table rescans (
  id          uuid primary key,
  chain_id    text not null,
  from_height bigint not null check (from_height >= 0),
  to_height   bigint not null check (to_height >= from_height),
  next_height bigint not null,
  found       bigint not null default 0,
  state       text not null default 'waiting' check (state in ('waiting', 'done', 'failed')),
  cause       text not null default '',
  created_at  timestamptz(3) not null,
  updated_at  timestamptz(3) not null
);
create index rescans_waiting on rescans (chain_id, created_at) where state = 'waiting';

-- audit: the last comparison of the ledger with the chains.
create table audit_findings (
  id          bigint generated always as identity primary key,
  org_id      uuid,
  chain_id    text not null,
  token_id    text not null,
  address     text not null,
  expected    numeric(96,0) not null,
  found       numeric(96,0) not null,
  height      bigint not null,
  found_at    timestamptz(3) not null,
  resolved_at timestamptz(3)
);
create unique index audit_findings_open on audit_findings (chain_id, token_id, address) where resolved_at is null;

-- Row-level security: forced, so that not even the owner slips past it without a policy that says so.
do $$
declare
  tenant text;
begin
  foreach tenant in array array[
    'users', 'api_keys', 'signing_secrets', 'org_switches', 'event_counters', 'events', 'deliveries',
    'delivery_attempts', 'balances', 'postings', 'wallets', 'accounts', 'watched_addresses',
    'own_transactions', 'deposits', 'audit_log', 'audit_findings'
  ] loop
    execute format('alter table %I enable row level security, force row level security', tenant);
    execute format('create policy owner_all on %I to sluice_owner using (true) with check (true)', tenant);
    execute format('create policy engine_all on %I to sluice_engine using (true) with check (true)', tenant);
    execute format('create policy own_org on %I to sluice_api '
      'using (org_id = (select current_org())) with check (org_id = (select current_org()))', tenant);
  end loop;
end
$$;
alter table organizations enable row level security, force row level security;
create policy owner_all on organizations to sluice_owner using (true) with check (true);
create policy engine_all on organizations to sluice_engine using (true) with check (true);
create policy own_org on organizations to sluice_api
  using (id = (select current_org())) with check (id = (select current_org()));

grant usage on schema public to sluice_engine, sluice_api;
grant select, insert, update on all tables in schema public to sluice_engine;
grant delete on blocks, delivery_attempts to sluice_engine;
revoke insert, update on balances from sluice_engine;
revoke update on postings, audit_log from sluice_engine;
grant usage on all sequences in schema public to sluice_engine, sluice_api;

grant select on chain_states, token_checks to sluice_api;
grant select, update on organizations, event_counters, signing_secrets, api_keys, wallets, wallet_counter to sluice_api;
grant select on users, org_switches, events, deliveries, delivery_attempts, balances, postings, deposits to sluice_api;
grant select, insert on accounts, watched_addresses to sluice_api;
grant insert on events, deliveries, event_counters, signing_secrets, api_keys, wallets, audit_log to sluice_api;
grant update (state, attempts, next_at) on deliveries to sluice_api;
grant execute on function api_key_owner(bytea), current_org() to sluice_api, sluice_engine;
revoke all on function api_key_owner(bytea) from public;

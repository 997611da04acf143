-- The schema of the first release. The program creates the roles before it runs this file:
--   sluice_owner   owns every table and runs the migrations
--   sluice_engine  runs the loops and sees every organization
--   sluice_api     answers requests and sees only the organization in the setting sluice.org_id
--
-- Every table belongs to one module, named in the heading above it; only that module's rows files query it.
-- Order: shared functions, tables by module with indexes, functions and triggers, row-level security, grants, seed rows.

-- Shared ------------------------------------------------------------------------------------------------------------

create function current_org() returns uuid
  language sql stable parallel safe
  as $$ select nullif(current_setting('sluice.org_id', true), '')::uuid $$;

create function refuse_change() returns trigger
  language plpgsql
  as $$ begin raise exception '% is append-only', tg_table_name; end $$;

create function refuse_another_key() returns trigger language plpgsql as $$
  begin
    raise exception 'the key of a row of % does not change', tg_table_name using errcode = 'restrict_violation';
  end
  $$;

-- store -------------------------------------------------------------------------------------------------------------

-- Leases expire by the database's clock. The token increases with each new holder and fences the holder's commits.
create table leases (
  name       text primary key,
  holder     text not null,
  token      bigint not null check (token >= 1),
  expires_at timestamptz(3) not null
);

-- catalogue ---------------------------------------------------------------------------------------------------------

-- One row for each chain, from the first successful contact with a node.
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
  updated_at      timestamptz(3) not null,
  -- A reorg is being undone. Nothing is signed on the chain until the stored tip is a block of the nodes again.
  is_undoing      boolean not null default false,
  -- The last reorg: the height of the highest block that stayed, how many blocks left the chain, and when.
  reorg_height    bigint,
  reorg_depth     bigint,
  reorg_at        timestamptz(3)
);

-- The nodes of each chain as the scanner last found them. Names and errors are for the operator only.
create table chain_nodes (
  chain_id   text not null,
  position   integer not null check (position >= 0),
  node       text not null,
  state      text not null check (state in ('serves', 'wrong-chain', 'unreachable')),
  head       bigint,
  latency_ms integer not null,
  error      text not null,
  checked_at timestamptz(3) not null,
  primary key (chain_id, position)
);

-- The token's properties as read from the chain, and whether they contradict the configuration.
create table token_checks (
  token_id        text primary key,
  chain_id        text not null,
  state           text not null check (state in ('pending', 'verified', 'mismatch', 'unreachable')),
  found           text not null default '',
  suspended_at    timestamptz(3),
  suspended_cause text not null default '',
  checked_at      timestamptz(3) not null
);

-- orgs --------------------------------------------------------------------------------------------------------------

create table organizations (
  id                     uuid primary key,
  name                   text not null check (length(name) between 1 and 100),
  min_withdrawal_signers integer not null default 1 check (min_withdrawal_signers >= 1),
  -- Null: the default, which depends on the number of users who may approve.
  min_human_approvals    integer default 0 check (min_human_approvals >= 0),
  created_at             timestamptz(3) not null,
  updated_at             timestamptz(3) not null,
  mac                    bytea not null,
  -- New for each change and covered by the MAC, so that two states of a row never have the same MAC. Null when created.
  version                uuid
);

create table users (
  org_id         uuid not null references organizations (id),
  id             uuid not null,
  username       text not null,
  role           text not null check (role in ('viewer', 'operator', 'approver', 'admin', 'api')),
  status         text not null default 'active' check (status in ('invited', 'active', 'disabled')),
  password_hash  text not null default '',
  totp_secret    bytea,
  last_totp_step bigint not null default 0,
  last_login_at  timestamptz(3),
  mac            bytea not null,
  created_at     timestamptz(3) not null,
  updated_at     timestamptz(3) not null,
  version        uuid,
  primary key (org_id, id)
);
create unique index users_username on users (lower(username));
create unique index users_api on users (org_id) where role = 'api';
create index users_listed on users (org_id, created_at, id);
comment on column users.password_hash is 'argon2id as a PHC string, a blank, and the MAC of the service key; or empty';

-- Lets a person set the password and the TOTP secret. Only the SHA-256 of the token is stored.
create table invitations (
  org_id     uuid not null references organizations (id),
  id         uuid not null,
  user_id    uuid not null,
  hash       bytea not null unique,
  role       text not null check (role in ('viewer', 'operator', 'approver', 'admin')),
  created_by text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  ended_at   timestamptz(3),
  end_cause  text not null default '',
  mac        bytea not null,
  primary key (org_id, id),
  foreign key (org_id, user_id) references users (org_id, id)
);
create unique index invitations_open on invitations (org_id, user_id) where ended_at is null;

-- Unused recovery codes. A hash is a MAC over the code and its user.
create table recovery_codes (
  org_id     uuid not null references organizations (id),
  user_id    uuid not null,
  hash       bytea not null,
  created_at timestamptz(3) not null,
  primary key (org_id, user_id, hash),
  foreign key (org_id, user_id) references users (org_id, id)
);

-- Passkeys with which people approve withdrawals. The MAC covers all but the name and the times.
create table passkeys (
  org_id        uuid not null references organizations (id),
  id            uuid not null,
  user_id       uuid not null,
  credential_id bytea not null,
  -- In COSE.
  public_key    bytea not null,
  -- As the authenticator reported it last; it never goes back, unless it is always 0.
  counter       bigint not null check (counter >= 0),
  name          text not null check (length(name) between 1 and 100),
  mac           bytea not null,
  created_at    timestamptz(3) not null,
  last_used_at  timestamptz(3),
  primary key (org_id, id),
  unique (org_id, credential_id),
  foreign key (org_id, user_id) references users (org_id, id)
);
create index passkeys_user on passkeys (org_id, user_id, created_at, id);

-- Only the SHA-256 of a key is stored. The MAC covers who owns it, what it may do, from where and how long.
create table api_keys (
  org_id       uuid not null references organizations (id),
  id           uuid not null,
  user_id      uuid not null,
  hash         bytea not null unique,
  name         text not null check (length(name) between 1 and 100),
  scopes       text[] not null check (scopes <@ array['read', 'deposits', 'withdrawals', 'configure']),
  -- Networks in CIDR notation from which it may be used; empty: from everywhere.
  networks     text[] not null default '{}',
  expires_at   timestamptz(3),
  -- The key that PATCH /organisation/api-key replaces.
  is_default   boolean not null,
  last_four    text not null,
  created_by   text not null,
  created_at   timestamptz(3) not null,
  revoked_at   timestamptz(3),
  last_used_at timestamptz(3),
  mac          bytea not null,
  -- New for each change and covered by the MAC. Null when created.
  version      uuid,
  primary key (org_id, id),
  foreign key (org_id, user_id) references users (org_id, id)
);
create unique index api_keys_default on api_keys (org_id) where is_default and revoked_at is null;
create index api_keys_in_order on api_keys (org_id, created_at desc, id desc);

-- Receivers of events. The id of the default one, which every organization has, is the id of its organization.
create table webhook_endpoints (
  org_id          uuid not null references organizations (id),
  id              uuid not null unique,
  -- Empty: events are not sent. Only the default endpoint can be without a URL.
  url             text not null default '',
  -- Types separated by spaces; empty: all.
  event_types     text not null default '',
  -- Its deliveries wait from this time on; null: they are sent.
  paused_at       timestamptz(3),
  -- The current signing secret.
  secret_id       uuid not null,
  version         uuid not null,
  mac             bytea not null,
  created_at      timestamptz(3) not null,
  updated_at      timestamptz(3) not null,
  -- Results of attempts, at most a few seconds old. Not covered by the MAC.
  last_success_at timestamptz(3),
  last_failure_at timestamptz(3),
  failing_since   timestamptz(3),
  primary key (org_id, id)
);

-- Webhook signing secrets, encrypted with the service key. Several are valid at once after a rotation.
create table signing_secrets (
  org_id      uuid not null references organizations (id),
  id          uuid not null,
  endpoint_id uuid not null,
  sealed      bytea not null,
  created_at  timestamptz(3) not null,
  valid_until timestamptz(3),
  primary key (org_id, id)
);
create unique index signing_secrets_current on signing_secrets (endpoint_id) where valid_until is null;
create index signing_secrets_endpoint on signing_secrets (org_id, endpoint_id, valid_until);

-- Two decisions about a chain or a token of an organization, which is on if both are. No row: neither was made.
create table org_switches (
  org_id     uuid not null references organizations (id),
  subject    text not null,
  -- The operator's; null for the default. Requests cannot write it.
  enabled    boolean,
  -- The organization's own. Only requests write it.
  paused     boolean not null default false,
  updated_at timestamptz(3) not null,
  primary key (org_id, subject)
);

-- An access token is valid as long as the session that it names.
create table sessions (
  org_id     uuid not null references organizations (id),
  id         uuid not null,
  user_id    uuid not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  ended_at   timestamptz(3),
  end_cause  text not null default '',
  -- Of the client at sign-in, as rate limits identify it.
  address    text not null default '',
  primary key (org_id, id),
  foreign key (org_id, user_id) references users (org_id, id)
);
create index sessions_open on sessions (org_id, user_id) where ended_at is null;
create index sessions_expiry on sessions (expires_at);

-- Consecutive failed attempts at a password or code, counted for a name or user from one address, and for it from all
-- addresses together. A subject is a MAC, so that typed names are not stored.
create table guesses (
  subject      bytea primary key,
  failures     integer not null check (failures >= 0),
  locked_until timestamptz(3),
  last_at      timestamptz(3) not null,
  -- Subject of the count over all addresses; an operator unlocks by it.
  owner        bytea not null default '',
  -- Last success of the name from this address: later failures from other addresses do not lock it.
  known_at     timestamptz(3)
);
create index guesses_last on guesses (last_at);
create index guesses_owner on guesses (owner);

-- Requests in the current window. A subject is a MAC of a credential, a name or an address.
create table request_counts (
  subject      bytea primary key,
  window_start timestamptz(3) not null,
  requests     bigint not null check (requests >= 0)
);
create index request_counts_window on request_counts (window_start);

-- SHA-256 of each MAC, encrypted secret or password hash that was replaced. A replaced value that is written back
-- does not authenticate its row.
create table superseded (
  digest bytea primary key check (length(digest) = 32)
);

-- alerts and audit log --------------------------------------------------------------------------------------------

create table alerts (
  id          uuid primary key,
  code        text not null,
  subject     text not null,
  message     text not null,
  details     jsonb not null default '{}',
  times       bigint not null default 1,
  raised_at   timestamptz(3) not null,
  last_at     timestamptz(3) not null,
  resolved_at timestamptz(3),
  -- The organization that the subject belongs to, which may see the alert; null for the installation's.
  org_id          uuid,
  acknowledged_at timestamptz(3),
  acknowledged_by uuid
);
create unique index alerts_open on alerts (code, subject) where resolved_at is null;
create index alerts_created on alerts (org_id, raised_at desc, id desc) where org_id is not null;
create index alerts_unresolved on alerts (org_id, raised_at desc, id desc)
  where org_id is not null and resolved_at is null;

-- Append-only.
create table audit_log (
  id      bigint generated always as identity primary key,
  at      timestamptz(3) not null,
  org_id  uuid,
  actor   text not null,
  action  text not null,
  object  text not null,
  details jsonb not null default '{}'
);
create index audit_log_created on audit_log (org_id, at desc, id desc);
create index audit_log_object on audit_log (org_id, object, at desc, id desc);

-- Hash chain over the audit log: one seal for each entry, numbered without gaps in the order of sealing, which is not
-- the order of the entries. A hash covers the previous hash and all fields of the entry.
create table audit_seals (
  sequence bigint primary key check (sequence >= 1),
  entry_id bigint not null unique,
  hash     bytea not null check (length(hash) = 32)
);

-- Entries without a seal, inserted with the entry: it is visible when the entry is, however late that commits.
create table unsealed_entries (
  entry_id bigint primary key
);

-- Whether signing is halted, by cause; append-only. The MAC covers cause, number and halted; of the rows with a valid
-- MAC the one with the highest number counts.
create table signing_halts (
  id     bigint generated always as identity primary key,
  cause  text not null,
  number bigint not null,
  halted boolean not null,
  mac    bytea not null,
  at     timestamptz(3) not null
);

-- webhooks ----------------------------------------------------------------------------------------------------------

create table event_counters (
  org_id        uuid primary key references organizations (id),
  last_sequence bigint not null default 0
);

-- The outbox. `body` is the exact text that is signed and sent.
create table events (
  org_id     uuid not null,
  id         uuid not null,
  sequence   bigint not null,
  type       text not null,
  subject_id text not null,
  body       text not null,
  created_at timestamptz(3) not null,
  primary key (org_id, id),
  unique (org_id, sequence)
);
-- Without the most frequent types, so that these cost no more to write.
create index events_type on events (org_id, type, sequence)
  where type not in ('deposit.detected', 'deposit.confirmed', 'balance.updated', 'account.created');
create index events_subject on events (org_id, subject_id, sequence);

-- An event has a delivery for each endpoint whose filter accepts it.
create table deliveries (
  org_id       uuid not null,
  event_id     uuid not null,
  endpoint_id  uuid not null,
  state        text not null check (state in ('pending', 'delivered', 'failed')),
  attempts     integer not null default 0,
  next_at      timestamptz(3),
  leased_until timestamptz(3),
  lease_token  uuid,
  finished_at  timestamptz(3),
  -- The event's sequence, by which failed deliveries are listed.
  sequence     bigint not null,
  -- The delivery fails after this many attempts. Each redelivery starts a new round.
  attempts_max integer not null default 6 check (attempts_max >= 1),
  -- Overrides the endpoint's URL; with a MAC of the service key.
  url          text,
  url_mac      bytea,
  primary key (org_id, event_id, endpoint_id)
) with (fillfactor = 50); -- A lease then updates the row in its page and leaves the indexes alone: half the cost.
create index deliveries_due on deliveries (endpoint_id, next_at) where state = 'pending';
create index deliveries_failed on deliveries (endpoint_id, sequence) where state = 'failed';

create table delivery_attempts (
  id                bigint generated always as identity primary key,
  org_id            uuid not null,
  event_id          uuid not null,
  endpoint_id       uuid not null,
  number            integer not null,
  url               text not null,
  request_headers   jsonb,
  status            integer,
  response_body     text not null default '',
  error             text not null default '',
  started_at        timestamptz(3) not null,
  finished_at       timestamptz(3) not null,
  -- JSON; stored if the response did not acknowledge the event.
  response_headers  text not null default '{}',
  -- The one request header that differs between attempts; the others follow from the event.
  request_signature text
);
create index delivery_attempts_event on delivery_attempts (org_id, event_id, number);

-- ledger ------------------------------------------------------------------------------------------------------------

-- Valid account names. A place names one address; addresses contain no colon.
create function is_ledger_account(account text) returns boolean
  language sql immutable parallel safe
  as $$
    select account in (
             'claim:unconfirmed', 'claim:available', 'claim:reserved', 'claim:below_minimum', 'claim:held',
             'claim:unattributed', 'claim:gas')
        or ((account like 'place:deposits:_%' or account like 'place:settlement:_%' or account like 'place:gas:_%')
            and account not like 'place:%:%:%')
  $$;

-- A posting is one debit and one credit of the same amount. Places are balances on the chain and grow by debits;
-- claims say who owns them and grow by credits. So the sums of both are equal by construction.
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
create index postings_created on postings (org_id, chain_id, token_id, created_at desc, id desc);
create index postings_recent on postings (chain_id, created_at);
-- What our own transactions moved, by place. `postings_in` leaves out what came from outside.
create index postings_out on postings (chain_id, credit) where credit like 'place:%';
create index postings_in on postings (chain_id, debit) where debit like 'place:%' and credit <> 'claim:unconfirmed';
-- What moved in blocks above a height: gives an address's expected balance at the end of an earlier block.
create index postings_above on postings (chain_id, block_height) where debit like 'place:%' or credit like 'place:%';

-- Written only by the trigger on postings. Only a claim that a reorg reversed after it was paid out may be negative.
create table balances (
  org_id     uuid not null,
  chain_id   text not null,
  token_id   text not null,
  account    text not null,
  amount     numeric(96,0) not null,
  overdrawn  boolean not null default false,
  updated_at timestamptz(3) not null,
  primary key (org_id, chain_id, token_id, account),
  constraint balances_not_negative
    check (amount >= 0 or (overdrawn and account in ('claim:available', 'claim:gas')))
);

-- accounts ----------------------------------------------------------------------------------------------------------

create table wallet_counter (
  only_row    boolean primary key default true check (only_row),
  next_number integer not null default 0
);

-- Branches of the key tree: one for each organization, chain and purpose.
create table wallets (
  org_id     uuid not null references organizations (id),
  chain_id   text not null,
  purpose    text not null check (purpose in ('deposit', 'settlement', 'gas')),
  number     integer not null unique check (number >= 0),
  xpub       text not null default '',
  xpub_mac   bytea not null,
  next_index bigint not null default 0 check (next_index between 0 and 2147483648),
  created_at timestamptz(3) not null,
  -- The xpub of taproot addresses (BIP-86). Covered by the MAC if it is not empty.
  xpub_p2tr  text not null default '',
  primary key (org_id, chain_id, purpose)
);

-- One account for each end user and chain.
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
  mac              bytea not null,
  primary key (org_id, id),
  unique (org_id, chain_id, external_user_id),
  -- Chains without tags: the address alone is unique.
  unique nulls not distinct (chain_id, address, destination_tag)
);
create index accounts_created on accounts (org_id, created_at desc, id desc);
create index accounts_chain on accounts (org_id, chain_id, created_at desc, id desc);
create index accounts_user on accounts (org_id, external_user_id, created_at desc, id desc);
create index accounts_path on accounts (wallet_number, path_index, id);

-- Addresses that the scanners look for. A scope is the set of chains on which an address is ours: all EVM main
-- networks, all EVM test networks, or one chain. An address belongs to one organization for ever.
create table watched_addresses (
  scope            text not null,
  address          text not null,
  org_id           uuid not null references organizations (id),
  chain_id         text not null,
  purpose          text not null check (purpose in ('deposit', 'settlement', 'gas')),
  account_id       uuid,
  external_user_id text not null default '',
  created_at       timestamptz(3) not null,
  -- The transaction that added it: a process that caches the watched addresses finds new ones by it.
  added_in         xid8 default pg_current_xact_id(),
  wallet_number    integer not null check (wallet_number >= 0),
  path_index       bigint not null check (path_index between 0 and 2147483647),
  mac              bytea not null,
  primary key (scope, address),
  foreign key (org_id, account_id) references accounts (org_id, id)
);
-- Not led by scope: without statistics the planner would prefer it to the primary key and read a whole scope.
create index watched_addresses_recent on watched_addresses (created_at);
create index watched_addresses_added on watched_addresses (added_in) where added_in is not null;
create index watched_addresses_platform on watched_addresses (org_id, chain_id, purpose) where purpose <> 'deposit';

-- The XRP Ledger account that all users of an organization share, told apart by destination tags.
create table base_accounts (
  org_id       uuid not null references organizations (id),
  chain_id     text not null,
  address      text not null,
  -- First height at which the account was ready. Untagged payments up to it are the organization's own funds.
  ready_height bigint check (ready_height >= 0),
  -- Why the account is not ready, for people; empty if it is.
  missing      text not null,
  checked_at   timestamptz(3) not null,
  -- Drops to keep in the account: its reserve, the reserve of its tickets, and some fees. Null until first read.
  keep         numeric(78,0) check (keep >= 0),
  primary key (org_id, chain_id)
);

-- transactions ------------------------------------------------------------------------------------------------------

-- Every transaction that we signed. One that moves our own funds is not a deposit.
create table own_transactions (
  chain_id   text not null,
  txn_hash   text not null,
  org_id     uuid not null references organizations (id),
  purpose    text not null check (purpose in (
    'withdrawal', 'sweep', 'top-up', 'filler', 'consolidation', 'delegation', 'undelegation')),
  created_at timestamptz(3) not null,
  primary key (chain_id, txn_hash)
);

-- Addresses that sign. A process that sends from one locks its row first.
create table senders (
  chain_id      text not null,
  address       text not null,
  org_id        uuid not null references organizations (id),
  purpose       text not null check (purpose in ('deposit', 'settlement', 'gas')),
  wallet_number integer not null check (wallet_number >= 0),
  path_index    bigint not null check (path_index between 0 and 2147483647),
  next_nonce    bigint not null check (next_nonce >= 0),
  halted_at     timestamptz(3),
  halted_cause  text not null default '',
  created_at    timestamptz(3) not null,
  updated_at    timestamptz(3) not null,
  primary key (chain_id, address)
);

-- A spend reserves one nonce of a sender. At most one of its transactions is ever included.
create table spends (
  org_id       uuid not null references organizations (id),
  id           uuid not null,
  chain_id     text not null,
  purpose      text not null check (purpose in (
    'withdrawal', 'sweep', 'top-up', 'filler', 'consolidation', 'delegation', 'undelegation')),
  -- The withdrawal, sweep, top-up or loan that it pays; itself if it pays several.
  subject_id   uuid not null,
  sender       text not null,
  nonce        bigint not null check (nonce >= 0),
  token_id     text not null,
  recipient    text not null,
  amount       numeric(78,0) not null check (amount >= 0),
  state        text not null check (state in ('Sent', 'Included', 'Settled', 'Displaced')),
  -- Upper bound of the fee of any of its transactions, in base units of the native currency.
  max_fee      numeric(78,0) not null check (max_fee >= 0),
  -- The transaction signed last; once included, the included one.
  txn_hash     text not null,
  succeeded    boolean,
  fee          numeric(78,0),
  block_height bigint,
  block_hash   text,
  -- Position among our transactions in the block: a reorg undoes them in reverse.
  block_rank   integer,
  settled_at   timestamptz(3),
  created_at   timestamptz(3) not null,
  updated_at   timestamptz(3) not null,
  -- XRP Ledger: the nonce is the number of a ticket; and how many tickets this spend creates. Tickets and sequence
  -- numbers come from the same counter, so that no number is used twice.
  ticket       boolean not null default false,
  tickets      integer not null default 0 check (tickets between 0 and 250),
  primary key (org_id, id),
  unique (chain_id, sender, nonce),
  foreign key (chain_id, sender) references senders (chain_id, address)
);
-- The database itself refuses a second payment for the same subject.
create unique index spends_once on spends (org_id, subject_id) where state <> 'Displaced';
create index spends_open on spends (chain_id, sender, nonce) where state = 'Sent';
create index spends_waiting on spends (chain_id, block_height) where state = 'Included' and succeeded is not null;
create index spends_block on spends (chain_id, block_height) where state in ('Included', 'Settled');
create index spends_subject on spends (org_id, subject_id);

-- The payments of a spend that pays several subjects, in the order of its outputs.
create table spend_subjects (
  org_id     uuid not null,
  spend_id   uuid not null,
  subject_id uuid not null,
  recipient  text not null,
  amount     numeric(78,0) not null check (amount > 0),
  position   integer not null check (position >= 0),
  -- False once the spend can never be included: another spend may then pay the subject.
  stands     boolean not null default true,
  primary key (org_id, spend_id, position),
  foreign key (org_id, spend_id) references spends (org_id, id)
);
-- The database itself refuses a second payment for the same subject.
create unique index spend_subjects_once on spend_subjects (org_id, subject_id) where stands;
create index spend_subjects_subject on spend_subjects (org_id, subject_id);

-- Every transaction signed for a spend. Only these bytes are ever broadcast.
create table spend_transactions (
  chain_id         text not null,
  txn_hash         text not null,
  org_id           uuid not null,
  spend_id         uuid not null,
  number           integer not null check (number >= 1),
  raw              bytea not null,
  max_fee          numeric(78,0) not null,
  terms            jsonb not null,
  signed_height    bigint not null,
  signed_at        timestamptz(3) not null,
  broadcast_at     timestamptz(3),
  -- Our tip at the last broadcast.
  broadcast_height bigint,
  broadcasts       integer not null default 0,
  last_answer      text not null default '',
  primary key (chain_id, txn_hash),
  unique (org_id, spend_id, number),
  foreign key (org_id, spend_id) references spends (org_id, id)
);

-- Transactions of our senders that we have no record of signing. No block while a reorg has undone it.
create table foreign_transactions (
  chain_id     text not null,
  txn_hash     text not null,
  org_id       uuid not null references organizations (id),
  sender       text not null,
  nonce        bigint check (nonce >= 0),
  block_height bigint,
  block_hash   text,
  found_at     timestamptz(3) not null,
  -- It spent an output reserved for a spend of ours and paid one of that spend's recipients: the recipient is not paid
  -- again before an operator has decided.
  pays         boolean not null default false,
  primary key (chain_id, txn_hash),
  foreign key (chain_id, sender) references senders (chain_id, address)
);
create index foreign_transactions_block on foreign_transactions (chain_id, block_height);
create index foreign_transactions_nonce on foreign_transactions (chain_id, sender, nonce);
comment on column foreign_transactions.nonce is 'null where the chain counts nobody''s transactions';

-- An operator's statement that a spend can never be included, effective when a second one confirms it.
create table spend_give_ups (
  org_id          uuid not null,
  spend_id        uuid not null,
  proposed_by     uuid not null,
  -- Number of transactions signed for the spend at the proposal; another one makes the proposal void.
  transactions    integer not null check (transactions > 0),
  confirmed_by    uuid,
  proposed_at     timestamptz(3) not null,
  -- The proposal covers a spend of which some recipients were paid by another transaction; the confirmation must too.
  despite_payment boolean not null default false,
  primary key (org_id, spend_id),
  foreign key (org_id, spend_id) references spends (org_id, id),
  constraint spend_give_ups_two_people check (confirmed_by is null or confirmed_by <> proposed_by)
);

-- A request to replace a transaction before it is stuck. It ends with the replacement, or if another transaction of the
-- spend becomes the current one.
create table speed_ups (
  org_id       uuid not null,
  spend_id     uuid not null,
  -- The transaction to replace.
  txn_hash     text not null,
  requested_at timestamptz(3) not null,
  primary key (org_id, spend_id),
  foreign key (org_id, spend_id) references spends (org_id, id)
);

-- Withdrawals for which a transaction was ever signed. Written only by triggers, so that no role of the running
-- service can add, change or remove a row.
create table signed_withdrawals (
  org_id        uuid not null,
  withdrawal_id uuid not null,
  spend_id      uuid not null,
  primary key (org_id, withdrawal_id, spend_id)
);

-- transactions/utxo -------------------------------------------------------------------------------------------------

-- Outputs that pay an address of ours.
create table coins (
  org_id       uuid not null references organizations (id),
  chain_id     text not null,
  txn_hash     text not null,
  vout         integer not null check (vout >= 0),
  address      text not null,
  amount       numeric(78,0) not null check (amount > 0),
  place        text not null check (place in ('deposits', 'settlement')),
  -- Null until its transaction is included, and while a reorg has undone it.
  block_height bigint,
  block_hash   text,
  -- Our change: immediately. A deposit or funding: once it is credited.
  spendable    boolean not null,
  -- The spend that reserved it; null if it is free. Kept after the spend is settled.
  spend_id     uuid,
  -- The block and the transaction that spent it, whoever signed that.
  spent_height bigint,
  spent_hash   text,
  spent_by     text,
  created_at   timestamptz(3) not null,
  updated_at   timestamptz(3) not null,
  -- Height of the block that a reorg took it out of; null while it has a block, and if it never had one.
  lost_height  bigint,
  primary key (chain_id, txn_hash, vout),
  -- Deferred: the reservation is written before the spend, in the same transaction.
  foreign key (org_id, spend_id) references spends (org_id, id) deferrable initially deferred,
  constraint coins_block_whole check ((block_height is null) = (block_hash is null)),
  constraint coins_spent_whole
    check ((spent_height is null) = (spent_hash is null) and (spent_height is null) = (spent_by is null)),
  constraint coins_spent_later
    check (spent_height is null or (block_height is not null and spent_height >= block_height)),
  constraint coins_lost_whole check (lost_height is null or block_height is null)
);
create index coins_free on coins (org_id, chain_id, amount, txn_hash, vout)
  where spend_id is null and spent_height is null and spendable and block_height is not null;
create index coins_unspent on coins (chain_id, address) where spent_height is null;
create index coins_spend on coins (org_id, spend_id) where spend_id is not null;
create index coins_block on coins (chain_id, block_height);
create index coins_spent on coins (chain_id, spent_height) where spent_height is not null;
create index coins_spender on coins (chain_id, spent_by) where spent_by is not null;
create index coins_lost on coins (chain_id) where lost_height is not null and spend_id is not null;

-- The inputs of a foreign transaction that paid us. If another included transaction spends one of them, the outputs
-- that it paid us can never be included again.
create table coin_origins (
  chain_id     text not null,
  txn_hash     text not null,
  -- Concatenated, 36 bytes each: the txid in the order it is written, and the output's number.
  spends       bytea not null check (length(spends) > 0 and length(spends) % 36 = 0),
  taken_height bigint,
  taken_hash   text,
  taken_by     text,
  primary key (chain_id, txn_hash),
  constraint coin_origins_taken_whole
    check ((taken_height is null) = (taken_hash is null) and (taken_height is null) = (taken_by is null)),
  constraint coin_origins_taken_by_another check (taken_by <> txn_hash)
);
create index coin_origins_taken on coin_origins (chain_id, taken_height) where taken_height is not null;

-- The inputs of a transaction that we signed. All transactions of a spend have an input in common with its first.
create table transaction_coins (
  org_id    uuid not null references organizations (id),
  chain_id  text not null,
  txn_hash  text not null,
  coin_hash text not null,
  coin_vout integer not null check (coin_vout >= 0),
  primary key (chain_id, txn_hash, coin_hash, coin_vout),
  foreign key (chain_id, txn_hash) references spend_transactions (chain_id, txn_hash)
);
create index transaction_coins_coin on transaction_coins (chain_id, coin_hash, coin_vout);

-- transactions/ticket -----------------------------------------------------------------------------------------------

-- XRP Ledger tickets of a sender. Free while it stands and no spend has its number.
create table tickets (
  chain_id   text not null,
  address    text not null,
  number     bigint not null check (number > 0),
  org_id     uuid not null references organizations (id),
  -- False once a reorg took the ledger that created it, or the chain no longer has it.
  standing   boolean not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (chain_id, address, number),
  foreign key (chain_id, address) references senders (chain_id, address)
);

-- incoming transfers -------------------------------------------------------------------------------------------------

-- Transfers from outside to an address of ours: deposits to accounts, fundings to settlement addresses and gas wallets.
create table incoming_transfers (
  org_id           uuid not null,
  id               uuid not null,
  -- Purpose of the address on the chain it was issued on. Only deposits belong to an account and are shown as deposits.
  purpose          text not null check (purpose in ('deposit', 'settlement', 'gas')),
  chain_id         text not null,
  txn_hash         text not null,
  position         text not null,
  token_id         text not null,
  address          text not null,
  -- Kind of ledger place that holds the money: at an address of another chain, and for a token at a gas wallet, it is
  -- `deposits`, and the money is swept.
  place            text not null check (place in ('deposits', 'settlement', 'gas')),
  account_id       uuid,
  account_chain_id text,
  external_user_id text not null default '',
  sender_address   text not null default '',
  amount           numeric(78,0) not null check (amount > 0),
  net_movement     numeric(96,0) not null,
  status           text not null check (status in ('Detected', 'Confirmed', 'BelowMinimum', 'Held', 'Orphaned')),
  booked           text not null
    check (booked in ('unconfirmed', 'available', 'gas', 'below_minimum', 'held', 'none')),
  -- Base units that a base account keeps as gas while the rest is available.
  gas_part         numeric(78,0) not null default 0 check (gas_part between 0 and amount),
  held_cause       text not null default '',
  -- Released by an operator or the audit: no check holds it again.
  cleared          boolean not null default false,
  block_height     bigint not null,
  block_hash       text not null,
  -- First height at which the coins can be spent and credited; null: at once.
  matures_at       bigint,
  confirmed_at     timestamptz(3),
  confirmed_height bigint,
  created_at       timestamptz(3) not null,
  updated_at       timestamptz(3) not null,
  primary key (org_id, id),
  unique (chain_id, txn_hash, position, address, token_id),
  constraint incoming_transfers_account
    check ((purpose = 'deposit') = (account_id is not null) and (account_id is null) = (account_chain_id is null)),
  constraint incoming_transfers_minimum check (status <> 'BelowMinimum' or purpose = 'deposit')
);

create index incoming_transfers_waiting on incoming_transfers (chain_id, block_height) where status = 'Detected';
create index incoming_transfers_maturing on incoming_transfers (chain_id, matures_at)
  where status = 'Detected' and matures_at is not null;
create index incoming_transfers_block on incoming_transfers (chain_id, block_height);
create index incoming_transfers_held on incoming_transfers (chain_id, address) where status = 'Held';
create index incoming_transfers_small on incoming_transfers (org_id, account_id, chain_id, token_id)
  where status = 'BelowMinimum';
-- The lists that the interface shows.
create index deposits_created on incoming_transfers (org_id, created_at desc, id desc) where purpose = 'deposit';
create index deposits_user on incoming_transfers (org_id, external_user_id, created_at desc, id desc)
  where purpose = 'deposit';
create index deposits_address on incoming_transfers (org_id, address, created_at desc, id desc)
  where purpose = 'deposit';
create index deposits_token on incoming_transfers (org_id, chain_id, token_id, created_at desc, id desc)
  where purpose = 'deposit';
create index deposits_aside on incoming_transfers (org_id, status, created_at desc, id desc)
  where status <> 'Confirmed' and purpose = 'deposit';

-- Payments to a base account with no tag or an unknown one. The claim `unattributed` holds the amount until two
-- operators have assigned it to a user; then it is a deposit.
create table unattributed_deposits (
  org_id           uuid not null references organizations (id),
  id               uuid not null,
  chain_id         text not null,
  txn_hash         text not null,
  position         text not null,
  token_id         text not null,
  address          text not null,
  -- Null if the payment had no tag, which is not the tag 0.
  tag              bigint check (tag between 0 and 4294967295),
  sender_address   text not null default '',
  amount           numeric(78,0) not null check (amount > 0),
  net_movement     numeric(96,0) not null,
  block_height     bigint not null,
  block_hash       text not null,
  state            text not null default 'Waiting' check (state in ('Waiting', 'Proposed', 'Assigned')),
  -- The user that the first operator proposed.
  external_user_id text not null default '',
  proposed_by      text not null default '',
  assigned_by      text not null default '',
  deposit_id       uuid,
  created_at       timestamptz(3) not null,
  updated_at       timestamptz(3) not null,
  primary key (org_id, id),
  unique (chain_id, txn_hash, position, address, token_id),
  foreign key (org_id, deposit_id) references incoming_transfers (org_id, id),
  constraint unattributed_two_people check (state <> 'Assigned' or (proposed_by <> '' and assigned_by <> proposed_by)),
  constraint unattributed_deposit check ((state = 'Assigned') = (deposit_id is not null))
);
create index unattributed_created on unattributed_deposits (org_id, created_at desc, id desc);
create index unattributed_open on unattributed_deposits (chain_id, created_at) where state <> 'Assigned';

-- withdrawals -------------------------------------------------------------------------------------------------------

-- The MAC covers every field that decides the payment: amount, recipient, and the approvals that it needs.
create table withdrawals (
  org_id             uuid not null references organizations (id),
  id                 uuid not null,
  chain_id           text not null,
  token_id           text not null,
  amount             numeric(78,0) not null check (amount > 0),
  recipient          text not null,
  memo               text,
  reference          text not null,
  internal_note      text,
  external_user_id   text,
  status             text not null
    check (status in ('Pending', 'PendingApproval', 'Processing', 'Completed', 'Failed', 'Cancelled')),
  required_approvals integer not null check (required_approvals >= 1),
  required_humans    integer not null check (required_humans >= 0),
  initiator          uuid not null,
  mac                bytea not null,
  spend_id           uuid,
  txn_hash           text,
  txn_error          text,
  -- The reason of a rejection, or empty; null unless it was rejected. For people: no decision depends on it.
  reject_reason      text,
  -- The API key that created it; null if a person did. For people: no decision depends on it.
  api_key_id         uuid,
  failure_code       text,
  fee                numeric(78,0),
  -- What it waits for, and since when; null once it has ended. The API shows 'funds' as 'confirmations'.
  waiting_for        text check (
    waiting_for in ('approvals', 'confirmations', 'gas', 'fee', 'funds', 'chain', 'signer', 'operator')),
  waiting_since      timestamptz(3),
  completed_at       timestamptz(3),
  created_at         timestamptz(3) not null,
  updated_at         timestamptz(3) not null,
  primary key (org_id, id),
  unique (org_id, reference),
  foreign key (org_id, initiator) references users (org_id, id),
  foreign key (org_id, api_key_id) references api_keys (org_id, id),
  foreign key (org_id, spend_id) references spends (org_id, id)
);
create index withdrawals_created on withdrawals (org_id, created_at desc, id desc);
create index withdrawals_aside on withdrawals (org_id, status, created_at desc, id desc) where status <> 'Completed';
create index withdrawals_chain on withdrawals (org_id, chain_id, created_at desc, id desc);
create index withdrawals_user on withdrawals (org_id, external_user_id, created_at desc, id desc)
  where external_user_id is not null;
create index withdrawals_token on withdrawals (org_id, token_id, created_at desc, id desc);
create index withdrawals_recipient on withdrawals (org_id, recipient, created_at desc, id desc);
create index withdrawals_hash on withdrawals (org_id, txn_hash, created_at desc, id desc) where txn_hash is not null;
create index withdrawals_pending on withdrawals (chain_id, created_at, id) where status = 'Pending';
create index withdrawals_processing on withdrawals (chain_id) where status = 'Processing';
create index withdrawals_stopped on withdrawals (chain_id) where waiting_for = 'chain';

-- A void approval stays visible and does not count.
create table withdrawal_approvals (
  org_id        uuid not null,
  id            uuid not null,
  withdrawal_id uuid not null,
  user_id       uuid not null,
  -- The code or the passkey that proved it; 0 and null for the initiator's, which is the request itself. A removed
  -- passkey stays named here.
  totp_step     bigint not null,
  passkey_id    uuid,
  mac           bytea not null,
  voided_at     timestamptz(3),
  void_cause    text not null default '',
  created_at    timestamptz(3) not null,
  primary key (org_id, id),
  foreign key (org_id, withdrawal_id) references withdrawals (org_id, id),
  foreign key (org_id, user_id) references users (org_id, id)
);
create unique index withdrawal_approvals_standing
  on withdrawal_approvals (org_id, withdrawal_id, user_id) where voided_at is null;

-- sweeps ------------------------------------------------------------------------------------------------------------

-- Transfers of confirmed deposits from a deposit address to the settlement account.
create table sweeps (
  org_id     uuid not null references organizations (id),
  id         uuid not null,
  chain_id   text not null,
  token_id   text not null,
  address    text not null,
  amount     numeric(78,0) not null check (amount > 0),
  -- Base units that arrived at the settlement account according to the block; 0 until then.
  moved      numeric(78,0) not null default 0 check (moved >= 0),
  state      text not null check (state in ('Waiting', 'Sent', 'Done', 'Failed')),
  spend_id   uuid,
  -- Why it failed, in words and as a code.
  cause        text not null default '',
  failure_code text check (failure_code is null or state = 'Failed'),
  -- Why it is not signed yet, and since when; null before the first attempt.
  waiting_for   text check (waiting_for in ('confirmations', 'gas', 'fee', 'chain')),
  waiting_since timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (org_id, id),
  foreign key (org_id, spend_id) references spends (org_id, id),
  check (waiting_for is null or state = 'Waiting'),
  check ((waiting_for is null) = (waiting_since is null))
);
create unique index sweeps_open on sweeps (chain_id, address, token_id) where state in ('Waiting', 'Sent');
create index sweeps_waiting on sweeps (chain_id, updated_at, id) where state = 'Waiting';
create index sweeps_created on sweeps (org_id, created_at desc, id desc);
create index sweeps_aside on sweeps (org_id, state, created_at desc, id desc) where state <> 'Done';
create index sweeps_chain on sweeps (org_id, chain_id, created_at desc, id desc);
create index sweeps_token on sweeps (org_id, token_id, created_at desc, id desc);
create index sweeps_address on sweeps (org_id, address, token_id, created_at);
create index sweeps_failed on sweeps (chain_id, address, token_id, updated_at) where state = 'Failed';

-- gas ---------------------------------------------------------------------------------------------------------------

-- Native currency sent from a gas wallet to an address that pays fees.
create table top_ups (
  org_id     uuid not null references organizations (id),
  id         uuid not null,
  chain_id   text not null,
  address    text not null,
  place      text not null check (place in ('deposits', 'settlement')),
  amount     numeric(78,0) not null check (amount > 0),
  state      text not null check (state in ('Sent', 'Done', 'Failed')),
  spend_id   uuid,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (org_id, id),
  foreign key (org_id, spend_id) references spends (org_id, id)
);
-- At most one top-up of an address at a time.
create unique index top_ups_open on top_ups (chain_id, address) where state = 'Sent';

-- Whether a gas wallet was low when last checked, so that each change is reported once.
create table gas_levels (
  org_id     uuid not null references organizations (id),
  chain_id   text not null,
  low        boolean not null,
  updated_at timestamptz(3) not null,
  primary key (org_id, chain_id)
);

-- TRON: the part of a gas wallet's stake that is delegated to one address as energy.
create table energy_loans (
  org_id     uuid not null references organizations (id),
  id         uuid not null,
  chain_id   text not null,
  address    text not null,
  place      text not null check (place in ('deposits', 'settlement')),
  stake      numeric(78,0) not null check (stake > 0),
  energy     numeric(78,0) not null check (energy > 0),
  state      text not null check (state in ('Lending', 'Lent', 'Returning', 'Returned', 'Failed')),
  -- The delegating spend; and the subject of the undelegating one (the newest, if one failed).
  spend_id   uuid,
  return_id  uuid,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (org_id, id),
  foreign key (org_id, spend_id) references spends (org_id, id)
);
-- At most one open loan for each address.
create unique index energy_loans_open on energy_loans (chain_id, address)
  where state in ('Lending', 'Lent', 'Returning');
create index energy_loans_standing on energy_loans (chain_id) where state in ('Lending', 'Lent', 'Returning');
create unique index energy_loans_return on energy_loans (org_id, return_id);

-- The part of a loan that a payment uses.
create table energy_uses (
  org_id     uuid not null references organizations (id),
  subject_id uuid not null,
  loan_id    uuid not null,
  energy     numeric(78,0) not null check (energy > 0),
  created_at timestamptz(3) not null,
  primary key (org_id, subject_id),
  foreign key (org_id, loan_id) references energy_loans (org_id, id)
);
create index energy_uses_loan on energy_uses (org_id, loan_id);

-- scanner -----------------------------------------------------------------------------------------------------------

-- The chain's blocks, each connected to its parent, down to the depth that is kept.
create table blocks (
  chain_id    text not null,
  height      bigint not null,
  hash        text not null,
  parent_hash text not null,
  time        timestamptz(3) not null,
  primary key (chain_id, height)
);

-- Ranges that an operator ordered to be scanned again. The holder of the chain's lease scans them.
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

-- audit -------------------------------------------------------------------------------------------------------------

-- Differences between the ledger and the chains.
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

-- Functions and triggers: balances follow the postings --------------------------------------------------------------

-- A statement's postings are summed for each balance. Existing balances are locked in the order of their keys and
-- updated, then new ones are inserted in that order, so that two transactions never deadlock. Existing ones take an
-- update because an upsert applies checks to the proposed row before it is added to the existing one. A row that
-- another transaction inserted meanwhile is not in `locked`; the upsert adds to it.
-- The planner settings keep a plan that was made while the tables were small from scanning them once they are large.
create function apply_postings() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
  as $$
  begin
    with moved as materialized (
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
    ), locked as materialized (
      select m.*, b.stands
        from moved m
        left join lateral (
          select true as stands
            from public.balances
           where org_id = m.org_id
             and chain_id = m.chain_id
             and token_id = m.token_id
             and account = m.account
             for update
        ) b on true
    ), added as (
      -- Only a reversal may leave a balance below zero; whoever takes anything else needs all of it covered.
      update public.balances b
         set amount = b.amount + l.amount,
             overdrawn = b.amount + l.amount < 0 and not l.takes,
             updated_at = greatest(b.updated_at, l.created_at)
        from locked l
       where l.stands
         and b.org_id = l.org_id
         and b.chain_id = l.chain_id
         and b.token_id = l.token_id
         and b.account = l.account
    )
    insert into public.balances as b (org_id, chain_id, token_id, account, amount, overdrawn, updated_at)
    select org_id, chain_id, token_id, account, amount, amount < 0 and not takes, created_at
      from locked
     where stands is null
     order by org_id, chain_id, token_id, account
        on conflict (org_id, chain_id, token_id, account) do update
       set amount = b.amount + excluded.amount,
           overdrawn = b.amount + excluded.amount < 0 and not (
             select l.takes
               from locked l
              where l.org_id = b.org_id
                and l.chain_id = b.chain_id
                and l.token_id = b.token_id
                and l.account = b.account),
           updated_at = greatest(b.updated_at, excluded.updated_at);
    return null;
  end
  $$;
create trigger postings_apply
  after insert on postings
  referencing new table as new_postings
  for each statement execute function apply_postings();

-- Functions and triggers: parents exist -----------------------------------------------------------------------------

-- These triggers replace foreign keys of the tables with the most inserts: one check for each statement instead of one
-- for each row, and no locks on the parents (docs/decisions/0023). That is safe because parents are never deleted and
-- keys never change. Planner settings as in `apply_postings`.
create function demand_organizations() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
  as $$
  begin
    if exists (select from (select distinct org_id from added) a
                where not exists (select from public.organizations p where p.id = a.org_id)) then
      raise exception 'a row of % belongs to no organization', tg_table_name using errcode = 'foreign_key_violation';
    end if;
    return null;
  end
  $$;

-- The parent of a deposit is its account, that of a funding its organization.
create function demand_accounts() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
  as $$
  begin
    if exists (select from added a
                where a.account_id is not null
                  and not exists (select from public.accounts p where p.org_id = a.org_id and p.id = a.account_id)) then
      raise exception 'a row of % belongs to no account', tg_table_name using errcode = 'foreign_key_violation';
    end if;
    if exists (select from added a
                where a.account_id is null
                  and not exists (select from public.organizations p where p.id = a.org_id)) then
      raise exception 'a row of % belongs to no organization', tg_table_name using errcode = 'foreign_key_violation';
    end if;
    return null;
  end
  $$;

create function demand_events() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
  as $$
  begin
    if exists (select from added a
                where not exists (select from public.events p where p.org_id = a.org_id and p.id = a.event_id)) then
      raise exception 'a row of % belongs to no event', tg_table_name using errcode = 'foreign_key_violation';
    end if;
    return null;
  end
  $$;

create trigger balances_belong after insert on balances
  referencing new table as added for each statement execute function demand_organizations();
create trigger events_belong after insert on events
  referencing new table as added for each statement execute function demand_organizations();
create trigger incoming_transfers_belong after insert on incoming_transfers
  referencing new table as added for each statement execute function demand_accounts();
create trigger deliveries_belong after insert on deliveries
  referencing new table as added for each statement execute function demand_events();
create trigger delivery_attempts_belong after insert on delivery_attempts
  referencing new table as added for each statement execute function demand_events();

create trigger organizations_keep_keys after update of id on organizations
  for each row when (old.id <> new.id) execute function refuse_another_key();
create trigger accounts_keep_keys after update of org_id, id on accounts
  for each row when (old.org_id <> new.org_id or old.id <> new.id) execute function refuse_another_key();
create trigger events_keep_keys after update of org_id, id on events
  for each row when (old.org_id <> new.org_id or old.id <> new.id) execute function refuse_another_key();
create trigger balances_keep_keys after update of org_id on balances
  for each row when (old.org_id <> new.org_id) execute function refuse_another_key();
create trigger incoming_transfers_keep_keys after update of org_id, account_id, purpose, place on incoming_transfers
  for each row when (old.org_id <> new.org_id or old.purpose <> new.purpose or old.place <> new.place
                     or old.account_id is distinct from new.account_id)
  execute function refuse_another_key();
create trigger deliveries_keep_keys after update of org_id, event_id, endpoint_id on deliveries
  for each row when (old.org_id <> new.org_id or old.event_id <> new.event_id or old.endpoint_id <> new.endpoint_id)
  execute function refuse_another_key();
create trigger delivery_attempts_keep_keys after update of org_id, event_id on delivery_attempts
  for each row when (old.org_id <> new.org_id or old.event_id <> new.event_id) execute function refuse_another_key();

-- A restore inserts rows while triggers are disabled and calls this at its end.
create function find_orphans() returns table (kind text, orphans bigint)
  language sql stable set search_path = public, pg_temp
  as $$
    select 'balances', count(*) from balances c
     where not exists (select from organizations p where p.id = c.org_id)
     union all
    select 'events', count(*) from events c
     where not exists (select from organizations p where p.id = c.org_id)
     union all
    select 'incoming_transfers', count(*) from incoming_transfers c
     where not exists (select from organizations p where p.id = c.org_id)
        or c.account_id is not null
       and not exists (select from accounts p where p.org_id = c.org_id and p.id = c.account_id)
     union all
    select 'deliveries', count(*) from deliveries c
     where not exists (select from events p where p.org_id = c.org_id and p.id = c.event_id)
     union all
    select 'delivery_attempts', count(*) from delivery_attempts c
     where not exists (select from events p where p.org_id = c.org_id and p.id = c.event_id)
  $$;

-- Functions and triggers: audit log, signed withdrawals, superseded rows --------------------------------------------

create function await_seal() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
  as $$
  begin
    insert into public.unsealed_entries (entry_id) values (new.id);
    return null;
  end
  $$;
create trigger audit_log_awaits_seal after insert on audit_log
  for each row execute function await_seal();

create function keep_signed_spend() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
  as $$
  begin
    insert into public.signed_withdrawals (org_id, withdrawal_id, spend_id)
    values (new.org_id, new.subject_id, new.id)
        on conflict do nothing;
    return null;
  end
  $$;
create function keep_signed_subject() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
  as $$
  begin
    insert into public.signed_withdrawals (org_id, withdrawal_id, spend_id)
    values (new.org_id, new.subject_id, new.spend_id)
        on conflict do nothing;
    return null;
  end
  $$;
create trigger spends_signed after insert on spends
  for each row when (new.purpose = 'withdrawal') execute function keep_signed_spend();
create trigger spend_subjects_signed after insert on spend_subjects
  for each row execute function keep_signed_subject();

create function keep_superseded() returns trigger
  language plpgsql security definer set search_path = public, pg_temp set bytea_output = hex
  as $$
  declare
    before jsonb := to_jsonb(old);
    after  jsonb := case when tg_op = 'DELETE' then '{}' else to_jsonb(new) end;
    name   text;
  begin
    foreach name in array tg_argv loop
      if coalesce(before ->> name, '') not in ('', '\x')
         and before ->> name is distinct from after ->> name then
        insert into public.superseded (digest)
        values (sha256(case when before ->> name like '\\x%' then (before ->> name)::bytea
                            else convert_to(before ->> name, 'UTF8') end))
            on conflict do nothing;
      end if;
    end loop;
    return null;
  end
  $$;
create trigger organizations_superseded after update of mac or delete on organizations
  for each row execute function keep_superseded('mac');
create trigger users_superseded after update of mac, password_hash, totp_secret or delete on users
  for each row execute function keep_superseded('mac', 'password_hash', 'totp_secret');
create trigger invitations_superseded after update of mac or delete on invitations
  for each row execute function keep_superseded('mac');
create trigger recovery_codes_superseded after update of hash or delete on recovery_codes
  for each row execute function keep_superseded('hash');
create trigger passkeys_superseded after update of mac or delete on passkeys
  for each row execute function keep_superseded('mac');
create trigger api_keys_superseded after update of mac or delete on api_keys
  for each row execute function keep_superseded('mac');
create trigger webhook_endpoints_superseded after update of mac or delete on webhook_endpoints
  for each row execute function keep_superseded('mac');

-- Returns a MAC, an encrypted secret or a password hash; empty if it was superseded.
create function in_force(value bytea) returns bytea
  language sql stable set search_path = public, pg_temp
  as $$
    select case
             when exists (
                    select
                      from public.superseded s
                     where s.digest = sha256(value))
             then ''::bytea
             else value end
  $$;
create function in_force(value text) returns text
  language sql stable set search_path = public, pg_temp
  as $$
    select case
             when exists (
                    select
                      from public.superseded s
                     where s.digest = sha256(convert_to(value, 'UTF8')))
             then ''
             else value end
  $$;

-- Whether the deliveries of an endpoint wait.
create function is_endpoint_paused(endpoint uuid) returns boolean
  language sql stable set search_path = public, pg_temp
  as $$
    select exists (
             select
               from public.webhook_endpoints w
              where w.id = endpoint
                and w.paused_at is not null)
  $$;

-- Triggers: rows that never change or are never deleted -------------------------------------------------------------

create trigger audit_log_immutable before update or delete or truncate on audit_log
  for each statement execute function refuse_change();
create trigger audit_seals_immutable before update or delete or truncate on audit_seals
  for each statement execute function refuse_change();
create trigger postings_immutable before update or delete or truncate on postings
  for each statement execute function refuse_change();
create trigger signed_withdrawals_immutable before update or delete or truncate on signed_withdrawals
  for each statement execute function refuse_change();
create trigger signing_halts_immutable before update or delete or truncate on signing_halts
  for each statement execute function refuse_change();
create trigger superseded_immutable before update or delete or truncate on superseded
  for each statement execute function refuse_change();

-- A restore fills empty tables, so it needs no delete.
create trigger accounts_stand before delete or truncate on accounts
  for each statement execute function refuse_change();
create trigger events_stand before delete or truncate on events
  for each statement execute function refuse_change();
create trigger organizations_stand before delete or truncate on organizations
  for each statement execute function refuse_change();
create trigger spend_subjects_stand before delete or truncate on spend_subjects
  for each statement execute function refuse_change();
create trigger spend_transactions_stand before delete or truncate on spend_transactions
  for each statement execute function refuse_change();
create trigger spends_stand before delete or truncate on spends
  for each statement execute function refuse_change();
create trigger withdrawals_stand before delete or truncate on withdrawals
  for each statement execute function refuse_change();

-- Functions for sluice_api across organizations ---------------------------------------------------------------------

-- The owner of an API key and of a user name are queried before the organization is known.
create function api_key_owner(key_hash bytea)
  returns table (
    org_id uuid, id uuid, user_id uuid, user_status text, hash bytea, name text, scopes text[], networks text[],
    expires_at timestamp (3) with time zone, is_default boolean, revoked_at timestamp (3) with time zone, version uuid,
    mac bytea
  )
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select k.org_id, k.id, k.user_id, u.status, k.hash, k.name, k.scopes, k.networks, k.expires_at, k.is_default,
           k.revoked_at, k.version, public.in_force(k.mac)
      from public.api_keys k
      join public.users u on u.org_id = k.org_id and u.id = k.user_id
     where k.hash = key_hash
  $$;
create function user_of_name(name text)
  returns table (
    org_id uuid, id uuid, username text, role text, status text, password_hash text, mac bytea, version uuid,
    created_at timestamp (3) with time zone, updated_at timestamp (3) with time zone
  )
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select u.org_id, u.id, u.username, u.role, u.status, public.in_force(u.password_hash), public.in_force(u.mac),
           u.version, u.created_at, u.updated_at
      from public.users u
     where lower(u.username) = lower(name)
  $$;

-- The holder of an invitation is not signed in, so its organization is not known.
create function invitation_of_hash(token_hash bytea)
  returns table (org_id uuid, id uuid)
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select i.org_id, i.id
      from public.invitations i
     where i.hash = token_hash
  $$;

-- Whether a withdrawal's recipient is a settlement or gas address of any organization, which none may pay.
create function is_platform_address(of_scope text, of_address text) returns boolean
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select exists (
      select 1
        from public.watched_addresses
       where scope = of_scope
         and address = of_address
         and purpose <> 'deposit')
  $$;

-- Explains to an organization why its payment is not credited; of alerts it can read no more.
create function is_chain_disputed(of_chain text) returns boolean
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select exists (
      select 1
        from public.alerts
       where code = 'chain.disputed'
         and subject = of_chain
         and resolved_at is null)
  $$;

-- Row-level security ------------------------------------------------------------------------------------------------

-- Forced, so that it binds the owner too: sluice_api sees the rows of its organization, the others see all.
do $$
declare
  tenant text;
begin
  foreach tenant in array array[
    'accounts', 'alerts', 'api_keys', 'audit_findings', 'audit_log', 'balances', 'base_accounts', 'coins', 'deliveries',
    'delivery_attempts', 'energy_loans', 'energy_uses', 'event_counters', 'events', 'foreign_transactions',
    'gas_levels', 'incoming_transfers', 'invitations', 'org_switches', 'own_transactions', 'passkeys', 'postings',
    'recovery_codes', 'senders', 'sessions', 'signed_withdrawals', 'signing_secrets', 'speed_ups', 'spend_give_ups',
    'spend_subjects', 'spend_transactions', 'spends', 'sweeps', 'tickets', 'top_ups', 'transaction_coins',
    'unattributed_deposits', 'users', 'wallets', 'watched_addresses', 'webhook_endpoints', 'withdrawal_approvals',
    'withdrawals'
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

-- Grants ------------------------------------------------------------------------------------------------------------

-- The loops move amounts and states. They never rewrite what a payment is for, what was signed, asked for or approved.
grant select on audit_log, balances, signed_withdrawals, signing_halts, superseded to sluice_engine;
grant select, insert on audit_seals, events, postings, spend_subjects, spend_transactions, spends,
  transaction_coins, withdrawal_approvals, withdrawals to sluice_engine;
grant select, insert, update on accounts, alerts, api_keys, audit_findings, base_accounts, chain_states,
  coin_origins, coins, deliveries, energy_loans, energy_uses, event_counters, foreign_transactions, gas_levels,
  incoming_transfers, invitations, leases, organizations, own_transactions, rescans, senders, signing_secrets,
  spend_give_ups, sweeps, tickets, token_checks, top_ups, unattributed_deposits, users, wallet_counter, wallets,
  watched_addresses, webhook_endpoints to sluice_engine;
grant select, insert, update, delete on blocks, chain_nodes, delivery_attempts, guesses, request_counts, sessions,
  speed_ups to sluice_engine;
grant select, insert, delete on passkeys, recovery_codes to sluice_engine, sluice_api;
grant select, delete on unsealed_entries to sluice_engine;
grant insert (at, org_id, actor, action, object, details) on audit_log to sluice_engine;
grant select, insert (org_id, subject, enabled, updated_at), update (enabled, updated_at) on org_switches to
  sluice_engine;
grant insert (cause, number, halted, mac, at) on signing_halts to sluice_engine;
grant update (stands) on spend_subjects to sluice_engine;
grant update (signed_height, broadcast_at, broadcast_height, broadcasts, last_answer) on spend_transactions to
  sluice_engine;
grant update (state, max_fee, txn_hash, succeeded, fee, block_height, block_hash, block_rank, settled_at,
  updated_at) on spends to sluice_engine;
grant update (voided_at, void_cause) on withdrawal_approvals to sluice_engine;
grant update (status, spend_id, txn_hash, txn_error, failure_code, fee, waiting_for, waiting_since, completed_at,
  updated_at) on withdrawals to sluice_engine;

-- Requests create accounts, withdrawals and approvals, and change settings.
grant select on alerts, audit_log, balances, base_accounts, chain_states, coins, delivery_attempts, energy_loans, energy_uses,
  foreign_transactions, gas_levels, incoming_transfers, org_switches, senders, signed_withdrawals,
  spend_subjects, spend_transactions, spends, superseded, sweeps, token_checks, top_ups, transaction_coins,
  unattributed_deposits to sluice_api;
grant select (chain_id, state, checked_at) on chain_nodes to sluice_api;
grant select, insert on accounts, deliveries, events, invitations, postings, sessions, users, watched_addresses,
  withdrawal_approvals, withdrawals to sluice_api;
grant select, insert, update on api_keys, event_counters, guesses, request_counts, signing_secrets, speed_ups, wallets
  to sluice_api;
grant select, update on organizations, wallet_counter to sluice_api;
grant select, insert, delete on webhook_endpoints to sluice_api;
grant update (url, event_types, paused_at, secret_id, version, mac, updated_at) on webhook_endpoints to sluice_api;
grant insert (at, org_id, actor, action, object, details) on audit_log to sluice_api;
grant insert (org_id, subject, paused, updated_at), update (paused, updated_at) on org_switches to sluice_api;
grant update (state, attempts, next_at, leased_until, lease_token, finished_at, attempts_max, url, url_mac)
  on deliveries to sluice_api;
grant update (role, ended_at, end_cause, mac) on invitations to sluice_api;
grant update (counter, name, mac, last_used_at) on passkeys to sluice_api;
grant update (ended_at, end_cause) on sessions to sluice_api;
grant update (role, status, password_hash, totp_secret, last_totp_step, last_login_at, mac, version, updated_at) on
  users to sluice_api;
grant update (acknowledged_at, acknowledged_by) on alerts to sluice_api;
grant update (voided_at, void_cause) on withdrawal_approvals to sluice_api;
grant update (status, txn_error, reject_reason, failure_code, waiting_for, waiting_since, updated_at) on withdrawals
  to sluice_api;
grant usage on schema public to sluice_engine, sluice_api;
grant usage on sequence audit_findings_id_seq, audit_log_id_seq, delivery_attempts_id_seq, postings_id_seq
  to sluice_engine, sluice_api;

revoke all on function
  api_key_owner(bytea), invitation_of_hash(bytea), user_of_name(text), in_force(bytea), in_force(text),
  is_chain_disputed(text), await_seal(), demand_organizations(), demand_accounts(), demand_events(),
  keep_signed_spend(), keep_signed_subject(), keep_superseded()
  from public;
grant execute on function
  api_key_owner(bytea), invitation_of_hash(bytea), user_of_name(text), in_force(bytea), in_force(text),
  is_chain_disputed(text), is_platform_address(text, text), is_endpoint_paused(uuid), current_org()
  to sluice_engine, sluice_api;

-- Seed rows ---------------------------------------------------------------------------------------------------------

insert into wallet_counter default values;

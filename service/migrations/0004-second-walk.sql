-- The second walk: what leaves the house, who allowed it, and how money moves inside.

-- spends: an address of ours that signs. Whoever sends from it locks its row first (engineering, 3).
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

-- spends: one reservation (a nonce) of a sender and what it is for. At most one of its transactions is ever included.
create table spends (
  org_id       uuid not null references organizations (id),
  id           uuid not null,
  chain_id     text not null,
  purpose      text not null check (purpose in ('withdrawal', 'sweep', 'top-up', 'filler', 'consolidation')),
  -- The withdrawal, sweep or top-up that asked.
  subject_id   uuid not null,
  sender       text not null,
  nonce        bigint not null check (nonce >= 0),
  token_id     text not null,
  recipient    text not null,
  amount       numeric(78,0) not null check (amount >= 0),
  state        text not null check (state in ('Sent', 'Included', 'Settled', 'Displaced')),
  -- The most that any of its transactions may cost, in base units of the native currency.
  max_fee      numeric(78,0) not null check (max_fee >= 0),
  -- The transaction signed last; from its inclusion on, the one that was included.
  txn_hash     text not null,
  succeeded    boolean,
  fee          numeric(78,0),
  block_height bigint,
  block_hash   text,
  -- Its rank among ours in the block: what a reorg undoes, it undoes backwards.
  block_rank   integer,
  settled_at   timestamptz(3),
  created_at   timestamptz(3) not null,
  updated_at   timestamptz(3) not null,
  primary key (org_id, id),
  unique (chain_id, sender, nonce),
  foreign key (chain_id, sender) references senders (chain_id, address)
);
-- Whatever else goes wrong, the database itself refuses a second payment on behalf of the same subject.
create unique index spends_once on spends (org_id, subject_id) where state <> 'Displaced';
create index spends_open on spends (chain_id, sender, nonce) where state = 'Sent';
create index spends_waiting on spends (chain_id, block_height) where state = 'Included' and succeeded is not null;
create index spends_block on spends (chain_id, block_height) where state in ('Included', 'Settled');
create index spends_subject on spends (org_id, subject_id);

-- spends: all bytes ever signed for a spend; nothing else is ever broadcast.
create table spend_transactions (
  chain_id      text not null,
  txn_hash      text not null,
  org_id        uuid not null,
  spend_id      uuid not null,
  number        integer not null check (number >= 1),
  raw           bytea not null,
  max_fee       numeric(78,0) not null,
  terms         jsonb not null,
  signed_height bigint not null,
  signed_at     timestamptz(3) not null,
  broadcast_at  timestamptz(3),
  -- Our tip when it was handed to the nodes last.
  broadcast_height bigint,
  broadcasts    integer not null default 0,
  last_answer   text not null default '',
  primary key (chain_id, txn_hash),
  unique (org_id, spend_id, number),
  foreign key (org_id, spend_id) references spends (org_id, id)
);

-- spends: transactions of our senders that we did not sign, or have forgotten. No block while a reorg has it undone.
create table foreign_transactions (
  chain_id     text not null,
  txn_hash     text not null,
  org_id       uuid not null references organizations (id),
  sender       text not null,
  nonce        bigint not null check (nonce >= 0),
  block_height bigint,
  block_hash   text,
  found_at     timestamptz(3) not null,
  primary key (chain_id, txn_hash),
  foreign key (chain_id, sender) references senders (chain_id, address)
);
create index foreign_transactions_block on foreign_transactions (chain_id, block_height);
create index foreign_transactions_nonce on foreign_transactions (chain_id, sender, nonce);

-- withdrawals. The MAC covers every field that decides what is paid, to whom, and with whose consent (engineering, 7).
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
  failure_code       text,
  fee                numeric(78,0),
  -- What it waits for before it can be signed, and since when; null while it does not.
  waiting_for        text check (waiting_for in ('gas', 'funds')),
  waiting_since      timestamptz(3),
  completed_at       timestamptz(3),
  created_at         timestamptz(3) not null,
  updated_at         timestamptz(3) not null,
  primary key (org_id, id),
  unique (org_id, reference),
  foreign key (org_id, initiator) references users (org_id, id),
  foreign key (org_id, spend_id) references spends (org_id, id)
);
create index withdrawals_created on withdrawals (org_id, created_at desc, id desc);
create index withdrawals_pending on withdrawals (chain_id, created_at, id) where status = 'Pending';
create index withdrawals_open on withdrawals (org_id, status) where status in ('Pending', 'PendingApproval');

-- withdrawals: who allowed it. A void approval stays in sight and does not count.
create table withdrawal_approvals (
  org_id        uuid not null,
  id            uuid not null,
  withdrawal_id uuid not null,
  user_id       uuid not null,
  totp_step     bigint not null,
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

-- gas: native currency sent from a gas wallet to where it pays fees.
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
-- An address gets no second top-up while the first is under way.
create unique index top_ups_open on top_ups (chain_id, address) where state = 'Sent';

-- gas: which gas wallets were last found low, so that it is told once.
create table gas_levels (
  org_id     uuid not null references organizations (id),
  chain_id   text not null,
  low        boolean not null,
  updated_at timestamptz(3) not null,
  primary key (org_id, chain_id)
);

-- fundings: money from outside that reaches a settlement or gas address (engineering, 8).
create table fundings (
  org_id         uuid not null references organizations (id),
  id             uuid not null,
  chain_id       text not null,
  txn_hash       text not null,
  position       text not null,
  token_id       text not null,
  address        text not null,
  -- What the address is for on its own chain, and as what the ledger holds this money: at an address of another
  -- chain, or as a token at a gas address, it lies as at a deposit address and is swept.
  purpose        text not null check (purpose in ('settlement', 'gas')),
  place          text not null check (place in ('deposits', 'settlement', 'gas')),
  sender_address text not null default '',
  amount         numeric(78,0) not null check (amount > 0),
  net_movement   numeric(96,0) not null,
  status         text not null check (status in ('Detected', 'Confirmed', 'Held', 'Orphaned')),
  booked         text not null check (booked in ('unconfirmed', 'available', 'gas', 'held', 'none')),
  held_cause     text not null default '',
  -- An operator has looked at it and let it go: no check holds it again.
  cleared        boolean not null default false,
  block_height   bigint not null,
  block_hash     text not null,
  confirmed_at   timestamptz(3),
  created_at     timestamptz(3) not null,
  updated_at     timestamptz(3) not null,
  primary key (org_id, id),
  unique (chain_id, txn_hash, position, address, token_id)
);
create index fundings_waiting on fundings (chain_id, block_height) where status = 'Detected';
create index fundings_block on fundings (chain_id, block_height);
create index fundings_unsettled on fundings (chain_id, address) where status in ('Detected', 'Held');

-- sweeps: confirmed deposits on their way from a deposit address to the settlement account.
create table sweeps (
  org_id     uuid not null references organizations (id),
  id         uuid not null,
  chain_id   text not null,
  token_id   text not null,
  address    text not null,
  amount     numeric(78,0) not null check (amount > 0),
  -- Base units that reached the settlement account, as the block shows it; 0 until then.
  moved      numeric(78,0) not null default 0 check (moved >= 0),
  state      text not null check (state in ('Waiting', 'Sent', 'Done', 'Failed')),
  spend_id   uuid,
  cause      text not null default '',
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (org_id, id),
  foreign key (org_id, spend_id) references spends (org_id, id)
);
create unique index sweeps_open on sweeps (chain_id, address, token_id) where state in ('Waiting', 'Sent');
create index sweeps_waiting on sweeps (chain_id, updated_at, id) where state = 'Waiting';
create index sweeps_failed on sweeps (chain_id, address, token_id, updated_at) where state = 'Failed';

-- accounts: the settlement and gas addresses of an organization, which no withdrawal may pay (engineering, 8).
create index watched_addresses_house on watched_addresses (org_id, chain_id, purpose) where purpose <> 'deposit';
-- The door asks it of a recipient and learns no more than yes or no, whosesoever the address is.
create function is_house_address(of_scope text, of_address text) returns boolean
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select exists (
      select 1
        from public.watched_addresses
       where scope = of_scope
         and address = of_address
         and purpose <> 'deposit')
  $$;
grant execute on function is_house_address(text, text) to sluice_api, sluice_engine;

-- ledger: what our own spends moved, by the place; what came from outside is not in the second.
create index postings_out on postings (chain_id, credit) where credit like 'place:%';
create index postings_in on postings (chain_id, debit) where debit like 'place:%' and credit <> 'claim:unconfirmed';

-- deposits: the few that are held, by where their money lies.
create index deposits_held on deposits (chain_id, address) where status = 'Held';

-- Gas paid out of a funding that a reorg then takes back leaves the claim below zero, as it does with `available`.
alter table balances drop constraint balances_not_negative;
alter table balances add constraint balances_not_negative
  check (amount >= 0 or (overdrawn and account in ('claim:available', 'claim:gas')));

do $$
declare
  tenant text;
begin
  foreach tenant in array array[
    'senders', 'spends', 'spend_transactions', 'foreign_transactions', 'withdrawals', 'withdrawal_approvals',
    'top_ups', 'gas_levels', 'fundings', 'sweeps'
  ] loop
    execute format('alter table %I enable row level security, force row level security', tenant);
    execute format('create policy owner_all on %I to sluice_owner using (true) with check (true)', tenant);
    execute format('create policy engine_all on %I to sluice_engine using (true) with check (true)', tenant);
    execute format('create policy own_org on %I to sluice_api '
      'using (org_id = (select current_org())) with check (org_id = (select current_org()))', tenant);
    execute format('grant select, insert, update on %I to sluice_engine', tenant);
  end loop;
end
$$;
grant select on senders, spends, spend_transactions, foreign_transactions, withdrawals, withdrawal_approvals,
  top_ups, gas_levels, fundings, sweeps to sluice_api;
grant insert on withdrawals, withdrawal_approvals, postings to sluice_api;
grant update (status, txn_error, failure_code, waiting_for, waiting_since, updated_at) on withdrawals to sluice_api;
grant update (voided_at, void_cause) on withdrawal_approvals to sluice_api;

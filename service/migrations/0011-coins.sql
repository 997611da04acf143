-- The unspent outputs that are ours, on chains whose payments spend coins.

-- coins: each output of a block that pays an address of ours, and what becomes of it.
create table coins (
  org_id       uuid not null references organizations (id),
  chain_id     text not null,
  txn_hash     text not null,
  vout         integer not null check (vout >= 0),
  address      text not null,
  amount       numeric(78,0) not null check (amount > 0),
  place        text not null check (place in ('deposits', 'settlement')),
  -- No block while its own transaction waits for one, and while a reorg has it undone.
  block_height bigint,
  block_hash   text,
  -- Change of our own at once; what came from outside once it was credited.
  spendable    boolean not null,
  -- The one spend that may take it; null while it is free. Kept once that spend is settled.
  spend_id     uuid,
  -- Where a block of ours has it spent: that block, and the transaction, whoever signed it.
  spent_height bigint,
  spent_hash   text,
  spent_by     text,
  created_at   timestamptz(3) not null,
  updated_at   timestamptz(3) not null,
  primary key (chain_id, txn_hash, vout),
  -- Reserved before the spend that it is reserved for is stored, in the same commit.
  foreign key (org_id, spend_id) references spends (org_id, id) deferrable initially deferred,
  constraint coins_block_whole check ((block_height is null) = (block_hash is null)),
  constraint coins_spent_whole
    check ((spent_height is null) = (spent_hash is null) and (spent_height is null) = (spent_by is null)),
  -- What no block has cannot have been spent in one.
  constraint coins_spent_later
    check (spent_height is null or (block_height is not null and spent_height >= block_height))
);
create index coins_free on coins (org_id, chain_id, amount, txn_hash, vout)
  where spend_id is null and spent_height is null and spendable and block_height is not null;
create index coins_unspent on coins (chain_id, address) where spent_height is null;
create index coins_spend on coins (org_id, spend_id) where spend_id is not null;
create index coins_block on coins (chain_id, block_height);
create index coins_spent on coins (chain_id, spent_height) where spent_height is not null;
create index coins_spender on coins (chain_id, spent_by) where spent_by is not null;

alter table coins enable row level security, force row level security;
create policy owner_all on coins to sluice_owner using (true) with check (true);
create policy engine_all on coins to sluice_engine using (true) with check (true);
create policy own_org on coins to sluice_api
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
grant select, insert, update on coins to sluice_engine;
grant select on coins to sluice_api;

-- What came in so far: nothing of it was ever spent by this service.
insert into coins (
       org_id, chain_id, txn_hash, vout, address, amount, place, block_height, block_hash, spendable, created_at,
       updated_at)
select org_id, chain_id, txn_hash, substring(position from '^out:(\d+)$')::integer, address, amount, 'deposits',
       block_height, block_hash, status = 'Confirmed', created_at, updated_at
  from deposits
 where chain_id like 'bip122:%'
   and status <> 'Orphaned'
union all
select org_id, chain_id, txn_hash, substring(position from '^out:(\d+)$')::integer, address, amount, place,
       block_height, block_hash, status = 'Confirmed', created_at, updated_at
  from fundings
 where chain_id like 'bip122:%'
   and status <> 'Orphaned'
   and place <> 'gas';

-- Coins whose block left the chain while a payment of ours spends them, and what proves that they can never come back.

-- coins: the height of the block that a coin had and lost; null while it has one, and where it never had any. What was
-- lost before this version counts as lost long ago, unless it is our own: that comes back with its transaction.
alter table coins
  add column lost_height bigint,
  add constraint coins_lost_whole check (lost_height is null or block_height is null);
update coins c
   set lost_height = 0
 where c.block_height is null
   and not exists (
       select 1
         from spend_transactions t
        where t.chain_id = c.chain_id
          and t.txn_hash = c.txn_hash);
create index coins_lost on coins (chain_id) where lost_height is not null and spend_id is not null;

-- coins: what a transaction of somebody else that brought us coins spends itself. Where another transaction of a block
-- of ours spends one of these, those coins can never come back while that block stands.
create table coin_origins (
  chain_id     text not null,
  txn_hash     text not null,
  -- One after the other, 36 bytes each: the txid as it is written, and the number of the output.
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
grant select, insert, update on coin_origins to sluice_engine;

-- spends: that a person has said of a spend that it can never be included; a second one who says the same ends it.
create table spend_give_ups (
  org_id       uuid not null,
  spend_id     uuid not null,
  proposed_by  uuid not null,
  -- How many transactions had been signed for it: after another one it is to be said anew.
  transactions integer not null check (transactions > 0),
  confirmed_by uuid,
  proposed_at  timestamptz(3) not null,
  primary key (org_id, spend_id),
  foreign key (org_id, spend_id) references spends (org_id, id),
  constraint spend_give_ups_two_people check (confirmed_by is null or confirmed_by <> proposed_by)
);

alter table spend_give_ups enable row level security, force row level security;
create policy owner_all on spend_give_ups to sluice_owner using (true) with check (true);
create policy engine_all on spend_give_ups to sluice_engine using (true) with check (true);
create policy own_org on spend_give_ups to sluice_api
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
grant select, insert, update on spend_give_ups to sluice_engine;

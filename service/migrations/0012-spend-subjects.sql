-- Transactions that pay several at once, out of coins.

-- spends: whom a spend of several pays, in the order of its outputs. Such a spend's own subject is itself.
create table spend_subjects (
  org_id     uuid not null,
  spend_id   uuid not null,
  -- The withdrawal that asked.
  subject_id uuid not null,
  recipient  text not null,
  amount     numeric(78,0) not null check (amount > 0),
  position   integer not null check (position >= 0),
  -- Not once the spend can never be included: then another may pay the subject.
  stands     boolean not null default true,
  primary key (org_id, spend_id, position),
  foreign key (org_id, spend_id) references spends (org_id, id)
);
-- Whatever else goes wrong, the database itself refuses a second payment on behalf of the same subject.
create unique index spend_subjects_once on spend_subjects (org_id, subject_id) where stands;
create index spend_subjects_subject on spend_subjects (org_id, subject_id);

-- spends: which coins a transaction signed by us spends. All of one spend share those of its first.
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

-- spends: one that took a coin of a spend of ours, and paid somebody whom that spend was to pay: it is not paid again
-- before an operator has looked.
alter table foreign_transactions add column pays boolean not null default false;

do $$
declare
  tenant text;
begin
  foreach tenant in array array['spend_subjects', 'transaction_coins'] loop
    execute format('alter table %I enable row level security, force row level security', tenant);
    execute format('create policy owner_all on %I to sluice_owner using (true) with check (true)', tenant);
    execute format('create policy engine_all on %I to sluice_engine using (true) with check (true)', tenant);
    execute format('create policy own_org on %I to sluice_api '
      'using (org_id = (select current_org())) with check (org_id = (select current_org()))', tenant);
    execute format('grant select, insert, update on %I to sluice_engine', tenant);
    execute format('grant select on %I to sluice_api', tenant);
  end loop;
end
$$;

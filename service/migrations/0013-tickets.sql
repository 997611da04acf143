-- Payments of one account of the XRP Ledger that need not wait for each other.

-- spends: whether the number of a spend (`nonce`) is that of a ticket, and how many tickets the spend itself makes. They
-- are numbers from the same row as the account's own, so that no number is ever used twice.
alter table spends add column ticket boolean not null default false;
alter table spends add column tickets integer not null default 0 check (tickets between 0 and 250);

-- spends: tickets that a ledger has made for a sender. One is free while it stands and no spend has its number.
create table tickets (
  chain_id   text not null,
  address    text not null,
  number     bigint not null check (number > 0),
  org_id     uuid not null references organizations (id),
  -- False once the ledger that made it is gone, or an operator was shown that the chain has it no more.
  standing   boolean not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (chain_id, address, number),
  foreign key (chain_id, address) references senders (chain_id, address)
);

-- accounts: drops that the account is to keep apart, by what the ledger asked for when it was looked at last: the
-- reserve, that of its tickets, and some fees. Null before that.
alter table base_accounts add column keep numeric(78,0) check (keep >= 0);

-- fundings: what of a confirmed funding is kept apart as gas, where the rest is available.
alter table fundings add column set_apart numeric(78,0) not null default 0;
alter table fundings add constraint fundings_set_apart check (set_apart between 0 and amount);

alter table tickets enable row level security, force row level security;
create policy owner_all on tickets to sluice_owner using (true) with check (true);
create policy engine_all on tickets to sluice_engine using (true) with check (true);
create policy own_org on tickets to sluice_api
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
grant select, insert, update on tickets to sluice_engine;

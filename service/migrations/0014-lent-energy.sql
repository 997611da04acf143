-- Energy that gas wallets have staked, lent to who pays with a token, and taken back (TRON).

alter table spends
  drop constraint spends_purpose_check,
  add constraint spends_purpose_check check (purpose in (
    'withdrawal', 'sweep', 'top-up', 'filler', 'consolidation', 'delegation', 'undelegation'));
alter table own_transactions
  drop constraint own_transactions_purpose_check,
  add constraint own_transactions_purpose_check check (purpose in (
    'withdrawal', 'sweep', 'top-up', 'filler', 'consolidation', 'delegation', 'undelegation'));

-- gas: a part of a gas wallet's stake that is lent to one address.
create table energy_loans (
  org_id     uuid not null references organizations (id),
  id         uuid not null,
  chain_id   text not null,
  address    text not null,
  place      text not null check (place in ('deposits', 'settlement')),
  stake      numeric(78,0) not null check (stake > 0),
  energy     numeric(78,0) not null check (energy > 0),
  state      text not null check (state in ('Lending', 'Lent', 'Returning', 'Returned', 'Failed')),
  -- The spend that lends, and the subject of the one that takes back: the newest, where one failed.
  spend_id   uuid,
  return_id  uuid,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (org_id, id),
  foreign key (org_id, spend_id) references spends (org_id, id)
);
-- An address is lent nothing more while something is lent to it.
create unique index energy_loans_open on energy_loans (chain_id, address)
  where state in ('Lending', 'Lent', 'Returning');
create index energy_loans_standing on energy_loans (chain_id) where state in ('Lending', 'Lent', 'Returning');
create unique index energy_loans_return on energy_loans (org_id, return_id);

-- gas: what of a loan a payment counts on.
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

do $$
declare
  tenant text;
begin
  foreach tenant in array array['energy_loans', 'energy_uses'] loop
    execute format('alter table %I enable row level security, force row level security', tenant);
    execute format('create policy owner_all on %I to sluice_owner using (true) with check (true)', tenant);
    execute format('create policy engine_all on %I to sluice_engine using (true) with check (true)', tenant);
    execute format('create policy own_org on %I to sluice_api '
      'using (org_id = (select current_org())) with check (org_id = (select current_org()))', tenant);
    execute format('grant select, insert, update on %I to sluice_engine', tenant);
  end loop;
end
$$;
grant select on energy_loans, energy_uses to sluice_api;

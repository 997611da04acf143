-- One account of the XRP Ledger for all users of an organization, told apart by a tag.

-- accounts: the base account, and whether the ledger lets it be used: funded with the reserve, and refusing payments
-- without a tag.
create table base_accounts (
  org_id       uuid not null references organizations (id),
  chain_id     text not null,
  address      text not null,
  -- From when on it was seen to be ready: what comes without a tag up to here is the organization's own money.
  ready_height bigint check (ready_height >= 0),
  -- What is missing, for people; "" where nothing is.
  missing      text not null,
  checked_at   timestamptz(3) not null,
  primary key (org_id, chain_id)
);

-- deposits: what reached a base account and names nobody whom we know (X03, X04). Its money stands under the claim
-- `unattributed` until two people have said whose it is; then it is a deposit like any other.
create table unattributed_deposits (
  org_id         uuid not null references organizations (id),
  id             uuid not null,
  chain_id       text not null,
  txn_hash       text not null,
  position       text not null,
  token_id       text not null,
  address        text not null,
  -- Null where none was given: that is not the tag 0.
  tag            bigint check (tag between 0 and 4294967295),
  sender_address text not null default '',
  amount         numeric(78,0) not null check (amount > 0),
  net_movement   numeric(96,0) not null,
  block_height   bigint not null,
  block_hash     text not null,
  state          text not null default 'Waiting' check (state in ('Waiting', 'Proposed', 'Assigned')),
  -- Whose it is, as the first of the two says, and who that was.
  external_user_id text not null default '',
  proposed_by    text not null default '',
  assigned_by    text not null default '',
  deposit_id     uuid,
  created_at     timestamptz(3) not null,
  updated_at     timestamptz(3) not null,
  primary key (org_id, id),
  unique (chain_id, txn_hash, position, address, token_id),
  foreign key (org_id, deposit_id) references deposits (org_id, id),
  constraint unattributed_two_people check (state <> 'Assigned' or (proposed_by <> '' and assigned_by <> proposed_by)),
  constraint unattributed_deposit check ((state = 'Assigned') = (deposit_id is not null))
);
create index unattributed_open on unattributed_deposits (chain_id, created_at) where state <> 'Assigned';

do $$
declare
  tenant text;
begin
  foreach tenant in array array['base_accounts', 'unattributed_deposits'] loop
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

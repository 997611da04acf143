-- What the busiest rows belong to is checked once for each statement, and not once for each row. A foreign key asks for
-- every row by itself and locks what it finds: of a catch-up that was a third of the database's work, most of it pages
-- of accounts that were written for their locks alone (docs/decisions/0023). The parents stand for ever, so that nothing
-- needs to be locked: nobody removes one, or gives it another key.

create function refuse_another_key() returns trigger language plpgsql as $$
  begin
    raise exception 'the key of a row of % does not change', tg_table_name using errcode = 'restrict_violation';
  end
  $$;

create trigger organizations_stand before delete or truncate on organizations
  for each statement execute function refuse_change();
create trigger organizations_keep_keys after update of id on organizations
  for each row when (old.id <> new.id) execute function refuse_another_key();
create trigger accounts_stand before delete or truncate on accounts
  for each statement execute function refuse_change();
create trigger accounts_keep_keys after update of org_id, id on accounts
  for each row when (old.org_id <> new.org_id or old.id <> new.id) execute function refuse_another_key();
create trigger events_stand before delete or truncate on events
  for each statement execute function refuse_change();
create trigger events_keep_keys after update of org_id, id on events
  for each row when (old.org_id <> new.org_id or old.id <> new.id) execute function refuse_another_key();

-- As `apply_postings`, these must not keep a plan that reads a table whole, made while that was small.
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

create function demand_accounts() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
  as $$
  begin
    if exists (select from added a
                where not exists (select from public.accounts p where p.org_id = a.org_id and p.id = a.account_id)) then
      raise exception 'a row of % belongs to no account', tg_table_name using errcode = 'foreign_key_violation';
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

alter table balances drop constraint balances_org_id_fkey;
create trigger balances_belong after insert on balances
  referencing new table as added for each statement execute function demand_organizations();
create trigger balances_keep_keys after update of org_id on balances
  for each row when (old.org_id <> new.org_id) execute function refuse_another_key();

alter table events drop constraint events_org_id_fkey;
create trigger events_belong after insert on events
  referencing new table as added for each statement execute function demand_organizations();

alter table deposits drop constraint deposits_org_id_account_id_fkey;
create trigger deposits_belong after insert on deposits
  referencing new table as added for each statement execute function demand_accounts();
create trigger deposits_keep_keys after update of org_id, account_id on deposits
  for each row when (old.org_id <> new.org_id or old.account_id <> new.account_id) execute function refuse_another_key();

alter table deliveries drop constraint deliveries_org_id_event_id_fkey;
create trigger deliveries_belong after insert on deliveries
  referencing new table as added for each statement execute function demand_events();
create trigger deliveries_keep_keys after update of org_id, event_id on deliveries
  for each row when (old.org_id <> new.org_id or old.event_id <> new.event_id) execute function refuse_another_key();

alter table delivery_attempts drop constraint delivery_attempts_org_id_event_id_fkey;
create trigger delivery_attempts_belong after insert on delivery_attempts
  referencing new table as added for each statement execute function demand_events();
create trigger delivery_attempts_keep_keys after update of org_id, event_id on delivery_attempts
  for each row when (old.org_id <> new.org_id or old.event_id <> new.event_id) execute function refuse_another_key();

-- They are called by triggers alone, whoever sets these off.
revoke all on function demand_organizations(), demand_accounts(), demand_events() from public;

-- A restore puts rows back while triggers rest, and asks this at its end.
create function find_orphans() returns table (kind text, orphans bigint)
  language sql stable set search_path = public, pg_temp
  as $$
    select 'balances', count(*) from balances c
     where not exists (select from organizations p where p.id = c.org_id)
     union all
    select 'events', count(*) from events c
     where not exists (select from organizations p where p.id = c.org_id)
     union all
    select 'deposits', count(*) from deposits c
     where not exists (select from accounts p where p.org_id = c.org_id and p.id = c.account_id)
     union all
    select 'deliveries', count(*) from deliveries c
     where not exists (select from events p where p.org_id = c.org_id and p.id = c.event_id)
     union all
    select 'delivery_attempts', count(*) from delivery_attempts c
     where not exists (select from events p where p.org_id = c.org_id and p.id = c.event_id)
  $$;

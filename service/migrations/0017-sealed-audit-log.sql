-- The audit log as a chain of hashes: what was sealed cannot be changed, taken out or put in between unnoticed.

-- journal: one seal for each entry of the audit log, numbered without gaps in the order of sealing, which is not that of
-- the entries: an entry that commits late is sealed late. A hash covers the one before it and all that its entry says.
create table audit_seals (
  sequence bigint primary key check (sequence >= 1),
  entry_id bigint not null unique,
  hash     bytea not null check (length(hash) = 32)
);
create trigger audit_seals_immutable before update or delete or truncate on audit_seals
  for each statement execute function refuse_change();

-- journal: entries that have no seal yet. A row of its own for each, written with the entry: so it is seen when the entry
-- is, however late its transaction commits, and what was rolled back is waited for by nobody.
create table unsealed_entries (
  entry_id bigint primary key
);
create function await_seal() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
  as $$
  begin
    insert into public.unsealed_entries (entry_id) values (new.id);
    return null;
  end
  $$;
revoke all on function await_seal() from public;
create trigger audit_log_awaits_seal after insert on audit_log
  for each row execute function await_seal();
-- After the trigger, which waited for whoever was writing: so nothing is left out, and nothing waits twice.
insert into unsealed_entries (entry_id)
select id
  from audit_log;

-- Nobody but the counter says what an entry's id is.
revoke insert on audit_log from sluice_engine, sluice_api;
grant insert (at, org_id, actor, action, object, details) on audit_log to sluice_engine, sluice_api;
grant select, insert on audit_seals to sluice_engine;
grant select, delete on unsealed_entries to sluice_engine;

-- orgs: a row that was replaced stays replaced. What vouched for a row (its MAC, or what is sealed or hashed for one
-- person) is kept when another takes its place, and does not count again when somebody writes it back.
create table superseded (
  -- SHA-256 of the MAC, of the sealed secret, or of the text of a password's hash.
  digest bytea primary key check (length(digest) = 32)
);
create trigger superseded_immutable before update or delete or truncate on superseded
  for each statement execute function refuse_change();
grant select on superseded to sluice_engine, sluice_api;

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
revoke all on function keep_superseded() from public;
create trigger organizations_superseded after update of mac or delete on organizations
  for each row execute function keep_superseded('mac');
create trigger users_superseded after update of mac, password_hash, totp_secret or delete on users
  for each row execute function keep_superseded('mac', 'password_hash', 'totp_secret');
create trigger api_keys_superseded after update of mac or delete on api_keys
  for each row execute function keep_superseded('mac');

-- A MAC, a sealed secret or a hash as it counts: empty where it was superseded.
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
revoke all on function in_force(bytea), in_force(text) from public;
grant execute on function in_force(bytea), in_force(text) to sluice_engine, sluice_api;

-- orgs: a new one for each change, under the MAC, so that no two states of a row have the same MAC; null as created.
alter table organizations add column version uuid;
alter table users add column version uuid;

drop function api_key_owner(bytea);
create function api_key_owner(key_hash bytea)
  returns table (
    org_id uuid, key_id uuid, user_id uuid, user_status text, revoked_at timestamp (3) with time zone, mac bytea
  )
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select k.org_id, k.id, k.user_id, u.status, k.revoked_at, public.in_force(k.mac)
      from public.api_keys k
      join public.users u on u.org_id = k.org_id and u.id = k.user_id
     where k.hash = key_hash
  $$;
revoke all on function api_key_owner(bytea) from public;
grant execute on function api_key_owner(bytea) to sluice_api, sluice_engine;

drop function user_of_name(text);
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
revoke all on function user_of_name(text) from public;
grant execute on function user_of_name(text) to sluice_api, sluice_engine;

-- spends: which withdrawals were ever signed for, kept apart from the spends. Written by triggers alone, so that no role
-- of the running service can add, change or remove an entry.
create table signed_withdrawals (
  org_id        uuid not null,
  withdrawal_id uuid not null,
  spend_id      uuid not null,
  primary key (org_id, withdrawal_id, spend_id)
);
alter table signed_withdrawals enable row level security, force row level security;
create policy owner_all on signed_withdrawals for all to sluice_owner using (true) with check (true);
create policy engine_all on signed_withdrawals for all to sluice_engine using (true) with check (true);
create policy own_org on signed_withdrawals for all to sluice_api
  using (org_id = (select current_org())) with check (org_id = (select current_org()));
grant select on signed_withdrawals to sluice_engine, sluice_api;
insert into signed_withdrawals (org_id, withdrawal_id, spend_id)
select org_id, subject_id, id
  from spends
 where purpose = 'withdrawal'
 union
select org_id, subject_id, spend_id
  from spend_subjects;
create trigger signed_withdrawals_immutable before update or delete or truncate on signed_withdrawals
  for each statement execute function refuse_change();

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
revoke all on function keep_signed_spend(), keep_signed_subject() from public;
create trigger spends_signed after insert on spends
  for each row when (new.purpose = 'withdrawal') execute function keep_signed_spend();
create trigger spend_subjects_signed after insert on spend_subjects
  for each row execute function keep_signed_subject();

-- What was asked for, signed and consented to is never removed; a restore fills empty tables.
create trigger withdrawals_stand before delete or truncate on withdrawals
  for each statement execute function refuse_change();
create trigger spends_stand before delete or truncate on spends
  for each statement execute function refuse_change();
create trigger spend_subjects_stand before delete or truncate on spend_subjects
  for each statement execute function refuse_change();
create trigger spend_transactions_stand before delete or truncate on spend_transactions
  for each statement execute function refuse_change();

-- journal: whether signing is halted, by cause. The MAC of the service key is over cause, number and halted; of the rows
-- whose MAC is right the highest number says what holds. Nobody changes or removes a row.
create table signing_halts (
  id     bigint generated always as identity primary key,
  cause  text not null,
  number bigint not null,
  halted boolean not null,
  mac    bytea not null,
  at     timestamp (3) with time zone not null
);
create trigger signing_halts_immutable before update or delete or truncate on signing_halts
  for each statement execute function refuse_change();
grant select on signing_halts to sluice_engine;
grant insert (cause, number, halted, mac, at) on signing_halts to sluice_engine;

-- withdrawals: one that waits until an operator has looked at what halted the signing.
alter table withdrawals drop constraint withdrawals_waiting_for_check;
alter table withdrawals add constraint withdrawals_waiting_for_check
  check (waiting_for in ('gas', 'funds', 'fee', 'operator'));

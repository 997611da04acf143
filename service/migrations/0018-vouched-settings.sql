-- What lets a payment be asked for is vouched for too: the thresholds of an organization, its API keys, and passwords.

-- orgs: MACs of the service key, which SQL does not have: rows that are here already have none that holds until the
-- program gives them one, in this very transaction.
alter table organizations add column mac bytea not null default '';
alter table organizations alter column mac drop default;
alter table api_keys add column mac bytea not null default '';
alter table api_keys alter column mac drop default;

-- orgs: the program puts a MAC behind each hash, in the same transaction.
comment on column users.password_hash is 'argon2id as a PHC string, a blank, and the MAC of the service key; or empty';

-- orgs: who asks must see what the MAC is over.
drop function api_key_owner(bytea);
create function api_key_owner(key_hash bytea)
  returns table (
    org_id uuid, key_id uuid, user_id uuid, user_status text, revoked_at timestamp (3) with time zone, mac bytea
  )
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select k.org_id, k.id, k.user_id, u.status, k.revoked_at, k.mac
      from public.api_keys k
      join public.users u on u.org_id = k.org_id and u.id = k.user_id
     where k.hash = key_hash
  $$;
revoke all on function api_key_owner(bytea) from public;
grant execute on function api_key_owner(bytea) to sluice_api, sluice_engine;

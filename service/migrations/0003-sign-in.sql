-- Sign-in of people: sessions, guesses at passwords and codes, and counts of requests.

-- orgs: who is signed in. An access token is good as long as the session that it names.
create table sessions (
  org_id     uuid not null references organizations (id),
  id         uuid not null,
  user_id    uuid not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  ended_at   timestamptz(3),
  end_cause  text not null default '',
  primary key (org_id, id),
  foreign key (org_id, user_id) references users (org_id, id)
);
create index sessions_open on sessions (org_id, user_id) where ended_at is null;
create index sessions_expiry on sessions (expires_at);

-- orgs: guesses in a row that were not right, or are not known to be yet. A subject is a MAC of a typed name or a
-- user, so that names that nobody has, and what people typed in place of one, are not kept.
create table guesses (
  subject      bytea primary key,
  failures     integer not null check (failures >= 0),
  locked_until timestamptz(3),
  last_at      timestamptz(3) not null
);
create index guesses_last on guesses (last_at);

-- orgs: requests counted in the current window. A subject is a MAC of a credential, a name or an address.
create table request_counts (
  subject      bytea primary key,
  window_start timestamptz(3) not null,
  requests     bigint not null check (requests >= 0)
);
create index request_counts_window on request_counts (window_start);

-- Who a name belongs to is asked before the organization is known, so the question has a door of its own.
create function user_of_name(name text)
  returns table (org_id uuid, id uuid, username text, role text, status text, password_hash text, mac bytea,
                 created_at timestamptz(3), updated_at timestamptz(3))
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select u.org_id, u.id, u.username, u.role, u.status, u.password_hash, u.mac, u.created_at, u.updated_at
      from public.users u
     where lower(u.username) = lower(name)
  $$;
revoke all on function user_of_name(text) from public;
grant execute on function user_of_name(text) to sluice_api, sluice_engine;

alter table sessions enable row level security, force row level security;
create policy owner_all on sessions to sluice_owner using (true) with check (true);
create policy engine_all on sessions to sluice_engine using (true) with check (true);
create policy own_org on sessions to sluice_api
  using (org_id = (select current_org())) with check (org_id = (select current_org()));

grant select, insert, update, delete on sessions, guesses, request_counts to sluice_engine;
grant select, insert on sessions to sluice_api;
grant select, insert, update on guesses, request_counts to sluice_api;
grant update (last_totp_step) on users to sluice_api;

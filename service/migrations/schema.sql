-- What the migrations come to, read from the catalog by `node tools/dump-schema.mjs`.

CREATE OR REPLACE FUNCTION public.api_key_owner(key_hash bytea)
 RETURNS TABLE(org_id uuid, id uuid, user_id uuid, user_status text, hash bytea, name text, scopes text[], networks text[], expires_at timestamp with time zone, is_default boolean, revoked_at timestamp with time zone, version uuid, mac bytea)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    select k.org_id, k.id, k.user_id, u.status, k.hash, k.name, k.scopes, k.networks, k.expires_at, k.is_default,
           k.revoked_at, k.version, public.in_force(k.mac)
      from public.api_keys k
      join public.users u on u.org_id = k.org_id and u.id = k.user_id
     where k.hash = key_hash
  $function$;
grant execute on function api_key_owner(bytea) to sluice_api, sluice_engine;

CREATE OR REPLACE FUNCTION public.apply_postings()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
  begin
    with moved as materialized (
      select m.org_id, m.chain_id, m.token_id, m.account, sum(m.amount) as amount,
             bool_or(m.amount < 0 and not m.reversal) as takes, max(m.created_at) as created_at
        from (
          select org_id, chain_id, token_id, debit as account, reversal, created_at,
                 case when debit like 'place:%' then amount else -amount end as amount
            from new_postings
          union all
          select org_id, chain_id, token_id, credit, reversal, created_at,
                 case when credit like 'place:%' then -amount else amount end
            from new_postings
        ) m
       group by m.org_id, m.chain_id, m.token_id, m.account
       order by m.org_id, m.chain_id, m.token_id, m.account
    ), locked as materialized (
      select m.*, b.stands
        from moved m
        left join lateral (
          select true as stands
            from public.balances
           where org_id = m.org_id
             and chain_id = m.chain_id
             and token_id = m.token_id
             and account = m.account
             for update
        ) b on true
    ), added as (
      -- Only a reversal may leave a balance below zero; whoever takes anything else needs all of it covered.
      update public.balances b
         set amount = b.amount + l.amount,
             overdrawn = b.amount + l.amount < 0 and not l.takes,
             updated_at = greatest(b.updated_at, l.created_at)
        from locked l
       where l.stands
         and b.org_id = l.org_id
         and b.chain_id = l.chain_id
         and b.token_id = l.token_id
         and b.account = l.account
    )
    insert into public.balances as b (org_id, chain_id, token_id, account, amount, overdrawn, updated_at)
    select org_id, chain_id, token_id, account, amount, amount < 0 and not takes, created_at
      from locked
     where stands is null
     order by org_id, chain_id, token_id, account
        on conflict (org_id, chain_id, token_id, account) do update
       set amount = b.amount + excluded.amount,
           overdrawn = b.amount + excluded.amount < 0 and not (
             select l.takes
               from locked l
              where l.org_id = b.org_id
                and l.chain_id = b.chain_id
                and l.token_id = b.token_id
                and l.account = b.account),
           updated_at = greatest(b.updated_at, excluded.updated_at);
    return null;
  end
  $function$;
grant execute on function apply_postings() to public;

CREATE OR REPLACE FUNCTION public.await_seal()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  begin
    insert into public.unsealed_entries (entry_id) values (new.id);
    return null;
  end
  $function$;

CREATE OR REPLACE FUNCTION public.current_org()
 RETURNS uuid
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$ select nullif(current_setting('sluice.org_id', true), '')::uuid $function$;
grant execute on function current_org() to sluice_api, sluice_engine, public;

CREATE OR REPLACE FUNCTION public.demand_accounts()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
  begin
    if exists (select from added a
                where a.account_id is not null
                  and not exists (select from public.accounts p where p.org_id = a.org_id and p.id = a.account_id)) then
      raise exception 'a row of % belongs to no account', tg_table_name using errcode = 'foreign_key_violation';
    end if;
    if exists (select from added a
                where a.account_id is null
                  and not exists (select from public.organizations p where p.id = a.org_id)) then
      raise exception 'a row of % belongs to no organization', tg_table_name using errcode = 'foreign_key_violation';
    end if;
    return null;
  end
  $function$;

CREATE OR REPLACE FUNCTION public.demand_events()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
  begin
    if exists (select from added a
                where not exists (select from public.events p where p.org_id = a.org_id and p.id = a.event_id)) then
      raise exception 'a row of % belongs to no event', tg_table_name using errcode = 'foreign_key_violation';
    end if;
    return null;
  end
  $function$;

CREATE OR REPLACE FUNCTION public.demand_organizations()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
  begin
    if exists (select from (select distinct org_id from added) a
                where not exists (select from public.organizations p where p.id = a.org_id)) then
      raise exception 'a row of % belongs to no organization', tg_table_name using errcode = 'foreign_key_violation';
    end if;
    return null;
  end
  $function$;

CREATE OR REPLACE FUNCTION public.find_orphans()
 RETURNS TABLE(kind text, orphans bigint)
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
    select 'balances', count(*) from balances c
     where not exists (select from organizations p where p.id = c.org_id)
     union all
    select 'events', count(*) from events c
     where not exists (select from organizations p where p.id = c.org_id)
     union all
    select 'incoming_transfers', count(*) from incoming_transfers c
     where not exists (select from organizations p where p.id = c.org_id)
        or c.account_id is not null
       and not exists (select from accounts p where p.org_id = c.org_id and p.id = c.account_id)
     union all
    select 'deliveries', count(*) from deliveries c
     where not exists (select from events p where p.org_id = c.org_id and p.id = c.event_id)
     union all
    select 'delivery_attempts', count(*) from delivery_attempts c
     where not exists (select from events p where p.org_id = c.org_id and p.id = c.event_id)
  $function$;
grant execute on function find_orphans() to public;

CREATE OR REPLACE FUNCTION public.in_force(value bytea)
 RETURNS bytea
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
    select case
             when exists (
                    select
                      from public.superseded s
                     where s.digest = sha256(value))
             then ''::bytea
             else value end
  $function$;
grant execute on function in_force(bytea) to sluice_api, sluice_engine;

CREATE OR REPLACE FUNCTION public.in_force(value text)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
    select case
             when exists (
                    select
                      from public.superseded s
                     where s.digest = sha256(convert_to(value, 'UTF8')))
             then ''
             else value end
  $function$;
grant execute on function in_force(text) to sluice_api, sluice_engine;

CREATE OR REPLACE FUNCTION public.invitation_of_hash(token_hash bytea)
 RETURNS TABLE(org_id uuid, id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    select i.org_id, i.id
      from public.invitations i
     where i.hash = token_hash
  $function$;
grant execute on function invitation_of_hash(bytea) to sluice_api, sluice_engine;

CREATE OR REPLACE FUNCTION public.is_chain_disputed(of_chain text)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    select exists (
      select 1
        from public.alerts
       where code = 'chain.disputed'
         and subject = of_chain
         and resolved_at is null)
  $function$;
grant execute on function is_chain_disputed(text) to sluice_api, sluice_engine;

CREATE OR REPLACE FUNCTION public.is_endpoint_paused(endpoint uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
    select exists (
             select
               from public.webhook_endpoints w
              where w.id = endpoint
                and w.paused_at is not null)
  $function$;
grant execute on function is_endpoint_paused(uuid) to sluice_api, sluice_engine, public;

CREATE OR REPLACE FUNCTION public.is_ledger_account(account text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
    select account in (
             'claim:unconfirmed', 'claim:available', 'claim:reserved', 'claim:below_minimum', 'claim:held',
             'claim:unattributed', 'claim:gas')
        or ((account like 'place:deposits:_%' or account like 'place:settlement:_%' or account like 'place:gas:_%')
            and account not like 'place:%:%:%')
  $function$;
grant execute on function is_ledger_account(text) to public;

CREATE OR REPLACE FUNCTION public.is_platform_address(of_scope text, of_address text)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    select exists (
      select 1
        from public.watched_addresses
       where scope = of_scope
         and address = of_address
         and purpose <> 'deposit')
  $function$;
grant execute on function is_platform_address(text,text) to sluice_api, sluice_engine, public;

CREATE OR REPLACE FUNCTION public.keep_signed_spend()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  begin
    insert into public.signed_withdrawals (org_id, withdrawal_id, spend_id)
    values (new.org_id, new.subject_id, new.id)
        on conflict do nothing;
    return null;
  end
  $function$;

CREATE OR REPLACE FUNCTION public.keep_signed_subject()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  begin
    insert into public.signed_withdrawals (org_id, withdrawal_id, spend_id)
    values (new.org_id, new.subject_id, new.spend_id)
        on conflict do nothing;
    return null;
  end
  $function$;

CREATE OR REPLACE FUNCTION public.keep_superseded()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET bytea_output TO 'hex'
AS $function$
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
  $function$;

CREATE OR REPLACE FUNCTION public.refuse_another_key()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  begin
    raise exception 'the key of a row of % does not change', tg_table_name using errcode = 'restrict_violation';
  end
  $function$;
grant execute on function refuse_another_key() to public;

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ begin raise exception '% is append-only', tg_table_name; end $function$;
grant execute on function refuse_change() to public;

CREATE OR REPLACE FUNCTION public.user_of_name(name text)
 RETURNS TABLE(org_id uuid, id uuid, username text, role text, status text, password_hash text, mac bytea, version uuid, created_at timestamp with time zone, updated_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    select u.org_id, u.id, u.username, u.role, u.status, public.in_force(u.password_hash), public.in_force(u.mac),
           u.version, u.created_at, u.updated_at
      from public.users u
     where lower(u.username) = lower(name)
  $function$;
grant execute on function user_of_name(text) to sluice_api, sluice_engine;

create table accounts (
  org_id uuid not null,
  id uuid not null,
  chain_id text not null,
  external_user_id text not null,
  address text not null,
  destination_tag bigint,
  wallet_number integer not null,
  path_index bigint not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  mac bytea not null,
  constraint accounts_pkey PRIMARY KEY (org_id, id),
  constraint accounts_chain_id_address_destination_tag_key UNIQUE NULLS NOT DISTINCT (chain_id, address, destination_tag),
  constraint accounts_org_id_chain_id_external_user_id_key UNIQUE (org_id, chain_id, external_user_id),
  constraint accounts_destination_tag_check CHECK (((destination_tag >= 0) AND (destination_tag <= '4294967295'::bigint))),
  constraint accounts_external_user_id_check CHECK (((length(external_user_id) >= 1) AND (length(external_user_id) <= 255))),
  constraint accounts_path_index_check CHECK (((path_index >= 0) AND (path_index <= 2147483647))),
  constraint accounts_wallet_number_check CHECK ((wallet_number >= 0)),
  constraint accounts_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id)
);
CREATE INDEX accounts_chain ON public.accounts USING btree (org_id, chain_id, created_at DESC, id DESC);
CREATE INDEX accounts_created ON public.accounts USING btree (org_id, created_at DESC, id DESC);
CREATE INDEX accounts_path ON public.accounts USING btree (wallet_number, path_index, id);
CREATE INDEX accounts_user ON public.accounts USING btree (org_id, external_user_id, created_at DESC, id DESC);
CREATE TRIGGER accounts_keep_keys AFTER UPDATE OF org_id, id ON public.accounts FOR EACH ROW WHEN (((old.org_id <> new.org_id) OR (old.id <> new.id))) EXECUTE FUNCTION refuse_another_key();
CREATE TRIGGER accounts_stand BEFORE DELETE OR TRUNCATE ON public.accounts FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
alter table accounts enable row level security, force row level security;
create policy engine_all on accounts for all to sluice_engine using (true) with check (true);
create policy own_org on accounts for all to sluice_api using ((org_id = ( SELECT current_org() AS current_org))) with check ((org_id = ( SELECT current_org() AS current_org)));
create policy owner_all on accounts for all to sluice_owner using (true) with check (true);
grant insert, select on table accounts to sluice_api;
grant insert, select, update on table accounts to sluice_engine;

create table alerts (
  id uuid not null,
  code text not null,
  subject text not null,
  message text not null,
  details jsonb not null default '{}'::jsonb,
  times bigint not null default 1,
  raised_at timestamp(3) with time zone not null,
  last_at timestamp(3) with time zone not null,
  resolved_at timestamp(3) with time zone,
  org_id uuid,
  acknowledged_at timestamp(3) with time zone,
  acknowledged_by uuid,
  constraint alerts_pkey PRIMARY KEY (id)
);
CREATE INDEX alerts_created ON public.alerts USING btree (org_id, raised_at DESC, id DESC) WHERE (org_id IS NOT NULL);
CREATE UNIQUE INDEX alerts_open ON public.alerts USING btree (code, subject) WHERE (resolved_at IS NULL);
CREATE INDEX alerts_unresolved ON public.alerts USING btree (org_id, raised_at DESC, id DESC) WHERE ((org_id IS NOT NULL) AND (resolved_at IS NULL));
alter table alerts enable row level security, force row level security;
create policy engine_all on alerts for all to sluice_engine using (true) with check (true);
create policy own_org on alerts for all to sluice_api using ((org_id = ( SELECT current_org() AS current_org))) with check ((org_id = ( SELECT current_org() AS current_org)));
create policy owner_all on alerts for all to sluice_owner using (true) with check (true);
grant select on table alerts to sluice_api;
grant insert, select, update on table alerts to sluice_engine;
grant update (acknowledged_at, acknowledged_by) on table alerts to sluice_api;

create table api_keys (
  org_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  hash bytea not null,
  name text not null,
  scopes text[] not null,
  networks text[] not null default '{}'::text[],
  expires_at timestamp(3) with time zone,
  is_default boolean not null,
  last_four text not null,
  created_by text not null,
  created_at timestamp(3) with time zone not null,
  revoked_at timestamp(3) with time zone,
  last_used_at timestamp(3) with time zone,
  mac bytea not null,
  version uuid,
  constraint api_keys_pkey PRIMARY KEY (org_id, id),
  constraint api_keys_hash_key UNIQUE (hash),
  constraint api_keys_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint api_keys_scopes_check CHECK ((scopes <@ ARRAY['read'::text, 'deposits'::text, 'withdrawals'::text, 'configure'::text])),
  constraint api_keys_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id),
  constraint api_keys_org_id_user_id_fkey FOREIGN KEY (org_id, user_id) REFERENCES users(org_id, id)
);
CREATE UNIQUE INDEX api_keys_default ON public.api_keys USING btree (org_id) WHERE (is_default AND (revoked_at IS NULL));
CREATE INDEX api_keys_in_order ON public.api_keys USING btree (org_id, created_at DESC, id DESC);
CREATE TRIGGER api_keys_superseded AFTER DELETE OR UPDATE OF mac ON public.api_keys FOR EACH ROW EXECUTE FUNCTION keep_superseded('mac');
alter table api_keys enable row level security, force row level security;
create policy engine_all on api_keys for all to sluice_engine using (true) with check (true);
create policy own_org on api_keys for all to sluice_api using ((org_id = ( SELECT current_org() AS current_org))) with check ((org_id = ( SELECT current_org() AS current_org)));
create policy owner_all on api_keys for all to sluice_owner using (true) with check (true);
grant insert, select, update on table api_keys to sluice_api;
grant insert, select, update on table api_keys to sluice_engine;

create table audit_findings (
  id bigint not null generated always as identity,
  org_id uuid,
  chain_id text not null,
  token_id text not null,
  address text not null,
  expected numeric(96,0) not null,
  found numeric(96,0) not null,
  height bigint not null,
  found_at timestamp(3) with time zone not null,
  resolved_at timestamp(3) with time zone,
  constraint audit_findings_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX audit_findings_open ON public.audit_findings USING btree (chain_id, token_id, address) WHERE (resolved_at IS NULL);
alter table audit_findings enable row level security, force row level security;
create policy engine_all on audit_findings for all to sluice_engine using (true) with check (true);
create policy own_org on audit_findings for all to sluice_api using ((org_id = ( SELECT current_org() AS current_org))) with check ((org_id = ( SELECT current_org() AS current_org)));
create policy owner_all on audit_findings for all to sluice_owner using (true) with check (true);
grant insert, select, update on table audit_findings to sluice_engine;

create table audit_log (
  id bigint not null generated always as identity,
  at timestamp(3) with time zone not null,
  org_id uuid,
  actor text not null,
  action text not null,
  object text not null,
  details jsonb not null default '{}'::jsonb,
  constraint audit_log_pkey PRIMARY KEY (id)
);
CREATE INDEX audit_log_created ON public.audit_log USING btree (org_id, at DESC, id DESC);
CREATE INDEX audit_log_object ON public.audit_log USING btree (org_id, object, at DESC, id DESC);
CREATE TRIGGER audit_log_awaits_seal AFTER INSERT ON public.audit_log FOR EACH ROW EXECUTE FUNCTION await_seal();
CREATE TRIGGER audit_log_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_log FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
alter table audit_log enable row level security, force row level security;
create policy engine_all on audit_log for all to sluice_engine using (true) with check (true);
create policy own_org on audit_log for all to sluice_api using ((org_id = ( SELECT current_org() AS current_org))) with check ((org_id = ( SELECT current_org() AS current_org)));
create policy owner_all on audit_log for all to sluice_owner using (true) with check (true);
grant select on table audit_log to sluice_api;
grant select on table audit_log to sluice_engine;
grant insert (at, org_id, actor, action, object, details) on table audit_log to sluice_api;
grant insert (at, org_id, actor, action, object, details) on table audit_log to sluice_engine;

create table audit_seals (
  sequence bigint not null,
  entry_id bigint not null,
  hash bytea not null,
  constraint audit_seals_pkey PRIMARY KEY (sequence),
  constraint audit_seals_entry_id_key UNIQUE (entry_id),
  constraint audit_seals_hash_check CHECK ((length(hash) = 32)),
  constraint audit_seals_sequence_check CHECK ((sequence >= 1))
);
CREATE TRIGGER audit_seals_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_seals FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
grant insert, select on table audit_seals to sluice_engine;

create table balances (
  org_id uuid not null,
  chain_id text not null,
  token_id text not null,
  account text not null,
  amount numeric(96,0) not null,
  overdrawn boolean not null default false,
  updated_at timestamp(3) with time zone not null,
  constraint balances_pkey PRIMARY KEY (org_id, chain_id, token_id, account),
  constraint balances_not_negative CHECK (((amount >= (0)::numeric) OR (overdrawn AND (account = ANY (ARRAY['claim:available'::text, 'claim:gas'::text])))))
);
CREATE TRIGGER balances_belong AFTER INSERT ON public.balances REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION demand_organizations();
CREATE TRIGGER balances_keep_keys AFTER UPDATE OF org_id ON public.balances FOR EACH ROW WHEN ((old.org_id <> new.org_id)) EXECUTE FUNCTION refuse_another_key();
alter table balances enable row level security, force row level security;
create policy engine_all on balances for all to sluice_engine using (true) with check (true);
create policy own_org on balances for all to sluice_api using ((org_id = ( SELECT current_org() AS current_org))) with check ((org_id = ( SELECT current_org() AS current_org)));
create policy owner_all on balances for all to sluice_owner using (true) with check (true);
grant select on table balances to sluice_api;
grant select on table balances to sluice_engine;

create table base_accounts (
  org_id uuid not null,
  chain_id text not null,
  address text not null,
  ready_height bigint,
  missing text not null,
  checked_at timestamp(3) with time zone not null,
  keep numeric(78,0),
  constraint base_accounts_pkey PRIMARY KEY (org_id, chain_id),
  constraint base_accounts_keep_check CHECK ((keep >= (0)::numeric)),
  constraint base_accounts_ready_height_check CHECK ((ready_height >= 0)),
  constraint base_accounts_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id)
);
alter table base_accounts enable row level security, force row level security;
create policy engine_all on base_accounts for all to sluice_engine using (true) with check (true);
create policy own_org on base_accounts for all to sluice_api using ((org_id = ( SELECT current_org() AS current_org))) with check ((org_id = ( SELECT current_org() AS current_org)));
create policy owner_all on base_accounts for all to sluice_owner using (true) with check (true);
grant select on table base_accounts to sluice_api;
grant insert, select, update on table base_accounts to sluice_engine;

create table blocks (
  chain_id text not null,
  height bigint not null,
  hash text not null,
  parent_hash text not null,
  "time" timestamp(3) with time zone not null,
  constraint blocks_pkey PRIMARY KEY (chain_id, height)
);
grant delete, insert, select, update on table blocks to sluice_engine;

create table chain_nodes (
  chain_id text not null,
  "position" integer not null,
  node text not null,
  state text not null,
  head bigint,
  latency_ms integer not null,
  error text not null,
  checked_at timestamp(3) with time zone not null,
  constraint chain_nodes_pkey PRIMARY KEY (chain_id, "position"),
  constraint chain_nodes_position_check CHECK (("position" >= 0)),
  constraint chain_nodes_state_check CHECK ((state = ANY (ARRAY['serves'::text, 'wrong-chain'::text, 'unreachable'::text])))
);
grant delete, insert, select, update on table chain_nodes to sluice_engine;
grant select (chain_id, state, checked_at) on table chain_nodes to sluice_api;

create table chain_states (
  chain_id text not null,
  genesis text not null,
  start_height bigint not null,
  tip_height bigint not null,
  tip_hash text not null,
  head_height bigint not null,
  final_height bigint,
  final_hash text,
  condition text not null default 'running'::text,
  condition_cause text not null default ''::text,
  tip_time timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  is_undoing boolean not null default false,
  reorg_height bigint,
  reorg_depth bigint,
  reorg_at timestamp(3) with time zone,
  constraint chain_states_pkey PRIMARY KEY (chain_id),
  constraint chain_states_condition_check CHECK ((condition = ANY (ARRAY['running'::text, 'frozen'::text, 'halted'::text]))),
  constraint chain_states_head_height_check CHECK ((head_height >= 0)),
  constraint chain_states_start_height_check CHECK ((start_height >= 0)),
  constraint chain_states_tip_height_check CHECK ((tip_height >= 0))
);
grant select on table chain_states to sluice_api;
grant insert, select, update on table chain_states to sluice_engine;

create table coin_origins (
  chain_id text not null,
  txn_hash text not null,
  spends bytea not null,
  taken_height bigint,
  taken_hash text,
  taken_by text,
  constraint coin_origins_pkey PRIMARY KEY (chain_id, txn_hash),
  constraint coin_origins_spends_check CHECK (((length(spends) > 0) AND ((length(spends) % 36) = 0))),
  constraint coin_origins_taken_by_another CHECK ((taken_by <> txn_hash)),
  constraint coin_origins_taken_whole CHECK ((((taken_height IS NULL) = (taken_hash IS NULL)) AND ((taken_height IS NULL) = (taken_by IS NULL))))
);
CREATE INDEX coin_origins_taken ON public.coin_origins USING btree (chain_id, taken_height) WHERE (taken_height IS NOT NULL);
grant insert, select, update on table coin_origins to sluice_engine;

create table coins (
  org_id uuid not null,
  chain_id text not null,
  txn_hash text not null,
  vout integer not null,
  address text not null,
  amount numeric(78,0) not null,
  place text not null,
  block_height bigint,
  block_hash text,
  spendable boolean not null,
  spend_id uuid,
  spent_height bigint,
  spent_hash text,
  spent_by text,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  lost_height bigint,
  constraint coins_pkey PRIMARY KEY (chain_id, txn_hash, vout),
  constraint coins_amount_check CHECK ((amount > (0)::numeric)),
  constraint coins_block_whole CHECK (((block_height IS NULL) = (block_hash IS NULL))),
  constraint coins_lost_whole CHECK (((lost_height IS NULL) OR (block_height IS NULL))),
  constraint coins_place_check CHECK ((place = ANY (ARRAY['deposits'::text, 'settlement'::text]))),
  constraint coins_spent_later CHECK (((spent_height IS NULL) OR ((block_height IS NOT NULL) AND (spent_height >= block_height)))),
  constraint coins_spent_whole CHECK ((((spent_height IS NULL) = (spent_hash IS NULL)) AND ((spent_height IS NULL) = (spent_by IS NULL)))),
  constraint coins_vout_check CHECK ((vout >= 0)),
  constraint coins_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id),
  constraint coins_org_id_spend_id_fkey FOREIGN KEY (org_id, spend_id) REFERENCES spends(org_id, id) DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX coins_block ON public.coins USING btree (chain_id, block_height);
CREATE INDEX coins_free ON public.coins USING btree (org_id, chain_id, amount, txn_hash, vout) WHERE ((spend_id IS NULL) AND (spent_height IS NULL) AND spendable AND (block_height IS NOT NULL));
CREATE INDEX coins_lost ON public.coins USING btree (chain_id) WHERE ((lost_height IS NOT NULL) AND (spend_id IS NOT NULL));
CREATE INDEX coins_spend ON public.coins USING btree (org_id, spend_id) WHERE (spend_id IS NOT NULL);
CREATE INDEX coins_spender ON public.coins USING btree (chain_id, spent_by) WHERE (spent_by IS NOT NULL);
CREATE INDEX coins_spent ON public.coins USING btree (chain_id, spent_height) WHERE (spent_height IS NOT NULL);
CREATE INDEX coins_unspent ON public.coins USING btree (chain_id, address) WHERE (spent_height IS NULL);
alter table coins enable row level security, force row level security;
create policy engine_all on coins for all to sluice_engine using (true) with check (true);
create policy own_org on coins for all to sluice_api using ((org_id = ( SELECT current_org() AS current_org))) with check ((org_id = ( SELECT current_org() AS current_org)));
create policy owner_all on coins for all to sluice_owner using (true) with check (true);
grant select on table coins to sluice_api;
grant insert, select, update on table coins to sluice_engine;

create table deliveries (
  org_id uuid not null,
  event_id uuid not null,
  endpoint_id uuid not null,
  state text not null,
  attempts integer not null default 0,
  next_at timestamp(3) with time zone,
  leased_until timestamp(3) with time zone,
  lease_token uuid,
  finished_at timestamp(3) with time zone,
  sequence bigint not null,
  attempts_max integer not null default 6,
  url text,
  url_mac bytea,
  constraint deliveries_pkey PRIMARY KEY (org_id, event_id, endpoint_id),
  constraint deliveries_attempts_max_check CHECK ((attempts_max >= 1)),
  constraint deliveries_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text])))
);
alter table deliveries set (fillfactor=50);
CREATE INDEX deliveries_due ON public.deliveries USING btree (endpoint_id, next_at) WHERE (state = 'pending'::text);
CREATE INDEX deliveries_failed ON public.deliveries USING btree (endpoint_id, sequence) WHERE (state = 'failed'::text);
CREATE TRIGGER deliveries_belong AFTER INSERT ON public.deliveries REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION demand_events();
CREATE TRIGGER deliveries_keep_keys AFTER UPDATE OF org_id, event_id, endpoint_id ON public.deliveries FOR EACH ROW WHEN (((old.org_id <> new.org_id) OR (old.event_id <> new.event_id) OR (old.endpoint_id <> new.endpoint_id))) EXECUTE FUNCTION refuse_another_key();
alter table deliveries enable row level security, force row level security;
create policy engine_all on deliveries for all to sluice_engine using (true) with check (true);
create policy own_org on deliveries for all to sluice_api using ((org_id = ( SELECT current_org() AS current_org))) with check ((org_id = ( SELECT current_org() AS current_org)));
create policy owner_all on deliveries for all to sluice_owner using (true) with check (true);
grant insert, select on table deliveries to sluice_api;
grant insert, select, update on table deliveries to sluice_engine;
grant update (state, attempts, next_at, leased_until, lease_token, finished_at, attempts_max, url, url_mac) on table deliveries to sluice_api;

create table delivery_attempts (
  id bigint not null generated always as identity,
  org_id uuid not null,
  event_id uuid not null,
  endpoint_id uuid not null,
  number integer not null,
  url text not null,
  request_headers jsonb,
  status integer,
  response_body text not null default ''::text,
  error text not null default ''::text,
  started_at timestamp(3) with time zone not null,
  finished_at timestamp(3) with time zone not null,
  response_headers text not null default '{}'::text,
  request_signature text,
  constraint delivery_attempts_pkey PRIMARY KEY (id)
);
CREATE INDEX delivery_attempts_event ON public.delivery_attempts USING btree (org_id, event_id, number);
CREATE TRIGGER delivery_attempts_belong AFTER INSERT ON public.delivery_attempts REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION demand_events();
CREATE TRIGGER delivery_attempts_keep_keys AFTER UPDATE OF org_id, event_id ON public.delivery_attempts FOR EACH ROW WHEN (((old.org_id <> new.org_id) OR (old.event_id <> new.event_id))) EXECUTE FUNCTION refuse_another_key();
alter table delivery_attempts enable row level security, force row level security;
create policy engine_all on delivery_attempts for all to sluice_engine using (true) with check (true);
create policy own_org on delivery_attempts for all to sluice_api using ((org_id = ( SELECT current_org() AS current_org))) with check ((org_id = ( SELECT current_org() AS current_org)));
create policy owner_all on delivery_attempts for all to sluice_owner using (true) with check (true);
grant select on table delivery_attempts to sluice_api;
grant delete, insert, select, update on table delivery_attempts to sluice_engine;

create table energy_loans (
  org_id uuid not null,
  id uuid not null,
  chain_id text not null,
  address text not null,
  place text not null,
  stake numeric(78,0) not null,
  energy numeric(78,0) not null,
  state text not null,
  spend_id uuid,
  return_id uuid,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint energy_loans_pkey PRIMARY KEY (org_id, id),
  constraint energy_loans_energy_check CHECK ((energy > (0)::numeric)),
  constraint energy_loans_place_check CHECK ((place = ANY (ARRAY['deposits'::text, 'settlement'::text]))),
  constraint energy_loans_stake_check CHECK ((stake > (0)::numeric)),
  constraint energy_loans_state_check CHECK ((state = ANY (ARRAY['Lending'::text, 'Lent'::text, 'Returning'::text, 'Returned'::text, 'Failed'::text]))),
  constraint energy_loans_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id),
  constraint energy_loans_org_id_spend_id_fkey FOREIGN KEY (org_id, spend_id) REFERENCES spends(org_id, id)
);
CREATE UNIQUE INDEX energy_loans_open ON public.energy_loans USING btree (chain_id, address) WHERE (state = ANY (ARRAY['Lending'::text, 'Lent'::text, 'Returning'::text]));
CREATE UNIQUE INDEX energy_loans_return ON public.energy_loans USING btree (org_id, return_id);
CREATE INDEX energy_loans_standing ON public.energy_loans USING btree (chain_id) WHERE (state = ANY (ARRAY['Lending'::text, 'Lent'::text, 'Returning'::text]));
alter table energy_loans enable row level security, force row level security;
create policy engine_all on energy_loans for all to sluice_engine using (true) with check (true);
create policy own_org on energy_loans for all to sluice_api using ((org_id = ( SELECT current_org() AS current_org))) with check ((org_id = ( SELECT current_org() AS current_org)));
create policy owner_all on energy_loans for all to sluice_owner using (true) with check (true);
grant select on table energy_loans to sluice_api;
grant insert, select, update on table energy_loans to sluice_engine;

create table energy_uses (
  org_id uuid not null,
  subject_id uuid not null,
  loan_id uuid not null,
  energy numeric(78,0) not null,
  created_at timestamp(3) with time zone not null,
  constraint energy_uses_pkey PRIMARY KEY (org_id, subject_id),
  constraint energy_uses_energy_check CHECK ((energy > (0)::numeric)),
  constraint energy_uses_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id),
  constraint energy_uses_org_id_loan_id_fkey FOREIGN KEY (org_id, loan_id) REFERENCES energy_loans(org_id, id)
);
CREATE INDEX energy_uses_loan ON public.energy_uses USING btree (org_id, loan_id);
alter table energy_uses enable row level security, force row level security;
create policy engine_all on energy_uses for all to sluice_engine using (true) with check (true);
create policy own_org on energy_uses for all to sluice_api using ((org_id = ( SELECT current_org() AS current_org))) with check ((org_id = ( SELECT current_org() AS current_org)));
create policy owner_all on energy_uses for all to sluice_owner using (true) with check (true);
grant select on table energy_uses to sluice_api;
grant insert, select, update on table energy_uses to sluice_engine;

create table event_counters (
  org_id uuid not null,
  last_sequence bigint not null default 0,
  constraint event_counters_pkey PRIMARY KEY (org_id),
  constraint event_counters_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id)
);
alter table event_counters enable row level security, force row level security;
create policy engine_all on event_counters for all to sluice_engine using (true) with check (true);
create policy own_org on event_counters for all to sluice_api using ((org_id = ( SELECT current_org() AS current_org))) with check ((org_id = ( SELECT current_org() AS current_org)));
create policy owner_all on event_counters for all to sluice_owner using (true) with check (true);
grant insert, select, update on table event_counters to sluice_api;
grant insert, select, update on table event_counters to sluice_engine;

create table events (
  org_id uuid not null,
  id uuid not null,
  sequence bigint not null,
  type text not null,
  subject_id text not null,
  body text not null,
  created_at timestamp(3) with time zone not null,
  constraint events_pkey PRIMARY KEY (org_id, id),
  constraint events_org_id_sequence_key UNIQUE (org_id, sequence)
);
CREATE INDEX events_subject ON public.events USING btree (org_id, subject_id, sequence);
CREATE INDEX events_type ON public.events USING btree (org_id, type, sequence) WHERE (type <> ALL (ARRAY['deposit.detected'::text, 'deposit.confirmed'::text, 'balance.updated'::text, 'account.created'::text]));
CREATE TRIGGER events_belong AFTER INSERT ON public.events REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION demand_organizations();
CREATE TRIGGER events_keep_keys AFTER UPDATE OF org_id, id ON public.events FOR EACH ROW WHEN (((old.org_id <> new.org_id) OR (old.id <> new.id))) EXECUTE FUNCTION refuse_another_key();
CREATE TRIGGER events_stand BEFORE DELETE OR TRUNCATE ON public.events FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
alter table events enable row level security, force row level security;
create policy engine_all on events for all to sluice_engine using (true) with check (true);
create policy own_org on events for all to sluice_api using ((org_id = ( SELECT current_org() AS current_org))) with check ((org_id = ( SELECT current_org() AS current_org)));
create policy owner_all on events for all to sluice_owner using (true) with check (true);
grant insert, select on table events to sluice_api;
grant insert, select on table events to sluice_engine;

create table foreign_transactions (
  chain_id text not null,
  txn_hash text not null,
  org_id uuid not null,
  sender text not null,
  nonce bigint,
  block_height bigint,
  block_hash text,
  found_at timestamp(3) with time zone not null,
  pays boolean not null default false,
  constraint foreign_transactions_pkey PRIMARY KEY (chain_id, txn_hash),
  constraint foreign_transactions_nonce_check CHECK ((nonce >= 0)),
  constraint foreign_transactions_chain_id_sender_fkey FOREIGN KEY (chain_id, sender) REFERENCES senders(chain_id, address),
  constraint foreign_transactions_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id)
);
CREATE INDEX foreign_transactions_block ON public.foreign_transactions USING btree (chain_id, block_height);
CREATE INDEX foreign_transactions_nonce ON public.foreign_transactions USING btree (chain_id, sender, nonce);
alter table foreign_transactions enable row level security, force row level security;
create policy engine_all on foreign_transactions for all to sluice_engine using (true) with check (true);
create policy own_org on foreign_transactions for all to sluice_api using ((org_id = ( SELECT current_org() AS current_org))) with check ((org_id = ( SELECT current_org() AS current_org)));
create policy owner_all on foreign_transactions for all to sluice_owner using (true) with check (true);
grant select on table foreign_transactions to sluice_api;
grant insert, select, update on table foreign_transactions to sluice_engine;

create table gas_levels (
  org_id uuid not null,
  chain_id text not null,
  low boolean not null,
  updated_at timestamp(3) with time zone not null,
  constraint gas_levels_pkey PRIMARY KEY (org_id, chain_id),
  constraint gas_levels_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id)
);
alter table gas_levels enable row level security, force row level security;
create policy engine_all on gas_levels for all to sluice_engine using (true) with check (true);
create policy own_org on gas_levels for all to sluice_api using ((org_id = ( SELECT current_org() AS current_org))) with check ((org_id = ( SELECT current_org() AS current_org)));
create policy owner_all on gas_levels for all to sluice_owner using (true) with check (true);
grant select on table gas_levels to sluice_api;
grant insert, select, update on table gas_levels to sluice_engine;

create table guesses (
  subject bytea not null,
  failures integer not null,
  locked_until timestamp(3) with time zone,
  last_at timestamp(3) with time zone not null,
  owner bytea not null default '\x'::bytea,
  known_at timestamp(3) with time zone,
  constraint guesses_pkey PRIMARY KEY (subject),
  constraint guesses_failures_check CHECK ((failures >= 0))
);
CREATE INDEX guesses_last ON public.guesses USING btree (last_at);
CREATE INDEX guesses_owner ON public.guesses USING btree (owner);
grant insert, select, update on table guesses to sluice_api;
grant delete, insert, select, update on table guesses to sluice_engine;

create table incoming_transfers (
  org_id uuid not null,
  id uuid not null,
  purpose text not null,
  chain_id text not null,
  txn_hash text not null,
  "position" text not null,
  token_id text not null,
  address text not null,
  place text not null,
  account_id uuid,
  account_chain_id text,
  external_user_id text not null default ''::text,
  sender_address text not null default ''::text,
  amount numeric(78,0) not null,
  net_movement numeric(96,0) not null,
  status text not null,
  booked text not null,
  gas_part numeric(78,0) not null default 0,
  held_cause text not null default ''::text,
  cleared boolean not null default false,
  block_height bigint not null,
  block_hash text not null,
  matures_at bigint,
  confirmed_at timestamp(3) with time zone,
  confirmed_height bigint,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint incoming_transfers_pkey PRIMARY KEY (org_id, id),
  constraint incoming_transfers_chain_id_txn_hash_position_address_token_key UNIQUE (chain_id, txn_hash, "position", address, token_id),
  constraint incoming_transfers_account CHECK ((((purpose = 'deposit'::text) = (account_id IS NOT NULL)) AND ((account_id IS NULL) = (account_chain_id IS NULL)))),
  constraint incoming_transfers_amount_check CHECK ((amount > (0)::numeric)),
  constraint incoming_transfers_booked_check CHECK ((booked = ANY (ARRAY['unconfirmed'::text, 'available'::text, 'gas'::text, 'below_minimum'::text, 'held'::text, 'none'::text]))),
  constraint incoming_transfers_check CHECK (((gas_part >= (0)::numeric) AND (gas_part <= amount))),
  constraint incoming_transfers_minimum CHECK (((status <> 'BelowMinimum'::text) OR (purpose = 'deposit'::text))),
  constraint incoming_transfers_place_check CHECK ((place = ANY (ARRAY['deposits'::text, 'settlement'::text, 'gas'::text]))),
  constraint incoming_transfers_purpose_check CHECK ((purpose = ANY (ARRAY['deposit'::text, 'settlement'::text, 'gas'::text]))),
  constraint incoming_transfers_status_check CHECK ((status = ANY (ARRAY['Detected'::text, 'Confirmed'::text, 'BelowMinimum'::text, 'Held'::text, 'Orphaned'::text])))
);
CREATE INDEX deposits_address ON public.incoming_transfers USING btree (org_id, address, created_at DESC, id DESC) WHERE (purpose = 'deposit'::text);
CREATE INDEX deposits_aside ON public.incoming_transfers USING btree (org_id, status, created_at DESC, id DESC) WHERE ((status <> 'Confirmed'::text) AND (purpose = 'deposit'::text));
CREATE INDEX deposits_created ON public.incoming_transfers USING btree (org_id, created_at DESC, id DESC) WHERE (purpose = 'deposit'::text);
CREATE INDEX deposits_token ON public.incoming_transfers USING btree (org_id, chain_id, token_id, created_at DESC, id DESC) WHERE (purpose = 'deposit'::text);
CREATE INDEX deposits_user ON public.incoming_transfers USING btree (org_id, external_user_id, created_at DESC, id DESC) WHERE (purpose = 'deposit'::text);
CREATE INDEX incoming_transfers_block ON public.incoming_transfers USING btree (chain_id, block_height);
CREATE INDEX incoming_transfers_held ON public.incoming_transfers USING btree (chain_id, address) WHERE (status = 'Held'::text);
CREATE INDEX incoming_transfers_maturing ON public.incoming_transfers USING btree (chain_id, matures_at) WHERE ((status = 'Detected'::text) AND (matures_at IS NOT NULL));
CREATE INDEX incoming_transfers_small ON public.incoming_transfers USING btree (org_id, account_id, chain_id, token_id) WHERE (status = 'BelowMinimum'::text);
CREATE INDEX incoming_transfers_waiting ON public.incoming_transfers USING btree (chain_id, block_height) WHERE (status = 'Detected'::text);
CREATE TRIGGER incoming_transfers_belong AFTER INSERT ON public.incoming_transfers REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION demand_accounts();
CREATE TRIGGER incoming_transfers_keep_keys AFTER UPDATE OF org_id, account_id, purpose, place ON public.incoming_transfers FOR EACH ROW WHEN (((old.org_id <> new.org_id) OR (old.purpose <> new.purpose) OR (old.place <> new.place) OR (old.account_id IS DISTINCT FROM new.account_id))) EXECUTE FUNCTION refuse_another_key();
alter table incoming_transfers enable row level security, force row level security;
create policy engine_all on incoming_transfers for all to sluice_engine using (true) with check (true);
create policy own_org on incoming_transfers for all to sluice_api using ((org_id = ( SELECT current_org() AS current_org))) with check ((org_id = ( SELECT current_org() AS current_org)));
create policy owner_all on incoming_transfers for all to sluice_owner using (true) with check (true);
grant select on table incoming_transfers to sluice_api;
grant insert, select, update on table incoming_transfers to sluice_engine;

create table invitations (
  org_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  hash bytea not null,
  role text not null,
  created_by text not null,
  created_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null,
  ended_at timestamp(3) with time zone,
  end_cause text not null default ''::text,
  mac bytea not null,
  constraint invitations_pkey PRIMARY KEY (org_id, id),
  constraint invitations_hash_key UNIQUE (hash),
  constraint invitations_role_check CHECK ((role = ANY (ARRAY['viewer'::text, 'operator'::text, 'approver'::text, 'admin'::text]))),
  constraint invitations_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id),
  constraint invitations_org_id_user_id_fkey FOREIGN KEY (org_id, user_id) REFERENCES users(org_id, id)
);
CREATE UNIQUE INDEX invitations_open ON public.invitations USING btree (org_id, user_id) WHERE (ended_at IS NULL);
CREATE TRIGGER invitations_superseded AFTER DELETE OR UPDATE OF mac ON public.invitations FOR EACH ROW EXECUTE FUNCTION keep_superseded('mac');
alter table invitations enable row level security, force row level security;
create policy engine_all on invitations for all to sluice_engine using (true) with check (true);
create policy own_org on invitations for all to sluice_api using ((org_id = ( SELECT current_org() AS current_org))) with check ((org_id = ( SELECT current_org() AS current_org)));
create policy owner_all on invitations for all to sluice_owner using (true) with check (true);
grant insert, select on table invitations to sluice_api;
grant insert, select, update on table invitations to sluice_engine;
grant update (role, ended_at, end_cause, mac) on table invitations to sluice_api;

create table leases (
  name text not null,
  holder text not null,
  token bigint not null,
  expires_at timestamp(3) with time zone not null,
  constraint leases_pkey PRIMARY KEY (name),
  constraint leases_token_check CHECK ((token >= 1))
);
grant insert, select, update on table leases to sluice_engine;

create table org_switches (
  org_id uuid not null,
  subject text not null,
  enabled boolean,
  paused boolean not null default false,
  updated_at timestamp(3) with time zone not null,
  constraint org_switches_pkey PRIMARY KEY (org_id, subject),
  constraint org_switches_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id)
);
alter table org_switches enable row level security, force row level security;
create policy engine_all on org_switches for all to sluice_engine using (true) with check (true);
create policy own_org on org_switches for all to sluice_api using ((org_id = ( SELECT current_org() AS current_org))) with check ((org_id = ( SELECT current_org() AS current_org)));
create policy owner_all on org_switches for all to sluice_owner using (true) with check (true);
grant select on table org_switches to sluice_api;
grant select on table org_switches to sluice_engine;
grant insert (org_id, subject, paused, updated_at) on table org_switches to sluice_api;
grant update (paused, updated_at) on table org_switches to sluice_api;
grant insert (org_id, subject, enabled, updated_at) on table org_switches to sluice_engine;
grant update (enabled, updated_at) on table org_switches to sluice_engine;

create table organizations (
  id uuid not null,
  name text not null,
  min_withdrawal_signers integer not null default 1,
  min_human_approvals integer default 0,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  mac bytea not null,
  version uuid,
  constraint organizations_pkey PRIMARY KEY (id),
  constraint organizations_min_human_approvals_check CHECK ((min_human_approvals >= 0)),
  constraint organizations_min_withdrawal_signers_check CHECK ((min_withdrawal_signers >= 1)),
  constraint organizations_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100)))
);
CREATE TRIGGER organizations_keep_keys AFTER UPDATE OF id ON public.organizations FOR EACH ROW WHEN ((old.id <> new.id)) EXECUTE FUNCTION refuse_another_key();
CREATE TRIGGER organizations_stand BEFORE DELETE OR TRUNCATE ON public.organizations FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER organizations_superseded AFTER DELETE OR UPDATE OF mac ON public.organizations FOR EACH ROW EXECUTE FUNCTION keep_superseded('mac');
alter table organizations enable row level security, force row level security;
create policy engine_all on organizations for all to sluice_engine using (true) with check (true);
create policy own_org on organizations for all to sluice_api using ((id = ( SELECT current_org() AS current_org))) with check ((id = ( SELECT current_org() AS current_org)));
create policy owner_all on organizations for all to sluice_owner using (true) with check (true);
grant select, update on table organizations to sluice_api;
grant insert, select, update on table organizations to sluice_engine;

create table own_transactions (
  chain_id text not null,
  txn_hash text not null,
  org_id uuid not null,
  purpose text not null,
  created_at timestamp(3) with time zone not null,
  constraint own_transactions_pkey PRIMARY KEY (chain_id, txn_hash),
  constraint own_transactions_purpose_check CHECK ((purpose = ANY (ARRAY['withdrawal'::text, 'sweep'::text, 'top-up'::text, 'filler'::text, 'consolidation'::text, 'delegation'::text, 'undelegation'::text]))),
  constraint own_transactions_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id)
);
alter table own_transactions enable row level security, force row level security;
create policy engine_all on own_transactions for all to sluice_engine using (true) with check (true);
create policy own_org on own_transactions for all to sluice_api using ((org_id = ( SELECT current_org() AS current_org))) with check ((org_id = ( SELECT current_org() AS current_org)));
create policy owner_all on own_transactions for all to sluice_owner using (true) with check (true);
grant insert, select, update on table own_transactions to sluice_engine;

create table passkeys (
  org_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  credential_id bytea not null,
  public_key bytea not null,
  counter bigint not null,
  name text not null,
  mac bytea not null,
  created_at timestamp(3) with time zone not null,
  last_used_at timestamp(3) with time zone,
  constraint passkeys_pkey PRIMARY KEY (org_id, id),
  constraint passkeys_org_id_credential_id_key UNIQUE (org_id, credential_id),
  constraint passkeys_counter_check CHECK ((counter >= 0)),
  constraint passkeys_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint passkeys_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id),
  constraint passkeys_org_id_user_id_fkey FOREIGN KEY (org_id, user_id) REFERENCES users(org_id, id)
);
CREATE INDEX passkeys_user ON public.passkeys USING btree (org_id, user_id, created_at, id);
CREATE TRIGGER passkeys_superseded AFTER DELETE OR UPDATE OF mac ON public.passkeys FOR EACH ROW EXECUTE FUNCTION keep_superseded('mac');
alter table passkeys enable row level security, force row level security;
create policy engine_all on passkeys for all to sluice_engine using (true) with check (true);
create policy own_org on passkeys for all to sluice_api using ((org_id = ( SELECT current_org() AS current_org))) with check ((org_id = ( SELECT current_org() AS current_org)));
create policy owner_all on passkeys for all to sluice_owner using (true) with check (true);
grant delete, insert, select on table passkeys to sluice_api;
grant delete, insert, select on table passkeys to sluice_engine;
grant update (counter, name, mac, last_used_at) on table passkeys to sluice_api;

create table postings (
  id bigint not null generated always as identity,
  org_id uuid not null,
  chain_id text not null,
  token_id text not null,
  debit text not null,
  credit text not null,
  amount numeric(78,0) not null,
  reason text not null,
  reversal boolean not null default false,
  reference_id uuid not null,
  block_height bigint,
  created_at timestamp(3) with time zone not null,
  constraint postings_pkey PRIMARY KEY (id),
  constraint postings_accounts CHECK (((debit <> credit) AND is_ledger_account(debit) AND is_ledger_account(credit))),
  constraint postings_amount_check CHECK ((amount > (0)::numeric))
);
CREATE INDEX postings_above ON public.postings USING btree (chain_id, block_height) WHERE ((debit ~~ 'place:%'::text) OR (credit ~~ 'place:%'::text));
CREATE INDEX postings_created ON public.postings USING btree (org_id, chain_id, token_id, created_at DESC, id DESC);
CREATE INDEX postings_in ON public.postings USING btree (chain_id, debit) WHERE ((debit ~~ 'place:%'::text) AND (credit <> 'claim:unconfirmed'::text));
CREATE INDEX postings_out ON public.postings USING btree (chain_id, credit) WHERE (credit ~~ 'place:%'::text);
CREATE INDEX postings_recent ON public.postings USING btree (chain_id, created_at);
CREATE INDEX postings_reference ON public.postings USING btree (org_id, reference_id);
CREATE TRIGGER postings_apply AFTER INSERT ON public.postings REFERENCING NEW TABLE AS new_postings FOR EACH STATEMENT EXECUTE FUNCTION apply_postings();
CREATE TRIGGER postings_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.postings FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
alter table postings enable row level security, force row level security;
create policy engine_all on postings for all to sluice_engine using (true) with check (true);
create policy own_org on postings for all to sluice_api using ((org_id = ( SELECT current_org() AS current_org))) with check ((org_id = ( SELECT current_org() AS current_org)));
create policy owner_all on postings for all to sluice_owner using (true) with check (true);
grant insert, select on table postings to sluice_api;
grant insert, select on table postings to sluice_engine;

create table recovery_codes (
  org_id uuid not null,
  user_id uuid not null,
  hash bytea not null,
  created_at timestamp(3) with time zone not null,
  constraint recovery_codes_pkey PRIMARY KEY (org_id, user_id, hash),
  constraint recovery_codes_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id),
  constraint recovery_codes_org_id_user_id_fkey FOREIGN KEY (org_id, user_id) REFERENCES users(org_id, id)
);
CREATE TRIGGER recovery_codes_superseded AFTER DELETE OR UPDATE OF hash ON public.recovery_codes FOR EACH ROW EXECUTE FUNCTION keep_superseded('hash');
alter table recovery_codes enable row level security, force row level security;
create policy engine_all on recovery_codes for all to sluice_engine using (true) with check (true);
create policy own_org on recovery_codes for all to sluice_api using ((org_id = ( SELECT current_org() AS current_org))) with check ((org_id = ( SELECT current_org() AS current_org)));
create policy owner_all on recovery_codes for all to sluice_owner using (true) with check (true);
grant delete, insert, select on table recovery_codes to sluice_api;
grant delete, insert, select on table recovery_codes to sluice_engine;

create table request_counts (
  subject bytea not null,
  window_start timestamp(3) with time zone not null,
  requests bigint not null,
  constraint request_counts_pkey PRIMARY KEY (subject),
  constraint request_counts_requests_check CHECK ((requests >= 0))
);
CREATE INDEX request_counts_window ON public.request_counts USING btree (window_start);
grant insert, select, update on table request_counts to sluice_api;
grant delete, insert, select, update on table request_counts to sluice_engine;

create table rescans (
  id uuid not null,
  chain_id text not null,
  from_height bigint not null,
  to_height bigint not null,
  next_height bigint not null,
  found bigint not null default 0,
  state text not null default 'waiting'::text,
  cause text not null default ''::text,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint rescans_pkey PRIMARY KEY (id),
  constraint rescans_check CHECK ((to_height >= from_height)),
  constraint rescans_from_height_check CHECK ((from_height >= 0)),
  constraint rescans_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'done'::text, 'failed'::text])))
);
CREATE INDEX rescans_waiting ON public.rescans USING btree (chain_id, created_at) WHERE (state = 'waiting'::text);
grant insert, select, update on table rescans to sluice_engine;

create table schema_migrations (
  name text not null,
  checksum text not null,
  applied_at timestamp(3) with time zone not null default now(),
  constraint schema_migrations_pkey PRIMARY KEY (name)
);
grant select on table schema_migrations to sluice_api;
grant select on table schema_migrations to sluice_engine;

create table senders (
  chain_id text not null,
  address text not null,
  org_id uuid not null,
  purpose text not null,
  wallet_number integer not null,
  path_index bigint not null,
  next_nonce bigint not null,
  halted_at timestamp(3) with time zone,
  halted_cause text not null default ''::text,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint senders_pkey PRIMARY KEY (chain_id, address),
  constraint senders_next_nonce_check CHECK ((next_nonce >= 0)),
  constraint senders_path_index_check CHECK (((path_index >= 0) AND (path_index <= 2147483647))),
  constraint senders_purpose_check CHECK ((purpose = ANY (ARRAY['deposit'::text, 'settlement'::text, 'gas'::text]))),
  constraint senders_wallet_number_check CHECK ((wallet_number >= 0)),
  constraint senders_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id)
);
alter table senders enable row level security, force row level security;
create policy engine_all on senders for all to sluice_engine using (true) with check (true);
create policy own_org on senders for all to sluice_api using ((org_id = ( SELECT current_org() AS current_org))) with check ((org_id = ( SELECT current_org() AS current_org)));
create policy owner_all on senders for all to sluice_owner using (true) with check (true);
grant select on table senders to sluice_api;
grant insert, select, update on table senders to sluice_engine;

create table sessions (
  org_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  created_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null,
  ended_at timestamp(3) with time zone,
  end_cause text not null default ''::text,
  address text not null default ''::text,
  constraint sessions_pkey PRIMARY KEY (org_id, id),
  constraint sessions_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id),
  constraint sessions_org_id_user_id_fkey FOREIGN KEY (org_id, user_id) REFERENCES users(org_id, id)
);
CREATE INDEX sessions_expiry ON public.sessions USING btree (expires_at);
CREATE INDEX sessions_open ON public.sessions USING btree (org_id, user_id) WHERE (ended_at IS NULL);
alter table sessions enable row level security, force row level security;
create policy engine_all on sessions for all to sluice_engine using (true) with check (true);
create policy own_org on sessions for all to sluice_api using ((org_id = ( SELECT current_org() AS current_org))) with check ((org_id = ( SELECT current_org() AS current_org)));
create policy owner_all on sessions for all to sluice_owner using (true) with check (true);
grant insert, select on table sessions to sluice_api;
grant delete, insert, select, update on table sessions to sluice_engine;
grant update (ended_at, end_cause) on table sessions to sluice_api;

create table signed_withdrawals (
  org_id uuid not null,
  withdrawal_id uuid not null,
  spend_id uuid not null,
  constraint signed_withdrawals_pkey PRIMARY KEY (org_id, withdrawal_id, spend_id)
);
CREATE TRIGGER signed_withdrawals_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.signed_withdrawals FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
alter table signed_withdrawals enable row level security, force row level security;
create policy engine_all on signed_withdrawals for all to sluice_engine using (true) with check (true);
create policy own_org on signed_withdrawals for all to sluice_api using ((org_id = ( SELECT current_org() AS current_org))) with check ((org_id = ( SELECT current_org() AS current_org)));
create policy owner_all on signed_withdrawals for all to sluice_owner using (true) with check (true);
grant select on table signed_withdrawals to sluice_api;
grant select on table signed_withdrawals to sluice_engine;

create table signing_halts (
  id bigint not null generated always as identity,
  cause text not null,
  number bigint not null,
  halted boolean not null,
  mac bytea not null,
  at timestamp(3) with time zone not null,
  constraint signing_halts_pkey PRIMARY KEY (id)
);
CREATE TRIGGER signing_halts_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.signing_halts FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
grant select on table signing_halts to sluice_engine;
grant insert (cause, number, halted, mac, at) on table signing_halts to sluice_engine;

create table signing_secrets (
  org_id uuid not null,
  id uuid not null,
  endpoint_id uuid not null,
  sealed bytea not null,
  created_at timestamp(3) with time zone not null,
  valid_until timestamp(3) with time zone,
  constraint signing_secrets_pkey PRIMARY KEY (org_id, id),
  constraint signing_secrets_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id)
);
CREATE UNIQUE INDEX signing_secrets_current ON public.signing_secrets USING btree (endpoint_id) WHERE (valid_until IS NULL);
CREATE INDEX signing_secrets_endpoint ON public.signing_secrets USING btree (org_id, endpoint_id, valid_until);
alter table signing_secrets enable row level security, force row level security;
create policy engine_all on signing_secrets for all to sluice_engine using (true) with check (true);
create policy own_org on signing_secrets for all to sluice_api using ((org_id = ( SELECT current_org() AS current_org))) with check ((org_id = ( SELECT current_org() AS current_org)));
create policy owner_all on signing_secrets for all to sluice_owner using (true) with check (true);
grant insert, select, update on table signing_secrets to sluice_api;
grant insert, select, update on table signing_secrets to sluice_engine;

create table speed_ups (
  org_id uuid not null,
  spend_id uuid not null,
  txn_hash text not null,
  requested_at timestamp(3) with time zone not null,
  constraint speed_ups_pkey PRIMARY KEY (org_id, spend_id),
  constraint speed_ups_org_id_spend_id_fkey FOREIGN KEY (org_id, spend_id) REFERENCES spends(org_id, id)
);
alter table speed_ups enable row level security, force row level security;
create policy engine_all on speed_ups for all to sluice_engine using (true) with check (true);
create policy own_org on speed_ups for all to sluice_api using ((org_id = ( SELECT current_org() AS current_org))) with check ((org_id = ( SELECT current_org() AS current_org)));
create policy owner_all on speed_ups for all to sluice_owner using (true) with check (true);
grant insert, select, update on table speed_ups to sluice_api;
grant delete, insert, select, update on table speed_ups to sluice_engine;

create table spend_give_ups (
  org_id uuid not null,
  spend_id uuid not null,
  proposed_by uuid not null,
  transactions integer not null,
  confirmed_by uuid,
  proposed_at timestamp(3) with time zone not null,
  despite_payment boolean not null default false,
  constraint spend_give_ups_pkey PRIMARY KEY (org_id, spend_id),
  constraint spend_give_ups_transactions_check CHECK ((transactions > 0)),
  constraint spend_give_ups_two_people CHECK (((confirmed_by IS NULL) OR (confirmed_by <> proposed_by))),
  constraint spend_give_ups_org_id_spend_id_fkey FOREIGN KEY (org_id, spend_id) REFERENCES spends(org_id, id)
);
alter table spend_give_ups enable row level security, force row level security;
create policy engine_all on spend_give_ups for all to sluice_engine using (true) with check (true);
create policy own_org on spend_give_ups for all to sluice_api using ((org_id = ( SELECT current_org() AS current_org))) with check ((org_id = ( SELECT current_org() AS current_org)));
create policy owner_all on spend_give_ups for all to sluice_owner using (true) with check (true);
grant insert, select, update on table spend_give_ups to sluice_engine;

create table spend_subjects (
  org_id uuid not null,
  spend_id uuid not null,
  subject_id uuid not null,
  recipient text not null,
  amount numeric(78,0) not null,
  "position" integer not null,
  stands boolean not null default true,
  constraint spend_subjects_pkey PRIMARY KEY (org_id, spend_id, "position"),
  constraint spend_subjects_amount_check CHECK ((amount > (0)::numeric)),
  constraint spend_subjects_position_check CHECK (("position" >= 0)),
  constraint spend_subjects_org_id_spend_id_fkey FOREIGN KEY (org_id, spend_id) REFERENCES spends(org_id, id)
);
CREATE UNIQUE INDEX spend_subjects_once ON public.spend_subjects USING btree (org_id, subject_id) WHERE stands;
CREATE INDEX spend_subjects_subject ON public.spend_subjects USING btree (org_id, subject_id);
CREATE TRIGGER spend_subjects_signed AFTER INSERT ON public.spend_subjects FOR EACH ROW EXECUTE FUNCTION keep_signed_subject();
CREATE TRIGGER spend_subjects_stand BEFORE DELETE OR TRUNCATE ON public.spend_subjects FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
alter table spend_subjects enable row level security, force row level security;
create policy engine_all on spend_subjects for all to sluice_engine using (true) with check (true);
create policy own_org on spend_subjects for all to sluice_api using ((org_id = ( SELECT current_org() AS current_org))) with check ((org_id = ( SELECT current_org() AS current_org)));
create policy owner_all on spend_subjects for all to sluice_owner using (true) with check (true);
grant select on table spend_subjects to sluice_api;
grant insert, select on table spend_subjects to sluice_engine;
grant update (stands) on table spend_subjects to sluice_engine;

create table spend_transactions (
  chain_id text not null,
  txn_hash text not null,
  org_id uuid not null,
  spend_id uuid not null,
  number integer not null,
  raw bytea not null,
  max_fee numeric(78,0) not null,
  terms jsonb not null,
  signed_height bigint not null,
  signed_at timestamp(3) with time zone not null,
  broadcast_at timestamp(3) with time zone,
  broadcast_height bigint,
  broadcasts integer not null default 0,
  last_answer text not null default ''::text,
  constraint spend_transactions_pkey PRIMARY KEY (chain_id, txn_hash),
  constraint spend_transactions_org_id_spend_id_number_key UNIQUE (org_id, spend_id, number),
  constraint spend_transactions_number_check CHECK ((number >= 1)),
  constraint spend_transactions_org_id_spend_id_fkey FOREIGN KEY (org_id, spend_id) REFERENCES spends(org_id, id)
);
CREATE TRIGGER spend_transactions_stand BEFORE DELETE OR TRUNCATE ON public.spend_transactions FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
alter table spend_transactions enable row level security, force row level security;
create policy engine_all on spend_transactions for all to sluice_engine using (true) with check (true);
create policy own_org on spend_transactions for all to sluice_api using ((org_id = ( SELECT current_org() AS current_org))) with check ((org_id = ( SELECT current_org() AS current_org)));
create policy owner_all on spend_transactions for all to sluice_owner using (true) with check (true);
grant select on table spend_transactions to sluice_api;
grant insert, select on table spend_transactions to sluice_engine;
grant update (signed_height, broadcast_at, broadcast_height, broadcasts, last_answer) on table spend_transactions to sluice_engine;

create table spends (
  org_id uuid not null,
  id uuid not null,
  chain_id text not null,
  purpose text not null,
  subject_id uuid not null,
  sender text not null,
  nonce bigint not null,
  token_id text not null,
  recipient text not null,
  amount numeric(78,0) not null,
  state text not null,
  max_fee numeric(78,0) not null,
  txn_hash text not null,
  succeeded boolean,
  fee numeric(78,0),
  block_height bigint,
  block_hash text,
  block_rank integer,
  settled_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  ticket boolean not null default false,
  tickets integer not null default 0,
  constraint spends_pkey PRIMARY KEY (org_id, id),
  constraint spends_chain_id_sender_nonce_key UNIQUE (chain_id, sender, nonce),
  constraint spends_amount_check CHECK ((amount >= (0)::numeric)),
  constraint spends_max_fee_check CHECK ((max_fee >= (0)::numeric)),
  constraint spends_nonce_check CHECK ((nonce >= 0)),
  constraint spends_purpose_check CHECK ((purpose = ANY (ARRAY['withdrawal'::text, 'sweep'::text, 'top-up'::text, 'filler'::text, 'consolidation'::text, 'delegation'::text, 'undelegation'::text]))),
  constraint spends_state_check CHECK ((state = ANY (ARRAY['Sent'::text, 'Included'::text, 'Settled'::text, 'Displaced'::text]))),
  constraint spends_tickets_check CHECK (((tickets >= 0) AND (tickets <= 250))),
  constraint spends_chain_id_sender_fkey FOREIGN KEY (chain_id, sender) REFERENCES senders(chain_id, address),
  constraint spends_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id)
);
CREATE INDEX spends_block ON public.spends USING btree (chain_id, block_height) WHERE (state = ANY (ARRAY['Included'::text, 'Settled'::text]));
CREATE UNIQUE INDEX spends_once ON public.spends USING btree (org_id, subject_id) WHERE (state <> 'Displaced'::text);
CREATE INDEX spends_open ON public.spends USING btree (chain_id, sender, nonce) WHERE (state = 'Sent'::text);
CREATE INDEX spends_subject ON public.spends USING btree (org_id, subject_id);
CREATE INDEX spends_waiting ON public.spends USING btree (chain_id, block_height) WHERE ((state = 'Included'::text) AND (succeeded IS NOT NULL));
CREATE TRIGGER spends_signed AFTER INSERT ON public.spends FOR EACH ROW WHEN ((new.purpose = 'withdrawal'::text)) EXECUTE FUNCTION keep_signed_spend();
CREATE TRIGGER spends_stand BEFORE DELETE OR TRUNCATE ON public.spends FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
alter table spends enable row level security, force row level security;
create policy engine_all on spends for all to sluice_engine using (true) with check (true);
create policy own_org on spends for all to sluice_api using ((org_id = ( SELECT current_org() AS current_org))) with check ((org_id = ( SELECT current_org() AS current_org)));
create policy owner_all on spends for all to sluice_owner using (true) with check (true);
grant select on table spends to sluice_api;
grant insert, select on table spends to sluice_engine;
grant update (state, max_fee, txn_hash, succeeded, fee, block_height, block_hash, block_rank, settled_at, updated_at) on table spends to sluice_engine;

create table superseded (
  digest bytea not null,
  constraint superseded_pkey PRIMARY KEY (digest),
  constraint superseded_digest_check CHECK ((length(digest) = 32))
);
CREATE TRIGGER superseded_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.superseded FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
grant select on table superseded to sluice_api;
grant select on table superseded to sluice_engine;

create table sweeps (
  org_id uuid not null,
  id uuid not null,
  chain_id text not null,
  token_id text not null,
  address text not null,
  amount numeric(78,0) not null,
  moved numeric(78,0) not null default 0,
  state text not null,
  spend_id uuid,
  cause text not null default ''::text,
  failure_code text,
  waiting_for text,
  waiting_since timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint sweeps_pkey PRIMARY KEY (org_id, id),
  constraint sweeps_amount_check CHECK ((amount > (0)::numeric)),
  constraint sweeps_check CHECK (((failure_code IS NULL) OR (state = 'Failed'::text))),
  constraint sweeps_check1 CHECK (((waiting_for IS NULL) OR (state = 'Waiting'::text))),
  constraint sweeps_check2 CHECK (((waiting_for IS NULL) = (waiting_since IS NULL))),
  constraint sweeps_moved_check CHECK ((moved >= (0)::numeric)),
  constraint sweeps_state_check CHECK ((state = ANY (ARRAY['Waiting'::text, 'Sent'::text, 'Done'::text, 'Failed'::text]))),
  constraint sweeps_waiting_for_check CHECK ((waiting_for = ANY (ARRAY['confirmations'::text, 'gas'::text, 'fee'::text, 'chain'::text]))),
  constraint sweeps_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id),
  constraint sweeps_org_id_spend_id_fkey FOREIGN KEY (org_id, spend_id) REFERENCES spends(org_id, id)
);
CREATE INDEX sweeps_address ON public.sweeps USING btree (org_id, address, token_id, created_at);
CREATE INDEX sweeps_aside ON public.sweeps USING btree (org_id, state, created_at DESC, id DESC) WHERE (state <> 'Done'::text);
CREATE INDEX sweeps_chain ON public.sweeps USING btree (org_id, chain_id, created_at DESC, id DESC);
CREATE INDEX sweeps_created ON public.sweeps USING btree (org_id, created_at DESC, id DESC);
CREATE INDEX sweeps_failed ON public.sweeps USING btree (chain_id, address, token_id, updated_at) WHERE (state = 'Failed'::text);
CREATE UNIQUE INDEX sweeps_open ON public.sweeps USING btree (chain_id, address, token_id) WHERE (state = ANY (ARRAY['Waiting'::text, 'Sent'::text]));
CREATE INDEX sweeps_token ON public.sweeps USING btree (org_id, token_id, created_at DESC, id DESC);
CREATE INDEX sweeps_waiting ON public.sweeps USING btree (chain_id, updated_at, id) WHERE (state = 'Waiting'::text);
alter table sweeps enable row level security, force row level security;
create policy engine_all on sweeps for all to sluice_engine using (true) with check (true);
create policy own_org on sweeps for all to sluice_api using ((org_id = ( SELECT current_org() AS current_org))) with check ((org_id = ( SELECT current_org() AS current_org)));
create policy owner_all on sweeps for all to sluice_owner using (true) with check (true);
grant select on table sweeps to sluice_api;
grant insert, select, update on table sweeps to sluice_engine;

create table tickets (
  chain_id text not null,
  address text not null,
  number bigint not null,
  org_id uuid not null,
  standing boolean not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint tickets_pkey PRIMARY KEY (chain_id, address, number),
  constraint tickets_number_check CHECK ((number > 0)),
  constraint tickets_chain_id_address_fkey FOREIGN KEY (chain_id, address) REFERENCES senders(chain_id, address),
  constraint tickets_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id)
);
alter table tickets enable row level security, force row level security;
create policy engine_all on tickets for all to sluice_engine using (true) with check (true);
create policy own_org on tickets for all to sluice_api using ((org_id = ( SELECT current_org() AS current_org))) with check ((org_id = ( SELECT current_org() AS current_org)));
create policy owner_all on tickets for all to sluice_owner using (true) with check (true);
grant insert, select, update on table tickets to sluice_engine;

create table token_checks (
  token_id text not null,
  chain_id text not null,
  state text not null,
  found text not null default ''::text,
  suspended_at timestamp(3) with time zone,
  suspended_cause text not null default ''::text,
  checked_at timestamp(3) with time zone not null,
  constraint token_checks_pkey PRIMARY KEY (token_id),
  constraint token_checks_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'verified'::text, 'mismatch'::text, 'unreachable'::text])))
);
grant select on table token_checks to sluice_api;
grant insert, select, update on table token_checks to sluice_engine;

create table top_ups (
  org_id uuid not null,
  id uuid not null,
  chain_id text not null,
  address text not null,
  place text not null,
  amount numeric(78,0) not null,
  state text not null,
  spend_id uuid,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint top_ups_pkey PRIMARY KEY (org_id, id),
  constraint top_ups_amount_check CHECK ((amount > (0)::numeric)),
  constraint top_ups_place_check CHECK ((place = ANY (ARRAY['deposits'::text, 'settlement'::text]))),
  constraint top_ups_state_check CHECK ((state = ANY (ARRAY['Sent'::text, 'Done'::text, 'Failed'::text]))),
  constraint top_ups_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id),
  constraint top_ups_org_id_spend_id_fkey FOREIGN KEY (org_id, spend_id) REFERENCES spends(org_id, id)
);
CREATE UNIQUE INDEX top_ups_open ON public.top_ups USING btree (chain_id, address) WHERE (state = 'Sent'::text);
alter table top_ups enable row level security, force row level security;
create policy engine_all on top_ups for all to sluice_engine using (true) with check (true);
create policy own_org on top_ups for all to sluice_api using ((org_id = ( SELECT current_org() AS current_org))) with check ((org_id = ( SELECT current_org() AS current_org)));
create policy owner_all on top_ups for all to sluice_owner using (true) with check (true);
grant select on table top_ups to sluice_api;
grant insert, select, update on table top_ups to sluice_engine;

create table transaction_coins (
  org_id uuid not null,
  chain_id text not null,
  txn_hash text not null,
  coin_hash text not null,
  coin_vout integer not null,
  constraint transaction_coins_pkey PRIMARY KEY (chain_id, txn_hash, coin_hash, coin_vout),
  constraint transaction_coins_coin_vout_check CHECK ((coin_vout >= 0)),
  constraint transaction_coins_chain_id_txn_hash_fkey FOREIGN KEY (chain_id, txn_hash) REFERENCES spend_transactions(chain_id, txn_hash),
  constraint transaction_coins_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id)
);
CREATE INDEX transaction_coins_coin ON public.transaction_coins USING btree (chain_id, coin_hash, coin_vout);
alter table transaction_coins enable row level security, force row level security;
create policy engine_all on transaction_coins for all to sluice_engine using (true) with check (true);
create policy own_org on transaction_coins for all to sluice_api using ((org_id = ( SELECT current_org() AS current_org))) with check ((org_id = ( SELECT current_org() AS current_org)));
create policy owner_all on transaction_coins for all to sluice_owner using (true) with check (true);
grant select on table transaction_coins to sluice_api;
grant insert, select on table transaction_coins to sluice_engine;

create table unattributed_deposits (
  org_id uuid not null,
  id uuid not null,
  chain_id text not null,
  txn_hash text not null,
  "position" text not null,
  token_id text not null,
  address text not null,
  tag bigint,
  sender_address text not null default ''::text,
  amount numeric(78,0) not null,
  net_movement numeric(96,0) not null,
  block_height bigint not null,
  block_hash text not null,
  state text not null default 'Waiting'::text,
  external_user_id text not null default ''::text,
  proposed_by text not null default ''::text,
  assigned_by text not null default ''::text,
  deposit_id uuid,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint unattributed_deposits_pkey PRIMARY KEY (org_id, id),
  constraint unattributed_deposits_chain_id_txn_hash_position_address_to_key UNIQUE (chain_id, txn_hash, "position", address, token_id),
  constraint unattributed_deposit CHECK (((state = 'Assigned'::text) = (deposit_id IS NOT NULL))),
  constraint unattributed_deposits_amount_check CHECK ((amount > (0)::numeric)),
  constraint unattributed_deposits_state_check CHECK ((state = ANY (ARRAY['Waiting'::text, 'Proposed'::text, 'Assigned'::text]))),
  constraint unattributed_deposits_tag_check CHECK (((tag >= 0) AND (tag <= '4294967295'::bigint))),
  constraint unattributed_two_people CHECK (((state <> 'Assigned'::text) OR ((proposed_by <> ''::text) AND (assigned_by <> proposed_by)))),
  constraint unattributed_deposits_org_id_deposit_id_fkey FOREIGN KEY (org_id, deposit_id) REFERENCES incoming_transfers(org_id, id),
  constraint unattributed_deposits_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id)
);
CREATE INDEX unattributed_created ON public.unattributed_deposits USING btree (org_id, created_at DESC, id DESC);
CREATE INDEX unattributed_open ON public.unattributed_deposits USING btree (chain_id, created_at) WHERE (state <> 'Assigned'::text);
alter table unattributed_deposits enable row level security, force row level security;
create policy engine_all on unattributed_deposits for all to sluice_engine using (true) with check (true);
create policy own_org on unattributed_deposits for all to sluice_api using ((org_id = ( SELECT current_org() AS current_org))) with check ((org_id = ( SELECT current_org() AS current_org)));
create policy owner_all on unattributed_deposits for all to sluice_owner using (true) with check (true);
grant select on table unattributed_deposits to sluice_api;
grant insert, select, update on table unattributed_deposits to sluice_engine;

create table unsealed_entries (
  entry_id bigint not null,
  constraint unsealed_entries_pkey PRIMARY KEY (entry_id)
);
grant delete, select on table unsealed_entries to sluice_engine;

create table users (
  org_id uuid not null,
  id uuid not null,
  username text not null,
  role text not null,
  status text not null default 'active'::text,
  password_hash text not null default ''::text,
  totp_secret bytea,
  last_totp_step bigint not null default 0,
  last_login_at timestamp(3) with time zone,
  mac bytea not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  version uuid,
  constraint users_pkey PRIMARY KEY (org_id, id),
  constraint users_role_check CHECK ((role = ANY (ARRAY['viewer'::text, 'operator'::text, 'approver'::text, 'admin'::text, 'api'::text]))),
  constraint users_status_check CHECK ((status = ANY (ARRAY['invited'::text, 'active'::text, 'disabled'::text]))),
  constraint users_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id)
);
CREATE UNIQUE INDEX users_api ON public.users USING btree (org_id) WHERE (role = 'api'::text);
CREATE INDEX users_listed ON public.users USING btree (org_id, created_at, id);
CREATE UNIQUE INDEX users_username ON public.users USING btree (lower(username));
CREATE TRIGGER users_superseded AFTER DELETE OR UPDATE OF mac, password_hash, totp_secret ON public.users FOR EACH ROW EXECUTE FUNCTION keep_superseded('mac', 'password_hash', 'totp_secret');
alter table users enable row level security, force row level security;
create policy engine_all on users for all to sluice_engine using (true) with check (true);
create policy own_org on users for all to sluice_api using ((org_id = ( SELECT current_org() AS current_org))) with check ((org_id = ( SELECT current_org() AS current_org)));
create policy owner_all on users for all to sluice_owner using (true) with check (true);
grant insert, select on table users to sluice_api;
grant insert, select, update on table users to sluice_engine;
grant update (role, status, password_hash, totp_secret, last_totp_step, last_login_at, mac, updated_at, version) on table users to sluice_api;

create table wallet_counter (
  only_row boolean not null default true,
  next_number integer not null default 0,
  constraint wallet_counter_pkey PRIMARY KEY (only_row),
  constraint wallet_counter_only_row_check CHECK (only_row)
);
grant select, update on table wallet_counter to sluice_api;
grant insert, select, update on table wallet_counter to sluice_engine;

create table wallets (
  org_id uuid not null,
  chain_id text not null,
  purpose text not null,
  number integer not null,
  xpub text not null default ''::text,
  xpub_mac bytea not null,
  next_index bigint not null default 0,
  created_at timestamp(3) with time zone not null,
  xpub_p2tr text not null default ''::text,
  constraint wallets_pkey PRIMARY KEY (org_id, chain_id, purpose),
  constraint wallets_number_key UNIQUE (number),
  constraint wallets_next_index_check CHECK (((next_index >= 0) AND (next_index <= '2147483648'::bigint))),
  constraint wallets_number_check CHECK ((number >= 0)),
  constraint wallets_purpose_check CHECK ((purpose = ANY (ARRAY['deposit'::text, 'settlement'::text, 'gas'::text]))),
  constraint wallets_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id)
);
alter table wallets enable row level security, force row level security;
create policy engine_all on wallets for all to sluice_engine using (true) with check (true);
create policy own_org on wallets for all to sluice_api using ((org_id = ( SELECT current_org() AS current_org))) with check ((org_id = ( SELECT current_org() AS current_org)));
create policy owner_all on wallets for all to sluice_owner using (true) with check (true);
grant insert, select, update on table wallets to sluice_api;
grant insert, select, update on table wallets to sluice_engine;

create table watched_addresses (
  scope text not null,
  address text not null,
  org_id uuid not null,
  chain_id text not null,
  purpose text not null,
  account_id uuid,
  external_user_id text not null default ''::text,
  created_at timestamp(3) with time zone not null,
  added_in xid8 default pg_current_xact_id(),
  wallet_number integer not null,
  path_index bigint not null,
  mac bytea not null,
  constraint watched_addresses_pkey PRIMARY KEY (scope, address),
  constraint watched_addresses_path_index_check CHECK (((path_index >= 0) AND (path_index <= 2147483647))),
  constraint watched_addresses_purpose_check CHECK ((purpose = ANY (ARRAY['deposit'::text, 'settlement'::text, 'gas'::text]))),
  constraint watched_addresses_wallet_number_check CHECK ((wallet_number >= 0)),
  constraint watched_addresses_org_id_account_id_fkey FOREIGN KEY (org_id, account_id) REFERENCES accounts(org_id, id),
  constraint watched_addresses_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id)
);
CREATE INDEX watched_addresses_added ON public.watched_addresses USING btree (added_in) WHERE (added_in IS NOT NULL);
CREATE INDEX watched_addresses_platform ON public.watched_addresses USING btree (org_id, chain_id, purpose) WHERE (purpose <> 'deposit'::text);
CREATE INDEX watched_addresses_recent ON public.watched_addresses USING btree (created_at);
alter table watched_addresses enable row level security, force row level security;
create policy engine_all on watched_addresses for all to sluice_engine using (true) with check (true);
create policy own_org on watched_addresses for all to sluice_api using ((org_id = ( SELECT current_org() AS current_org))) with check ((org_id = ( SELECT current_org() AS current_org)));
create policy owner_all on watched_addresses for all to sluice_owner using (true) with check (true);
grant insert, select on table watched_addresses to sluice_api;
grant insert, select, update on table watched_addresses to sluice_engine;

create table webhook_endpoints (
  org_id uuid not null,
  id uuid not null,
  url text not null default ''::text,
  event_types text not null default ''::text,
  paused_at timestamp(3) with time zone,
  secret_id uuid not null,
  version uuid not null,
  mac bytea not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  last_success_at timestamp(3) with time zone,
  last_failure_at timestamp(3) with time zone,
  failing_since timestamp(3) with time zone,
  constraint webhook_endpoints_pkey PRIMARY KEY (org_id, id),
  constraint webhook_endpoints_id_key UNIQUE (id),
  constraint webhook_endpoints_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id)
);
CREATE TRIGGER webhook_endpoints_superseded AFTER DELETE OR UPDATE OF mac ON public.webhook_endpoints FOR EACH ROW EXECUTE FUNCTION keep_superseded('mac');
alter table webhook_endpoints enable row level security, force row level security;
create policy engine_all on webhook_endpoints for all to sluice_engine using (true) with check (true);
create policy own_org on webhook_endpoints for all to sluice_api using ((org_id = ( SELECT current_org() AS current_org))) with check ((org_id = ( SELECT current_org() AS current_org)));
create policy owner_all on webhook_endpoints for all to sluice_owner using (true) with check (true);
grant delete, insert, select on table webhook_endpoints to sluice_api;
grant insert, select, update on table webhook_endpoints to sluice_engine;
grant update (url, event_types, paused_at, secret_id, version, mac, updated_at) on table webhook_endpoints to sluice_api;

create table withdrawal_approvals (
  org_id uuid not null,
  id uuid not null,
  withdrawal_id uuid not null,
  user_id uuid not null,
  totp_step bigint not null,
  passkey_id uuid,
  mac bytea not null,
  voided_at timestamp(3) with time zone,
  void_cause text not null default ''::text,
  created_at timestamp(3) with time zone not null,
  constraint withdrawal_approvals_pkey PRIMARY KEY (org_id, id),
  constraint withdrawal_approvals_org_id_user_id_fkey FOREIGN KEY (org_id, user_id) REFERENCES users(org_id, id),
  constraint withdrawal_approvals_org_id_withdrawal_id_fkey FOREIGN KEY (org_id, withdrawal_id) REFERENCES withdrawals(org_id, id)
);
CREATE UNIQUE INDEX withdrawal_approvals_standing ON public.withdrawal_approvals USING btree (org_id, withdrawal_id, user_id) WHERE (voided_at IS NULL);
alter table withdrawal_approvals enable row level security, force row level security;
create policy engine_all on withdrawal_approvals for all to sluice_engine using (true) with check (true);
create policy own_org on withdrawal_approvals for all to sluice_api using ((org_id = ( SELECT current_org() AS current_org))) with check ((org_id = ( SELECT current_org() AS current_org)));
create policy owner_all on withdrawal_approvals for all to sluice_owner using (true) with check (true);
grant insert, select on table withdrawal_approvals to sluice_api;
grant insert, select on table withdrawal_approvals to sluice_engine;
grant update (voided_at, void_cause) on table withdrawal_approvals to sluice_api;
grant update (voided_at, void_cause) on table withdrawal_approvals to sluice_engine;

create table withdrawals (
  org_id uuid not null,
  id uuid not null,
  chain_id text not null,
  token_id text not null,
  amount numeric(78,0) not null,
  recipient text not null,
  memo text,
  reference text not null,
  internal_note text,
  external_user_id text,
  status text not null,
  required_approvals integer not null,
  required_humans integer not null,
  initiator uuid not null,
  mac bytea not null,
  spend_id uuid,
  txn_hash text,
  txn_error text,
  reject_reason text,
  api_key_id uuid,
  failure_code text,
  fee numeric(78,0),
  waiting_for text,
  waiting_since timestamp(3) with time zone,
  completed_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint withdrawals_pkey PRIMARY KEY (org_id, id),
  constraint withdrawals_org_id_reference_key UNIQUE (org_id, reference),
  constraint withdrawals_amount_check CHECK ((amount > (0)::numeric)),
  constraint withdrawals_required_approvals_check CHECK ((required_approvals >= 1)),
  constraint withdrawals_required_humans_check CHECK ((required_humans >= 0)),
  constraint withdrawals_status_check CHECK ((status = ANY (ARRAY['Pending'::text, 'PendingApproval'::text, 'Processing'::text, 'Completed'::text, 'Failed'::text, 'Cancelled'::text]))),
  constraint withdrawals_waiting_for_check CHECK ((waiting_for = ANY (ARRAY['approvals'::text, 'confirmations'::text, 'gas'::text, 'fee'::text, 'funds'::text, 'chain'::text, 'signer'::text, 'operator'::text]))),
  constraint withdrawals_org_id_api_key_id_fkey FOREIGN KEY (org_id, api_key_id) REFERENCES api_keys(org_id, id),
  constraint withdrawals_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id),
  constraint withdrawals_org_id_initiator_fkey FOREIGN KEY (org_id, initiator) REFERENCES users(org_id, id),
  constraint withdrawals_org_id_spend_id_fkey FOREIGN KEY (org_id, spend_id) REFERENCES spends(org_id, id)
);
CREATE INDEX withdrawals_aside ON public.withdrawals USING btree (org_id, status, created_at DESC, id DESC) WHERE (status <> 'Completed'::text);
CREATE INDEX withdrawals_chain ON public.withdrawals USING btree (org_id, chain_id, created_at DESC, id DESC);
CREATE INDEX withdrawals_created ON public.withdrawals USING btree (org_id, created_at DESC, id DESC);
CREATE INDEX withdrawals_hash ON public.withdrawals USING btree (org_id, txn_hash, created_at DESC, id DESC) WHERE (txn_hash IS NOT NULL);
CREATE INDEX withdrawals_pending ON public.withdrawals USING btree (chain_id, created_at, id) WHERE (status = 'Pending'::text);
CREATE INDEX withdrawals_processing ON public.withdrawals USING btree (chain_id) WHERE (status = 'Processing'::text);
CREATE INDEX withdrawals_recipient ON public.withdrawals USING btree (org_id, recipient, created_at DESC, id DESC);
CREATE INDEX withdrawals_stopped ON public.withdrawals USING btree (chain_id) WHERE (waiting_for = 'chain'::text);
CREATE INDEX withdrawals_token ON public.withdrawals USING btree (org_id, token_id, created_at DESC, id DESC);
CREATE INDEX withdrawals_user ON public.withdrawals USING btree (org_id, external_user_id, created_at DESC, id DESC) WHERE (external_user_id IS NOT NULL);
CREATE TRIGGER withdrawals_stand BEFORE DELETE OR TRUNCATE ON public.withdrawals FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
alter table withdrawals enable row level security, force row level security;
create policy engine_all on withdrawals for all to sluice_engine using (true) with check (true);
create policy own_org on withdrawals for all to sluice_api using ((org_id = ( SELECT current_org() AS current_org))) with check ((org_id = ( SELECT current_org() AS current_org)));
create policy owner_all on withdrawals for all to sluice_owner using (true) with check (true);
grant insert, select on table withdrawals to sluice_api;
grant insert, select on table withdrawals to sluice_engine;
grant update (status, txn_error, reject_reason, failure_code, waiting_for, waiting_since, updated_at) on table withdrawals to sluice_api;
grant update (status, spend_id, txn_hash, txn_error, failure_code, fee, waiting_for, waiting_since, completed_at, updated_at) on table withdrawals to sluice_engine;

grant usage on sequence audit_findings_id_seq to sluice_api;
grant usage on sequence audit_findings_id_seq to sluice_engine;

grant usage on sequence audit_log_id_seq to sluice_api;
grant usage on sequence audit_log_id_seq to sluice_engine;

grant usage on sequence delivery_attempts_id_seq to sluice_api;
grant usage on sequence delivery_attempts_id_seq to sluice_engine;

grant usage on sequence postings_id_seq to sluice_api;
grant usage on sequence postings_id_seq to sluice_engine;

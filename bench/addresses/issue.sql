-- What issuing one address sends, in the order of the service and in its two transactions. Keys are
-- not derived, and who asks is looked up in a table of the benchmark.
\set org random(1, :organizations)
\set a random(1, 9223372036854775806)
\set b random(1, 9223372036854775806)
begin;
select set_config('sluice.org_id', '', true);
select org_id, id, user_id from bench_callers where n = :org \gset
commit;
begin;
select set_config('sluice.org_id', :org_id, true);
select * from chain_states;
select * from token_checks;
select subject, enabled, paused from org_switches where org_id = :org_id::uuid;
select org_id, id, chain_id, external_user_id, address, destination_tag, created_at, updated_at
  from accounts
 where org_id = :org_id::uuid and chain_id = 'eip155:1' and external_user_id = 'user ' || :a;
select * from chain_states where chain_id = 'eip155:1';
select number, next_index
  from wallets
 where org_id = :org_id::uuid and chain_id = 'eip155:1' and purpose = 'deposit'
   for update \gset
select id
  from accounts
 where org_id = :org_id::uuid and chain_id = 'eip155:1' and external_user_id = 'user ' || :a;
update wallets
   set next_index = next_index + 1
 where org_id = :org_id::uuid and chain_id = 'eip155:1' and purpose = 'deposit'
   and next_index = :next_index
returning next_index;
insert into accounts (
       org_id, id, chain_id, external_user_id, address, wallet_number, path_index,
       created_at, updated_at)
values (:org_id::uuid, md5(:a::text || :b)::uuid, 'eip155:1', 'user ' || :a,
        '0x' || substr(encode(sha256((:a::text || ' ' || :b)::bytea), 'hex'), 1, 40),
        :number, :next_index, now(), now())
returning org_id, id, chain_id, external_user_id, address, destination_tag, created_at, updated_at;
insert into watched_addresses (
       scope, address, org_id, chain_id, purpose, account_id, external_user_id, created_at)
values ('eip155/mainnet',
        '0x' || substr(encode(sha256((:a::text || ' ' || :b)::bytea), 'hex'), 1, 40),
        :org_id::uuid, 'eip155:1', 'deposit', md5(:a::text || :b)::uuid, 'user ' || :a, now())
    on conflict (scope, address) do nothing
returning address;
select org_id, id, event_types
  from webhook_endpoints
 where org_id = any (array[:org_id::uuid]) and url <> '';
with locked as materialized (
  select org_id
    from event_counters
   where org_id = any (array[:org_id::uuid])
   order by org_id
     for update
)
update event_counters
   set last_sequence = event_counters.last_sequence + 1
  from locked
 where event_counters.org_id = locked.org_id
returning event_counters.org_id, event_counters.last_sequence \gset
with written as (
  insert into events (org_id, id, sequence, type, subject_id, body, created_at)
  values (:org_id::uuid, md5(:b::text || :a)::uuid, :last_sequence, 'account.created',
          md5(:a::text || :b), repeat('x', 420), now())
  returning org_id, id, sequence, created_at
)
insert into deliveries (org_id, event_id, endpoint_id, sequence, state, next_at)
select org_id, id, org_id, sequence, 'pending', created_at
  from written;
commit;

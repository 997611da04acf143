-- Creating one withdrawal with one signer, in one statement: who asks, the checks that the database
-- can do, the withdrawal and the first approval, the entry of the audit log, the posting (a trigger
-- moves the balances), the numbers of three events, the events and their deliveries. No MAC is made
-- and no body is written.
-- (pgbench would take a colon before a letter for a variable of its own: hence \003a.)
\set org random(1, :organizations)
\set a random(1, 9223372036854775806)
with asked as materialized (
  select k.org_id, k.user_id, o.min_withdrawal_signers, o.min_human_approvals,
         md5(:a::text || ' withdrawal')::uuid as id
    from bench_callers c
    join api_keys k
      on k.hash = c.hash
     and k.revoked_at is null
    join organizations o
      on o.id = k.org_id
   where c.n = :org
     and exists (select from chain_states where chain_id = 'eip155:1')
     and not exists (
           select
             from org_switches s
            where s.org_id = k.org_id
              and s.subject in ('eip155:1', 'eip155:1/slip44:60')
              and (s.paused or not s.enabled))
     and not is_platform_address(
           'eip155/mainnet', '0x' || substr(md5(:a::text) || md5(:a::text), 1, 40))
     and 1000000 <= (
           select amount
             from balances b
            where b.org_id = k.org_id
              and b.chain_id = 'eip155:1'
              and b.token_id = 'eip155:1/slip44:60'
              and b.account = U&'claim\003agas') - (
           select coalesce(sum(max_fee), 0)
             from spends s
            where s.org_id = k.org_id
              and s.chain_id = 'eip155:1'
              and s.state = 'Sent')
), counted as (
  update event_counters
     set last_sequence = last_sequence + 3
    from asked
   where event_counters.org_id = asked.org_id
  returning event_counters.org_id, event_counters.last_sequence - 3 as before
), made as (
  insert into withdrawals (
         org_id, id, chain_id, token_id, amount, recipient, reference, status,
         required_approvals, required_humans, initiator, mac, created_at, updated_at)
  select org_id, id, 'eip155:1', 'eip155:1/slip44:60', 1000,
         '0x' || substr(md5(:a::text) || md5(:a::text), 1, 40), 'payout ' || :a::text, 'Pending',
         min_withdrawal_signers, min_human_approvals, user_id, sha256(:a::text::bytea),
         now(), now()
    from asked
  returning org_id, id, initiator
), approved as (
  insert into withdrawal_approvals (
         org_id, id, withdrawal_id, user_id, totp_step, mac, created_at)
  select org_id, md5(:a::text || ' approval')::uuid, id, initiator, 0, sha256(:a::text::bytea),
         now()
    from made
), written as (
  insert into audit_log (at, org_id, actor, action, object, details)
  select now(), org_id, 'user:' || initiator, 'withdrawal.create', id::text,
         jsonb_build_object(
           'chainId', 'eip155:1', 'tokenId', 'eip155:1/slip44:60', 'amount', '1000',
           'recipient', '0x' || substr(md5(:a::text) || md5(:a::text), 1, 40),
           'reference', 'payout ' || :a::text)
    from made
), posted as (
  insert into postings (
         org_id, chain_id, token_id, debit, credit, amount, reason, reversal, reference_id,
         block_height, created_at)
  select org_id, 'eip155:1', 'eip155:1/slip44:60', U&'claim\003aavailable',
         U&'claim\003areserved', 1000, 'withdrawal.reserved', false, id, null, now()
    from made
), told as (
  insert into events (org_id, id, sequence, type, subject_id, body, created_at)
  select counted.org_id, md5(:a::text || type)::uuid, before + number, type, made.id::text,
         repeat('x', 900), now()
    from counted
    join made using (org_id)
   cross join (values (1, 'withdrawal.created'), (2, 'withdrawal.approved'),
                      (3, 'balance.updated')) as t (number, type)
  returning org_id, id, sequence, created_at
)
insert into deliveries (org_id, event_id, endpoint_id, sequence, state, next_at)
select org_id, id, org_id, sequence, 'pending', created_at
  from told;

-- Withdrawals are listed by token, recipient and transaction.
create index withdrawals_token on withdrawals (org_id, token_id, created_at desc, id desc);
create index withdrawals_recipient on withdrawals (org_id, recipient, created_at desc, id desc);
create index withdrawals_hash on withdrawals (org_id, txn_hash, created_at desc, id desc) where txn_hash is not null;

-- Every withdrawal that has not ended says what it waits for. `funds` is shown as `confirmations`.
alter table withdrawals drop constraint withdrawals_waiting_for_check;
alter table withdrawals add constraint withdrawals_waiting_for_check check (
  waiting_for in ('approvals', 'confirmations', 'gas', 'fee', 'funds', 'chain', 'operator'));
update withdrawals
   set waiting_for = case status when 'Processing' then 'confirmations' else 'approvals' end,
       waiting_since = updated_at
 where status in ('Processing', 'PendingApproval');
create index withdrawals_processing on withdrawals (chain_id) where status = 'Processing';
create index withdrawals_stopped on withdrawals (chain_id) where waiting_for = 'chain';

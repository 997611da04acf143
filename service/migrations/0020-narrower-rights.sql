-- Whoever comes in by the engine's role may move what the engine moves, and rewrite nothing: whom a payment is for, what
-- was signed for it, what was asked for, who consented, and what was told.

-- spends: states, and what a block says.
revoke update on spends, spend_subjects, spend_transactions, transaction_coins from sluice_engine;
grant update (state, max_fee, txn_hash, succeeded, fee, block_height, block_hash, block_rank, settled_at, updated_at)
  on spends to sluice_engine;
grant update (stands) on spend_subjects to sluice_engine;
grant update (signed_height, broadcast_at, broadcast_height, broadcasts, last_answer)
  on spend_transactions to sluice_engine;

-- withdrawals: statuses, and what the chain adds.
revoke update on withdrawals, withdrawal_approvals from sluice_engine;
grant update (status, txn_error, failure_code, waiting_for, waiting_since, spend_id, txn_hash, fee, completed_at,
              updated_at)
  on withdrawals to sluice_engine;
grant update (voided_at, void_cause) on withdrawal_approvals to sluice_engine;

-- webhooks: an event is told as it was written.
revoke update on events from sluice_engine;

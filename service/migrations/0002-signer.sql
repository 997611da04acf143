-- Withdrawals that wait for the signer.

alter table withdrawals
  drop constraint withdrawals_waiting_for_check,
  add constraint withdrawals_waiting_for_check check (
    waiting_for in ('approvals', 'confirmations', 'gas', 'fee', 'funds', 'chain', 'signer', 'operator'));

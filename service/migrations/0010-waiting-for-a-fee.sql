-- withdrawals: what waits for a fee that may be paid is told apart from what waits for gas.
alter table withdrawals drop constraint withdrawals_waiting_for_check;
alter table withdrawals add constraint withdrawals_waiting_for_check check (waiting_for in ('gas', 'funds', 'fee'));

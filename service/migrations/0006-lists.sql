-- A page of a list costs the same wherever in the list it is, and whatever the list is narrowed to.

-- By token; and by chain, whose tokens are read one after the other.
create index deposits_token on deposits (org_id, chain_id, token_id, created_at desc, id desc);
-- By status: every one but that in which nearly all deposits end.
create index deposits_aside on deposits (org_id, status, created_at desc, id desc) where status <> 'Confirmed';

create index accounts_chain on accounts (org_id, chain_id, created_at desc, id desc);

-- Takes the place of withdrawals_open, whose rows it has.
create index withdrawals_aside on withdrawals (org_id, status, created_at desc, id desc) where status <> 'Completed';
drop index withdrawals_open;
create index withdrawals_chain on withdrawals (org_id, chain_id, created_at desc, id desc);
create index withdrawals_user on withdrawals (org_id, external_user_id, created_at desc, id desc)
  where external_user_id is not null;

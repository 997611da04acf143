-- Chains that count nobody's transactions: one that we did not sign has no nonce there.

alter table foreign_transactions alter column nonce drop not null;
comment on column foreign_transactions.nonce is 'null where the chain counts nobody''s transactions';

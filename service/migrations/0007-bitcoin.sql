-- New coins of a block cannot be spent before so many blocks lie on top: until then they are not credited.

alter table deposits add column matures_at bigint;
comment on column deposits.matures_at is 'the height from which on the coins can be spent; null: at once';
create index deposits_maturing on deposits (chain_id, matures_at) where status = 'Detected' and matures_at is not null;
alter table fundings add column matures_at bigint;
comment on column fundings.matures_at is 'as of deposits';

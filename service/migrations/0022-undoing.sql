-- chain_states: whether blocks are being undone. Until our tip is a block of the nodes again nobody knows what else
-- leaves the chain, and nothing is signed on it.
alter table chain_states add column is_undoing boolean not null default false;

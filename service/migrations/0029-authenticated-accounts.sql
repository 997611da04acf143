-- Accounts and watched addresses are authenticated: whoever can write the database cannot change where deposits go.

-- accounts: MACs of the service key. SQL does not have that key: the program computes them for the rows that are
-- here already, in this very transaction.
alter table accounts add column mac bytea not null default '';
alter table accounts alter column mac drop default;
create index accounts_path on accounts (wallet_number, path_index, id);

-- accounts: the path of the key beside each watched address, so that its MAC covers it.
alter table watched_addresses add column wallet_number integer check (wallet_number >= 0);
alter table watched_addresses add column path_index bigint check (path_index between 0 and 2147483647);
alter table watched_addresses add column mac bytea not null default '';
alter table watched_addresses alter column mac drop default;
update watched_addresses w
   set wallet_number = coalesce(
         (select a.wallet_number from accounts a where a.org_id = w.org_id and a.id = w.account_id),
         (select o.number
            from wallets o
           where o.org_id = w.org_id and o.chain_id = w.chain_id and o.purpose = w.purpose),
         0),
       path_index = coalesce(
         (select a.path_index from accounts a where a.org_id = w.org_id and a.id = w.account_id),
         0);
alter table watched_addresses alter column wallet_number set not null;
alter table watched_addresses alter column path_index set not null;

-- accounts: the xpub of the second type of addresses (BIP-86), so that a process without the seed derives both.
-- The MAC of the row covers it where it is not empty.
alter table wallets add column xpub_p2tr text not null default '';

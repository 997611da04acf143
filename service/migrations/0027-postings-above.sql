-- What moved places in blocks above a height: what an address is to hold at the end of an earlier block follows from it.
create index postings_above on postings (chain_id, block_height) where debit like 'place:%' or credit like 'place:%';

-- The same ledger with fewer steps, and watched addresses that can be told apart by when they were committed.

-- Balances follow the postings and nothing else, all of a statement's together: each balance once, with what its
-- postings sum up to, the standing ones locked in the order of their keys and then the new ones made in that order; so
-- two steps do not wait for each other crosswise. A balance is checked as it will stand: the standing ones by an
-- update, since a check is asked of a row proposed to an upsert before it is added to the one that stands. A row made
-- by somebody else meanwhile is not seen by `locked`, and is added to by the upsert.
-- A plan made while the table was small must not outlive that, hence no scans of all of it, nor joins that need one.
create or replace function apply_postings() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
  as $$
  begin
    with moved as materialized (
      select m.org_id, m.chain_id, m.token_id, m.account, sum(m.amount) as amount,
             bool_or(m.amount < 0 and not m.reversal) as takes, max(m.created_at) as created_at
        from (
          select org_id, chain_id, token_id, debit as account, reversal, created_at,
                 case when debit like 'place:%' then amount else -amount end as amount
            from new_postings
          union all
          select org_id, chain_id, token_id, credit, reversal, created_at,
                 case when credit like 'place:%' then -amount else amount end
            from new_postings
        ) m
       group by m.org_id, m.chain_id, m.token_id, m.account
       order by m.org_id, m.chain_id, m.token_id, m.account
    ), locked as materialized (
      select m.*, b.stands
        from moved m
        left join lateral (
          select true as stands
            from public.balances
           where org_id = m.org_id
             and chain_id = m.chain_id
             and token_id = m.token_id
             and account = m.account
             for update
        ) b on true
    ), added as (
      -- Only a reversal may leave a balance below zero; whoever takes anything else needs all of it covered.
      update public.balances b
         set amount = b.amount + l.amount,
             overdrawn = b.amount + l.amount < 0 and not l.takes,
             updated_at = greatest(b.updated_at, l.created_at)
        from locked l
       where l.stands
         and b.org_id = l.org_id
         and b.chain_id = l.chain_id
         and b.token_id = l.token_id
         and b.account = l.account
    )
    insert into public.balances as b (org_id, chain_id, token_id, account, amount, overdrawn, updated_at)
    select org_id, chain_id, token_id, account, amount, amount < 0 and not takes, created_at
      from locked
     where stands is null
     order by org_id, chain_id, token_id, account
        on conflict (org_id, chain_id, token_id, account) do update
       set amount = b.amount + excluded.amount,
           overdrawn = b.amount + excluded.amount < 0 and not (
             select l.takes
               from locked l
              where l.org_id = b.org_id
                and l.chain_id = b.chain_id
                and l.token_id = b.token_id
                and l.account = b.account),
           updated_at = greatest(b.updated_at, excluded.updated_at);
    return null;
  end
  $$;

-- accounts: the transaction that watched an address; null for what was watched before there was this column. Whoever
-- keeps a picture of the watched addresses finds by it what was committed since (engineering, 15).
alter table watched_addresses add column added_in xid8;
alter table watched_addresses alter column added_in set default pg_current_xact_id();
create index watched_addresses_added on watched_addresses (added_in) where added_in is not null;

-- journal: an organization that asks why its payment is not credited learns no more of alerts than yes or no.
create function is_chain_disputed(of_chain text) returns boolean
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select exists (
      select 1
        from public.alerts
       where code = 'chain.disputed'
         and subject = of_chain
         and resolved_at is null)
  $$;
revoke all on function is_chain_disputed(text) from public;
grant execute on function is_chain_disputed(text) to sluice_api, sluice_engine;

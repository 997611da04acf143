-- Webhooks as a product: events can be listed by what became of them, sent again, and sent elsewhere.

-- webhooks: the number of the event, so that those whose delivery failed are listed in their order.
alter table deliveries add column sequence bigint;
update deliveries
   set sequence = events.sequence
  from events
 where events.org_id = deliveries.org_id
   and events.id = deliveries.event_id;
alter table deliveries alter column sequence set not null;
drop index deliveries_failed;
create index deliveries_failed on deliveries (org_id, sequence) where state = 'failed';

-- webhooks: by type, but for those that most events are of, so that these cost no more to write.
create index events_type on events (org_id, type, sequence)
  where type not in ('deposit.detected', 'deposit.confirmed', 'balance.updated', 'account.created');

-- webhooks: after so many attempts it is given up. Each redelivery begins a new round of them.
alter table deliveries add column attempts_max integer not null default 6 check (attempts_max >= 1);

-- webhooks: where this one goes, whatever URL is set; null for the URL of the organization.
alter table deliveries add column url text;

-- webhooks: JSON; kept where the answer was no acknowledgement.
alter table delivery_attempts add column response_headers text not null default '{}';

grant update (finished_at, leased_until, lease_token, attempts_max, url) on deliveries to sluice_api;

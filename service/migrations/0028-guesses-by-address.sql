-- orgs: guesses are counted for a name, or a user's codes, from one address, and for it from all addresses together.
-- `owner` is the subject of the latter: by it an operator unlocks all of them. `known_at` is the last success of a
-- name from an address, which keeps that address apart from the failures of all others.
alter table guesses
  add column owner bytea not null default '',
  add column known_at timestamptz(3);
create index guesses_owner on guesses (owner);

-- orgs: null for the default, which depends on how many people may approve.
alter table organizations alter column min_human_approvals drop not null;

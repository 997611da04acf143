-- spends: whether the first person said it although somebody has paid some of the same people; only who says so too is
-- the second. Of what was said before this version nobody knows it: there such a word is to be said anew.
alter table spend_give_ups add column despite_payment boolean not null default false;

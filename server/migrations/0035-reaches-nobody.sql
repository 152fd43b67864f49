-- A public reply on a ticket without a requester or another recipient is no response, so clocks must know it.

alter table annotation add column reaches_nobody boolean not null default false;

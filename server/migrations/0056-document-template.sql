-- A document from which others are made.
alter table document add column template boolean not null default false;

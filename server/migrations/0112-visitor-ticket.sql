-- The tickets that visitors have filed in the last hour, by which they are limited.
create table visitor_ticket (
  tenant_id    uuid not null,
  id           uuid not null,
  container_id uuid not null,
  -- A digest of the network that the visitor came from.
  network      text not null,
  at           timestamptz not null,
  primary key (tenant_id, id)
);
call wall('visitor_ticket');
create index visitor_ticket_of_network on visitor_ticket (tenant_id, network, at);
create index visitor_ticket_of_desk on visitor_ticket (tenant_id, container_id, at);

-- Whether a ticket was filed after all; of users it is known by their tickets.
alter table suggestion add column filed boolean not null default false;

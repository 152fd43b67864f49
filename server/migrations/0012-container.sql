-- What a container promises and where it came from.
alter table container
  add column template    boolean not null default false,
  add column template_of uuid,
  add column budget      jsonb not null default '{}';

-- What the operator of the installation says about settings, for all tenants that say nothing themselves. Tenants read it;
-- only the operator's command writes it.
create table operator_setting (
  key     text primary key,
  value   jsonb not null,
  updated timestamptz not null default now()
);
grant select on operator_setting to gantry_app;
grant select, insert, update, delete on operator_setting to gantry_door;

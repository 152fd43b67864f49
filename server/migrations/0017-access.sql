-- A role that a tenant makes up: single permissions under one name, beside those of a built-in role.
create table access_role (
  like record including all,
  name text not null,
  description text not null default '',
  role int not null default 0,
  permissions text[] not null default '{}'
);
call records('access_role');
create unique index access_role_name_taken on access_role (tenant_id, fold(name)) where not deleted;

-- A grant says more than a role: single permissions, that something is denied, of which items, for everybody of a sort.
alter table access_control
  add column role_id uuid,
  add column audience text not null default '',
  add column permissions text[] not null default '{}',
  add column effect int not null default 0,
  add column condition_group jsonb not null default '[]',
  add column reason text not null default '';
create index access_control_audience on access_control (tenant_id, audience) where audience <> '' and not deleted;
create index access_control_role on access_control (tenant_id, role_id) where role_id is not null;

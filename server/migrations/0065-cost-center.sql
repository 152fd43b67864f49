-- Where costs are counted.
create table cost_center (
  like record including all,
  code        text not null default '',
  name        text not null,
  description text not null default '',
  parent_id   uuid,
  manager_id  uuid,
  active      boolean not null default true,
  valid_from  date,
  valid_to    date,
  external_id text not null default ''
);
call records('cost_center');
create unique index cost_center_code_taken on cost_center (tenant_id, lower(code)) where code <> '' and not deleted;
create index cost_center_of_parent on cost_center (tenant_id, parent_id) where parent_id is not null;

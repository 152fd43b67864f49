-- Scenarios: changes of the plan that are proposed, and read as if they were made, until they are merged or dropped.

create table scenario (
  like record including all,
  name        text not null default '',
  description text not null default '',
  state       integer not null default 0
);
call records('scenario');

-- One row for each record that a scenario changes. `columns` is what the row of the record becomes, by the names of its columns.
create table scenario_change (
  tenant_id   uuid not null,
  scenario_id uuid not null,
  entity      text not null,
  record_id   uuid not null,
  op          integer not null,
  proposed    jsonb not null,
  base        jsonb not null,
  columns     jsonb not null,
  changed     timestamptz not null,
  changed_by  uuid not null,
  primary key (tenant_id, scenario_id, entity, record_id),
  foreign key (tenant_id, scenario_id) references scenario (tenant_id, id)
);
call wall('scenario_change');

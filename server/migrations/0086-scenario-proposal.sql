-- What change sets did to the changes of scenarios, for undo. The event of a change set does not say it, because proposals are read
-- only by those who see the record. Null is no change.
create table scenario_proposal (
  tenant_id   uuid not null,
  change_set  uuid not null,
  scenario_id uuid not null,
  entity      text not null,
  record_id   uuid not null,
  before      jsonb,
  after       jsonb,
  primary key (tenant_id, change_set, scenario_id, entity, record_id),
  foreign key (tenant_id, scenario_id) references scenario (tenant_id, id)
);
call wall('scenario_proposal');

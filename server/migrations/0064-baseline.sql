-- Baselines: what was planned for containers at a moment, to compare it with what came of it.

create table baseline (
  like record including all,
  name          text not null default '',
  description   text not null default '',
  container_ids uuid[] not null default '{}',
  at            timestamptz
);
call records('baseline');
create index baseline_of_containers on baseline using gin (container_ids);

create table baseline_container (
  tenant_id    uuid not null,
  baseline_id  uuid not null,
  container_id uuid not null,
  start_date   date,
  due_date     date,
  primary key (tenant_id, baseline_id, container_id),
  foreign key (tenant_id, baseline_id) references baseline (tenant_id, id),
  foreign key (tenant_id, container_id) references container (tenant_id, id)
);
call wall('baseline_container');
create index baseline_container_of_container on baseline_container (tenant_id, container_id);

create table baseline_item (
  tenant_id         uuid not null,
  baseline_id       uuid not null,
  item_id           uuid not null,
  container_id      uuid not null,
  start_date        date,
  due_date          date,
  estimate_minutes  integer not null,
  remaining_minutes integer not null,
  status_category   integer not null,
  primary key (tenant_id, baseline_id, item_id),
  foreign key (tenant_id, baseline_id) references baseline (tenant_id, id),
  foreign key (tenant_id, item_id) references item (tenant_id, id)
);
call wall('baseline_item');
create index baseline_item_of_item on baseline_item (tenant_id, item_id);

create table baseline_budget (
  tenant_id    uuid not null,
  baseline_id  uuid not null,
  budget_id    uuid not null,
  container_id uuid not null,
  amount       numeric(19, 4) not null,
  primary key (tenant_id, baseline_id, budget_id),
  foreign key (tenant_id, baseline_id) references baseline (tenant_id, id),
  foreign key (tenant_id, budget_id) references budget (tenant_id, id)
);
call wall('baseline_budget');
create index baseline_budget_of_budget on baseline_budget (tenant_id, budget_id);

-- The items that have left a container since a moment.
create index item_stay_of_container on item_stay (tenant_id, container_id, to_at);

-- Boards and cycles, and what their reading asks of items.

create table board (
  like record including all,
  name                text not null,
  description         text not null default '',
  owner               integer not null default 0,
  owner_id            text not null default '',
  container_ids       uuid[] not null default '{}',
  criteria            jsonb not null default '{}',
  column_field        text not null default 'status',
  columns             jsonb not null default '[]',
  swimlane_field      text not null default '',
  card_fields         text[] not null default '{}',
  quick_filters       jsonb not null default '[]',
  rank_scope          integer not null default 0,
  sort_mode           integer not null default 0,
  sort_field          text not null default '',
  sort_descending     boolean not null default false,
  estimate_field      text not null default '',
  clock_light         boolean not null default false,
  include_closed_days integer not null default 14
);
call records('board');
create index board_of_owner on board (tenant_id, owner_id) where not deleted;

create table cycle (
  like record including all,
  container_id     uuid,
  user_group_id    uuid,
  number           integer not null default 0,
  name             text not null,
  goal             text not null default '',
  start_date       date,
  end_date         date,
  state            integer not null default 0,
  started_at       timestamptz,
  completed_at     timestamptz,
  capacity_minutes integer not null default 0,
  committed        jsonb not null default '{}',
  completed        jsonb not null default '{}',
  retro            text not null default '',
  rollover         integer not null default 0,
  auto_create      jsonb not null default '{}',
  parallel         boolean not null default false,
  -- How it stood when it was finished: the burndown, what was not done, and where that went.
  snapshot         jsonb
);
call records('cycle');
alter table cycle add foreign key (tenant_id, container_id) references container (tenant_id, id);
alter table cycle add foreign key (tenant_id, user_group_id) references user_group (tenant_id, id);
create index cycle_of_container on cycle (tenant_id, container_id, state) where container_id is not null;
create index cycle_of_group on cycle (tenant_id, user_group_id, state) where user_group_id is not null;

-- Which items were ever in a cycle: where a burndown begins to read the log. Kept by a trigger, because an item comes into
-- a cycle on many ways, and one that forgot to tell would falsify the past.
create table cycle_item (
  tenant_id uuid not null,
  cycle_id  uuid not null,
  item_id   uuid not null,
  primary key (tenant_id, cycle_id, item_id),
  foreign key (tenant_id, item_id) references item (tenant_id, id)
);
call wall('cycle_item');
create function note_cycle() returns trigger language plpgsql as $$
begin
  insert into cycle_item (tenant_id, cycle_id, item_id) values (new.tenant_id, new.cycle_id, new.id) on conflict do nothing;
  return null;
end $$;
create trigger item_enters_cycle after insert on item for each row when (new.cycle_id is not null) execute function note_cycle();
create trigger item_changes_cycle after update of cycle_id on item for each row
  when (new.cycle_id is not null and new.cycle_id is distinct from old.cycle_id) execute function note_cycle();

-- A board shows what is open, in the order of ranks, and what was closed lately: neither may cost more because much was
-- closed long ago.
create index item_open on item (tenant_id, container_id, rank, id) where closed_at is null and not deleted;
create index item_closed on item (tenant_id, container_id, closed_at) where closed_at is not null and not deleted;
-- Ranks that have grown long; hardly ever one.
create index item_long_rank on item (tenant_id, container_id, rank) where length(rank) > 32 and not deleted;

-- The numbers of items by what lists are counted by, so that a count does not pass an entry for each item that it counts. They are kept as the
-- flow is: each change of an item appends what it adds and what it takes away to `flow_step`, which now also has the state, the priority and
-- whether the item is archived, and the job that folds the steps into days adds them here. The number is the sum of both at any time.
create table item_count (
  tenant_id       uuid not null,
  container_id    uuid not null,
  status_category integer not null,
  status          text not null,
  priority        integer not null,
  visibility      integer not null,
  archived        boolean not null,
  items           integer not null,
  primary key (tenant_id, container_id, status_category, status, priority, visibility, archived)
);
call wall('item_count');

-- First of all, because it waits for the writers of items and keeps new ones out until the items are counted.
drop trigger item_flows_on on item;
-- Steps from before have no state, and are not added to the numbers.
alter table flow_step
  add column status   text,
  add column priority integer,
  add column archived boolean;

create or replace function note_flow() returns trigger language plpgsql as $$
declare
  last record;
  stay_ended boolean;
begin
  if tg_op = 'INSERT' then
    if not new.deleted then
      insert into flow_step values
        (new.tenant_id, new.container_id, new.container_id, new.visibility, new.status_category, new.created, 1, new.points, new.estimate_minutes,
          new.status, new.priority, new.archived);
    end if;
    return null;
  end if;
  select s.n, s.to_at into last from item_stay s where s.tenant_id = new.tenant_id and s.item_id = new.id order by s.n desc limit 1;
  if (old.container_id, old.visibility, old.deleted, old.created, old.points, old.estimate_minutes)
    = (new.container_id, new.visibility, new.deleted, new.created, new.points, new.estimate_minutes) then
    if not new.deleted then
      -- Without another category both are at one time, and the flow by day does not change.
      insert into flow_step values
        (new.tenant_id, new.container_id, new.container_id, new.visibility, old.status_category, coalesce(last.to_at, new.created), -1, -new.points,
          -new.estimate_minutes, old.status, old.priority, old.archived),
        (new.tenant_id, new.container_id, new.container_id, new.visibility, new.status_category, coalesce(last.to_at, new.created), 1, new.points,
          new.estimate_minutes, new.status, new.priority, new.archived);
    end if;
    return null;
  end if;
  stay_ended := old.status is distinct from new.status or old.status_category is distinct from new.status_category
    or old.container_id is distinct from new.container_id;
  -- The steps of stays that have ended have the state of the item, too: those into a stay and out of it cancel each other out in its numbers.
  insert into flow_step
  select new.tenant_id, v.home_id, f.container_id, v.visibility, f.category, f.at,
    sum(v.sign * f.n), sum(v.sign * f.n * v.points), sum(v.sign * f.n * v.minutes), v.status, v.priority, v.archived
  from (values
    (-1, old.container_id, old.visibility, old.points, old.estimate_minutes, old.status, old.priority, old.archived, old.deleted),
    (1, new.container_id, new.visibility, new.points, new.estimate_minutes, new.status, new.priority, new.archived, new.deleted))
    v (sign, home_id, visibility, points, minutes, status, priority, archived, deleted)
  cross join lateral (
    select s.container_id, s.category, e.at, e.n
      from item_stay s cross join lateral (values (s.from_at, 1), (s.to_at, -1)) e (at, n)
      where s.tenant_id = new.tenant_id and s.item_id = new.id
        -- The stay that ends with this change had no end before it.
        and not (v.sign < 0 and e.n < 0 and stay_ended and s.n = last.n)
    union all select new.container_id, new.status_category, coalesce(last.to_at, new.created), 1 where v.sign > 0
    union all select old.container_id, old.status_category, coalesce(last.to_at, old.created), 1 where v.sign < 0 and not stay_ended) f
  where not v.deleted
  group by v.home_id, f.container_id, v.visibility, f.category, f.at, v.status, v.priority, v.archived
  having sum(v.sign * f.n) <> 0 or sum(v.sign * f.n * v.points) <> 0 or sum(v.sign * f.n * v.minutes) <> 0;
  return null;
end $$;

-- Triggers fire in the order of their names: this one after `item_changes_stay`, whose row it reads.
create trigger item_flows_on
  after update of status_category, status, priority, archived, container_id, visibility, deleted, created, points, estimate_minutes on item for each row
  when ((old.status_category, old.status, old.priority, old.archived, old.container_id, old.visibility, old.deleted, old.created, old.points, old.estimate_minutes)
    is distinct from
    (new.status_category, new.status, new.priority, new.archived, new.container_id, new.visibility, new.deleted, new.created, new.points, new.estimate_minutes))
  execute function note_flow();

-- The numbers of the items that are there, without those that the steps tell.
create function count_items(tenant uuid) returns void language sql as $$
  insert into item_count (tenant_id, container_id, status_category, status, priority, visibility, archived, items)
  select tenant, i.container_id, i.status_category, i.status, i.priority, i.visibility, i.archived, count(*)
  from item i where i.tenant_id = tenant and not i.deleted group by 2, 3, 4, 5, 6, 7 $$;

alter table item no force row level security;
alter table item_count no force row level security;
insert into item_count (tenant_id, container_id, status_category, status, priority, visibility, archived, items)
  select i.tenant_id, i.container_id, i.status_category, i.status, i.priority, i.visibility, i.archived, count(*)
  from item i where not i.deleted group by 1, 2, 3, 4, 5, 6, 7;
alter table item_count force row level security;
alter table item force row level security;

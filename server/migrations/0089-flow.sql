-- The flow of items by day, for reports that would otherwise read every stay of every item. Each change of an item appends what it
-- adds to the flow and what it takes away (`flow_step`), so that no writer waits for another; a job sums these rows by day in the
-- time zones of the tenant (`flow_day`). The flow is the sum of both at any time, however far the job is.
--
-- Whether a caller sees an item depends on the container that it is in now (`home_id`) and on its visibility; where it is counted
-- depends on the container that it was in then (`container_id`). So the rows have both, and an item that moves takes its past along.
create table flow_step (
  tenant_id    uuid not null,
  home_id      uuid not null,
  container_id uuid not null,
  visibility   integer not null,
  category     integer not null,
  at           timestamptz not null,
  items        integer not null,
  points       numeric not null,
  minutes      bigint not null
);
create index flow_step_of_tenant on flow_step (tenant_id);
call wall('flow_step');

create table flow_day (
  tenant_id    uuid not null,
  timezone     text not null,
  container_id uuid not null,
  day          date not null,
  category     integer not null,
  home_id      uuid not null,
  visibility   integer not null,
  items        integer not null,
  points       numeric not null,
  minutes      bigint not null,
  primary key (tenant_id, timezone, container_id, day, category, home_id, visibility)
);
call wall('flow_day');

-- The time zones whose days are kept. A tenant without any has not been summed yet; the job begins with a scan of its stays.
create table flow_zone (
  tenant_id uuid not null,
  timezone  text not null,
  primary key (tenant_id, timezone)
);
call wall('flow_zone');

-- Appends the difference between what an item was for the flow and what it is. Where nothing but its category has changed, that is
-- the end of one stay and the beginning of the next; otherwise it is its whole past, taken away as it was and added as it is.
create function note_flow() returns trigger language plpgsql as $$
declare
  last record;
  stay_ended boolean;
begin
  if tg_op = 'INSERT' then
    if not new.deleted then
      insert into flow_step values
        (new.tenant_id, new.container_id, new.container_id, new.visibility, new.status_category, new.created, 1, new.points, new.estimate_minutes);
    end if;
    return null;
  end if;
  select s.n, s.to_at into last from item_stay s where s.tenant_id = new.tenant_id and s.item_id = new.id order by s.n desc limit 1;
  if (old.container_id, old.visibility, old.deleted, old.created, old.points, old.estimate_minutes)
    = (new.container_id, new.visibility, new.deleted, new.created, new.points, new.estimate_minutes) then
    if not new.deleted then
      insert into flow_step values
        (new.tenant_id, new.container_id, new.container_id, new.visibility, old.status_category, last.to_at, -1, -new.points, -new.estimate_minutes),
        (new.tenant_id, new.container_id, new.container_id, new.visibility, new.status_category, last.to_at, 1, new.points, new.estimate_minutes);
    end if;
    return null;
  end if;
  stay_ended := old.status is distinct from new.status or old.status_category is distinct from new.status_category
    or old.container_id is distinct from new.container_id;
  insert into flow_step
  select new.tenant_id, v.home_id, f.container_id, v.visibility, f.category, f.at,
    sum(v.sign * f.n), sum(v.sign * f.n * v.points), sum(v.sign * f.n * v.minutes)
  from (values
    (-1, old.container_id, old.visibility, old.points, old.estimate_minutes, old.deleted),
    (1, new.container_id, new.visibility, new.points, new.estimate_minutes, new.deleted)) v (sign, home_id, visibility, points, minutes, deleted)
  cross join lateral (
    select s.container_id, s.category, e.at, e.n
      from item_stay s cross join lateral (values (s.from_at, 1), (s.to_at, -1)) e (at, n)
      where s.tenant_id = new.tenant_id and s.item_id = new.id
        -- The stay that ends with this change had no end before it.
        and not (v.sign < 0 and e.n < 0 and stay_ended and s.n = last.n)
    union all select new.container_id, new.status_category, coalesce(last.to_at, new.created), 1 where v.sign > 0
    union all select old.container_id, old.status_category, coalesce(last.to_at, old.created), 1 where v.sign < 0 and not stay_ended) f
  where not v.deleted
  group by v.home_id, f.container_id, v.visibility, f.category, f.at
  having sum(v.sign * f.n) <> 0 or sum(v.sign * f.n * v.points) <> 0 or sum(v.sign * f.n * v.minutes) <> 0;
  return null;
end $$;

create trigger item_flows_in after insert on item for each row execute function note_flow();
-- Triggers fire in the order of their names: this one after `item_changes_stay`, whose row it reads.
create trigger item_flows_on after update of status_category, container_id, visibility, deleted, created, points, estimate_minutes on item for each row
  when ((old.status_category, old.container_id, old.visibility, old.deleted, old.created, old.points, old.estimate_minutes)
    is distinct from (new.status_category, new.container_id, new.visibility, new.deleted, new.created, new.points, new.estimate_minutes))
  execute function note_flow();

-- How long items stayed in a state, for reports on their flow. A row is a stay that has ended: in a status, its category and a
-- container. The present one follows from the item, so a new item writes nothing here. Kept by a trigger, because a status changes
-- on many ways, and one that forgot to tell would falsify the past. The log may be deleted after some time; these rows stay as long
-- as their item.
create table item_stay (
  tenant_id    uuid not null,
  item_id      uuid not null,
  n            integer not null,
  status       text not null,
  category     integer not null,
  container_id uuid not null,
  from_at      timestamptz not null,
  to_at        timestamptz not null,
  primary key (tenant_id, item_id, n),
  foreign key (tenant_id, item_id) references item (tenant_id, id)
);
call wall('item_stay');

create function note_stay() returns trigger language plpgsql as $$
begin
  insert into item_stay (tenant_id, item_id, n, status, category, container_id, from_at, to_at)
  select old.tenant_id, old.id, coalesce(l.n, 0) + 1, old.status, old.status_category, old.container_id,
    coalesce(l.to_at, old.created), greatest(new.updated, l.to_at, old.created)
  from (select 1) one left join lateral (
    select s.n, s.to_at from item_stay s where s.tenant_id = old.tenant_id and s.item_id = old.id order by s.n desc limit 1) l on true;
  return null;
end $$;
create trigger item_changes_stay after update of status, status_category, container_id on item for each row
  when (old.status is distinct from new.status or old.status_category is distinct from new.status_category
    or old.container_id is distinct from new.container_id) execute function note_stay();

-- The past, from the log: what an item was before an event is the old value of the next event that changed it, or else what it is now.
-- Where the beginning of the log was deleted, the first known state counts from the creation.
alter table item no force row level security;
alter table event no force row level security;
alter table item_stay no force row level security;
insert into item_stay (tenant_id, item_id, n, status, category, container_id, from_at, to_at)
select b.tenant_id, b.record_id, b.n, b.status, b.category, b.container_id,
  coalesce(lag(b.at) over (partition by b.tenant_id, b.record_id order by b.n), b.created), b.at
from (
  select w.tenant_id, w.record_id, w.created, row_number() over (partition by w.tenant_id, w.record_id order by w.xact, w.id) as n,
    max(w.at) over (partition by w.tenant_id, w.record_id order by w.xact, w.id) as at,
    case when w.status_later = 0 then w.now_status
      else first_value(w.status) over (partition by w.tenant_id, w.record_id, w.status_later order by w.xact desc, w.id desc) end as status,
    case when w.category_later = 0 then w.now_category
      else first_value(w.category) over (partition by w.tenant_id, w.record_id, w.category_later order by w.xact desc, w.id desc) end as category,
    case when w.container_later = 0 then w.now_container
      else first_value(w.container_id) over (partition by w.tenant_id, w.record_id, w.container_later order by w.xact desc, w.id desc) end as container_id
  from (
    select e.tenant_id, e.record_id, e.xact, e.id, greatest(e.at, i.created) as at, i.created,
      i.status as now_status, i.status_category as now_category, i.container_id as now_container,
      coalesce(e.changes -> 'status' ->> 'from', '') as status,
      coalesce((e.changes -> 'statusCategory' ->> 'from')::integer, 0) as category,
      (e.changes -> 'containerId' ->> 'from')::uuid as container_id,
      count(*) filter (where e.changes ? 'status') over later as status_later,
      count(*) filter (where e.changes ? 'statusCategory') over later as category_later,
      count(*) filter (where e.changes ? 'containerId') over later as container_later
    from event e join item i on i.tenant_id = e.tenant_id and i.id = e.record_id
    where e.entity = 'Item' and e.kind <> 'item.created' and e.changes ?| array['status', 'statusCategory', 'containerId']
    window later as (partition by e.tenant_id, e.record_id order by e.xact desc, e.id desc)
  ) w
) b;
alter table item force row level security;
alter table event force row level security;
alter table item_stay force row level security;

-- What was closed in a period, in all containers.
create index item_closed_at on item (tenant_id, closed_at) where closed_at is not null and not deleted;

-- What becomes of an item by changes of others, and by the passing of days. Each turn of it is one event.

-- Whether open items block an open item, and whether all its children are closed, as last reported. The row is also the lock
-- under which both are judged: of two transactions that each close one of the last two blockers, the second sees the first.
create table item_standing (
  tenant_id       uuid not null,
  item_id         uuid not null,
  blocked         boolean not null default false,
  children_closed boolean not null default false,
  primary key (tenant_id, item_id),
  foreign key (tenant_id, item_id) references item (tenant_id, id)
);

alter table item no force row level security;
alter table link no force row level security;
insert into item_standing (tenant_id, item_id, blocked, children_closed)
select tenant_id, item_id, bool_or(blocked), bool_or(children_closed) from (
  select l.tenant_id, l.to_id as item_id, b.status_category not in (4, 5) and t.status_category not in (4, 5) and not b.deleted as blocked, false as children_closed
    from link l join item b on b.tenant_id = l.tenant_id and b.id = l.from_id join item t on t.tenant_id = l.tenant_id and t.id = l.to_id
    where l.behaviour = 1 and not l.deleted and not t.deleted
  union all
  select tenant_id, parent_id, false, bool_and(status_category in (4, 5)) from item where parent_id is not null and not deleted group by tenant_id, parent_id) s
group by tenant_id, item_id;
alter table item force row level security;
alter table link force row level security;
call wall('item_standing');

-- Judges one item again, and appends the events of what turned with its change set, its actor and its time. They have no changes,
-- because no record changed: an undo of the change set leaves them alone.
create function judge_standing(cause event, subject uuid) returns void language plpgsql as $$
declare
  was item_standing;
  is_open boolean;
  is_blocked boolean;
  are_closed boolean;
begin
  insert into item_standing (tenant_id, item_id) values (cause.tenant_id, subject) on conflict do nothing;
  select * into was from item_standing s where s.tenant_id = cause.tenant_id and s.item_id = subject for update;
  select t.status_category not in (4, 5) and not t.deleted into is_open from item t where t.tenant_id = cause.tenant_id and t.id = subject;
  is_blocked := is_open and exists (select 1 from link l join item b on b.tenant_id = cause.tenant_id and b.id = l.from_id
    where l.tenant_id = cause.tenant_id and l.to_id = subject and l.behaviour = 1 and not l.deleted and not b.deleted and b.status_category not in (4, 5));
  select coalesce(bool_and(c.status_category in (4, 5)), false) into are_closed
    from item c where c.tenant_id = cause.tenant_id and c.parent_id = subject and not c.deleted;
  if (was.blocked, was.children_closed) = (is_blocked, are_closed) then return; end if;
  update item_standing set blocked = is_blocked, children_closed = are_closed where tenant_id = cause.tenant_id and item_id = subject;
  if not is_open then return; end if;
  -- The ids sort behind that of the event that caused them, and before the next one of the same process.
  insert into event (tenant_id, id, at, kind, entity, record_id, actor_id, actor_kind, change_set_id, changes, version)
  select cause.tenant_id, encode(substring(uuid_send(cause.id) for 8) || '\xbfffffff' || substring(uuid_send(gen_random_uuid()) for 4), 'hex')::uuid,
    cause.at, k.kind, 'Item', subject, cause.actor_id, cause.actor_kind, cause.change_set_id, '{}',
    (select t.version from item t where t.tenant_id = cause.tenant_id and t.id = subject)
  from (values ('item.blocked', is_blocked and not was.blocked), ('item.unblocked', was.blocked and not is_blocked),
    ('item.childrenClosed', are_closed and not was.children_closed)) k (kind, turned) where k.turned;
end $$;

-- Judges the items that an event may concern: the ends of a link, what an item blocks, its parents before and after, and itself.
create function note_standing() returns trigger language plpgsql as $$
declare
  subject uuid;
begin
  for subject in
    select s.id from (
      select l.to_id as id from link l where new.entity = 'Link' and l.tenant_id = new.tenant_id and l.id = new.record_id and l.behaviour = 1
      union select nullif(new.changes #>> '{toId,from}', '')::uuid
      union select l.to_id from link l where new.entity = 'Item' and l.tenant_id = new.tenant_id and l.from_id = new.record_id and l.behaviour = 1 and not l.deleted
      union select l.to_id from link l where new.entity = 'Item' and l.tenant_id = new.tenant_id and l.to_id = new.record_id and l.behaviour = 1 and not l.deleted
      union select i.parent_id from item i where new.entity = 'Item' and i.tenant_id = new.tenant_id and i.id = new.record_id
      union select nullif(new.changes #>> '{parentId,from}', '')::uuid) s
    -- In one order, so that two transactions wait for each other instead of deadlocking.
    where exists (select 1 from item t where t.tenant_id = new.tenant_id and t.id = s.id) order by s.id
  loop
    perform judge_standing(new, subject);
  end loop;
  return null;
end $$;

-- On the log, because what an item blocks is closed, reopened, deleted, restored, moved and linked on many ways, and each of them
-- is in the log with its change set. The events of an imported tenant are history.
create trigger event_changes_standing after insert on event for each row
  when (current_setting('app.importing', true) is distinct from 'on' and case new.entity
    when 'Link' then new.kind in ('link.created', 'link.updated', 'link.deleted', 'link.restored')
    when 'Item' then case new.kind
      when 'item.created' then new.changes ? 'parentId'
      when 'item.updated' then new.changes ?| '{statusCategory,parentId}'
      else new.kind in ('item.deleted', 'item.restored') end
    else false end)
  execute function note_standing();

-- The due dates for which an item was reported as due soon and as overdue. Another date differs from them, so it is reported again.
alter table item
  add column due_soon_told date,
  add column overdue_told  date;
alter table item no force row level security;
update item set overdue_told = due_date where due_date < current_date;
update item set due_soon_told = due_date where due_date between current_date and current_date + 1;
alter table item force row level security;
create index item_due_soon on item (tenant_id, due_date) where due_date is not null and due_soon_told is distinct from due_date and status_category not in (4, 5) and not deleted;
create index item_overdue on item (tenant_id, due_date) where due_date is not null and overdue_told is distinct from due_date and status_category not in (4, 5) and not deleted;
-- The job finds the tenants that have something to report.
grant select (tenant_id, due_date, due_soon_told, overdue_told, status_category, deleted) on item to gantry_door;
create policy door on item for select to gantry_door using (true);

-- Approvals: a group is asked about an item, and what is to happen happens with the last vote that was needed.

create table approval (
  like record including all,
  item_id    uuid not null,
  group_id   uuid not null,
  quorum     integer not null default 0,
  state      integer not null default 0,
  text       text not null default '',
  votes      jsonb not null default '[]',
  on_approve jsonb not null default 'null',
  on_reject  jsonb not null default 'null',
  until      timestamptz,
  asked_by   uuid,
  rule_id    text not null default '',
  decided_at timestamptz
);
call records('approval');
create index approval_of_item on approval (tenant_id, item_id, id);
create index approval_of_group on approval (tenant_id, group_id) where state = 0 and not deleted;

-- Closed work that is put away. Lists pass over it, so the indexes that give their order do as well: a first page must not
-- grow with what lies in the archive, which is the oldest. What is open is never archived, and its indexes need not know.
alter table item add column archived boolean not null default false;
drop index item_of_container;
create index item_of_container on item (tenant_id, container_id, id) where not deleted and not archived;
drop index item_by_updated;
create index item_by_updated on item (tenant_id, container_id, updated, id) where not deleted and not archived;
create index item_archived on item (tenant_id, container_id, id) where archived and not deleted;

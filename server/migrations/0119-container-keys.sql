-- The keys that containers have, or had while their items were created: what the keys of items begin with. An item keeps its key
-- when its container gets another one.
create table container_key (
  tenant_id    uuid not null,
  container_id uuid not null,
  key          text collate "C" not null,
  primary key (tenant_id, container_id, key)
);
call wall('container_key');
create function note_container_key() returns trigger language plpgsql as $$
begin
  insert into container_key (tenant_id, container_id, key) values (new.tenant_id, new.id, new.key) on conflict do nothing;
  return null;
end $$;
create trigger container_has_key after insert on container for each row execute function note_container_key();
create trigger container_changes_key after update on container for each row when (new.key is distinct from old.key)
  execute function note_container_key();
alter table container no force row level security;
alter table item no force row level security;
insert into container_key (tenant_id, container_id, key)
  select c.tenant_id, c.id, c.key from container c
  union select i.tenant_id, i.container_id, split_part(i.key, '-', 1) from item i;
alter table item force row level security;
alter table container force row level security;

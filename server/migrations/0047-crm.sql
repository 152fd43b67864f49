-- The rest of a customer, and the addresses by which arriving mail is matched to one.

alter table crm
  add column domains       text[] not null default '{}',
  add column city          text not null default '',
  add column parent_id     uuid,
  add column merged_into   uuid,
  add column status        integer not null default 0,
  add column tier          text not null default '',
  add column owner_user_id uuid,
  add column timezone      text not null default '',
  add column language      text not null default '',
  add column clock_id      uuid,
  add column currency      text not null default '',
  add column tax_id        text not null default '',
  add column tax_category  text not null default '',
  add column tax_rate      numeric not null default 0,
  add column payment_days  integer not null default 0,
  add column payment_terms text not null default '',
  add column rounding      jsonb not null default '{}',
  add column labels        uuid[] not null default '{}',
  add column external_id   text not null default '',
  add column notes         text not null default '';
create index crm_of_parent on crm (tenant_id, parent_id) where parent_id is not null;

-- An address of a contact, or `@` and a domain.
create table crm_address (
  tenant_id uuid not null,
  address   text not null,
  crm_id    uuid not null,
  primary key (tenant_id, address, crm_id)
);
create index crm_address_of_crm on crm_address (tenant_id, crm_id);

-- Kept by a trigger, because customers are written, merged, imported and undone on many ways.
create function note_crm_addresses() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from crm_address where tenant_id = new.tenant_id and crm_id = new.id;
  end if;
  if not new.deleted then
    insert into crm_address (tenant_id, address, crm_id)
      select distinct new.tenant_id, a.address, new.id from (
        select '@' || unnest(new.domains) as address
        union all select lower(btrim(c ->> 'email')) from jsonb_array_elements(new.contacts) c) a
      where length(a.address) > 1;
  end if;
  return null;
end $$;
create trigger crm_made_with_addresses after insert on crm for each row execute function note_crm_addresses();
create trigger crm_changes_addresses after update of domains, contacts, deleted on crm for each row
  when ((new.domains, new.contacts, new.deleted) is distinct from (old.domains, old.contacts, old.deleted)) execute function note_crm_addresses();

alter table crm no force row level security;
update crm set domains = array[lower(btrim(domain))]
  where lower(btrim(domain)) ~ '^([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z0-9-]{2,63}$';
insert into crm_address (tenant_id, address, crm_id)
  select distinct k.tenant_id, lower(btrim(c ->> 'email')), k.id from crm k cross join jsonb_array_elements(k.contacts) c
  where not k.deleted and length(btrim(c ->> 'email')) > 1 on conflict do nothing;
alter table crm force row level security;
call wall('crm_address');

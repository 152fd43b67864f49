-- What a document said. The saves of one author within a few minutes are one version, from `version` to `last_version` of the content.
create table document_version (
  tenant_id     uuid not null,
  document_id   uuid not null,
  version       integer not null,
  last_version  integer not null,
  body          text not null,
  format        text not null,
  saved_by      uuid not null,
  begun         timestamptz not null,
  saved         timestamptz not null,
  restored_from integer,
  primary key (tenant_id, document_id, version),
  foreign key (tenant_id, document_id) references document (tenant_id, id)
);
call wall('document_version');

-- What the text of a document refers to: the key of an item in capitals, or the id of a document.
create table document_link (
  tenant_id   uuid not null,
  document_id uuid not null,
  target      text not null,
  primary key (tenant_id, document_id, target),
  foreign key (tenant_id, document_id) references document (tenant_id, id)
);
call wall('document_link');
create index document_link_to on document_link (tenant_id, target);

-- The texts that exist are the first versions that are known. The owner reads the contents of all tenants for this.
alter table document_content no force row level security;
alter table document_version no force row level security;
alter table document_link no force row level security;
insert into document_version (tenant_id, document_id, version, last_version, body, format, saved_by, begun, saved)
  select tenant_id, id, version, version, body, format, updated_by, updated, updated from document_content;
insert into document_link (tenant_id, document_id, target)
  select distinct c.tenant_id, c.id, upper(m[1]) from document_content c
    cross join regexp_matches(c.body, '\[\[([a-z][a-z0-9]{0,9}-[0-9]{1,15})\]\]', 'gi') m
  union
  select distinct c.tenant_id, c.id, lower(m[1]) from document_content c
    cross join regexp_matches(c.body, '/doc/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})', 'gi') m;
alter table document_content force row level security;
alter table document_version force row level security;
alter table document_link force row level security;

-- The documents that the text of a reply or a note links to, of which articles that answer requests are known.
create table annotation_link (
  tenant_id     uuid not null,
  annotation_id uuid not null,
  document_id   uuid not null,
  -- When the annotation was created.
  at            timestamptz not null,
  primary key (tenant_id, annotation_id, document_id),
  foreign key (tenant_id, annotation_id) references annotation (tenant_id, id),
  foreign key (tenant_id, document_id) references document (tenant_id, id)
);
call wall('annotation_link');
create index annotation_link_to on annotation_link (tenant_id, document_id, at);
create index annotation_link_at on annotation_link (tenant_id, at);

-- What replies and notes link to already; 2 is the message of a requester. The owner reads the annotations of all tenants for this.
alter table annotation no force row level security;
alter table document no force row level security;
alter table annotation_link no force row level security;
insert into annotation_link (tenant_id, annotation_id, document_id, at)
  select distinct a.tenant_id, a.id, d.id, a.created from annotation a
    cross join regexp_matches(a.body, '/(?:doc|article)/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![0-9a-f-])', 'gi') m
    join document d on d.tenant_id = a.tenant_id and d.id = lower(m[1])::uuid
  where a.kind <> 2;
alter table annotation force row level security;
alter table document force row level security;
alter table annotation_link force row level security;

-- What the sample company of a tenant consists of, so that its removal takes these records and no others.
create table sample_record (
  tenant_id uuid not null,
  entity    text not null,
  record_id uuid not null,
  primary key (tenant_id, entity, record_id)
);
call wall('sample_record');

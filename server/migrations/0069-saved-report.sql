-- Reports and queries that users keep and share. A run has the rights of whoever runs it, so nothing of its result is stored.

create table saved_report (
  like record including all,
  name        text not null,
  description text not null default '',
  report      text not null default '',
  input       jsonb not null default '{}',
  period      text not null default '',
  query       jsonb,
  shared      uuid[] not null default '{}'
);
call records('saved_report');
create index saved_report_of_owner on saved_report (tenant_id, created_by) where not deleted;

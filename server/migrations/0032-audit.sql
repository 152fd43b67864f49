-- The audit log: sign-ins, exports, use of keys, changes of rights. The service adds entries, and changes and deletes none.
create table audit_entry (
  like record including all,
  action        text not null default '',
  outcome       text not null default '',
  reason        text not null default '',
  user_id       text not null default '',
  address       text not null default '',
  credential    text not null default '',
  credential_id text not null default '',
  client        text not null default '',
  record_kind   text not null default '',
  record_id     text not null default '',
  change_set_id text not null default '',
  xact          xid8 not null default log_number()
);
call records('audit_entry');
revoke update, delete on audit_entry from gantry_app;
create index audit_entry_in_order on audit_entry (tenant_id, xact, id);
create index audit_entry_by_time on audit_entry (tenant_id, created, id);

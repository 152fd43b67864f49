-- The undo of a change set with very many records, which goes on in the background. Its id is that of the change set of the undo.
create table undo_run (
  tenant_id       uuid not null,
  id              uuid not null,
  change_set_id   uuid not null,
  user_id         uuid not null,
  actor_kind      text not null,
  scopes          text[] not null,
  skips           boolean not null,
  state           integer not null,
  records         integer not null,
  skipped_records integer not null default 0,
  conflicts       jsonb not null default '[]',
  error           text not null default '',
  primary key (tenant_id, id)
);
create index undo_run_of_change on undo_run (tenant_id, change_set_id, id);
call wall('undo_run');

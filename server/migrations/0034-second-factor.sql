-- The second factor of a user: codes of an authenticator app (RFC 6238), whose key is sealed in `secret`, and recovery codes, of which
-- only digests are stored. `last_step` is the time step of the last code that was accepted: no code is accepted twice.
create table second_factor (
  tenant_id uuid not null,
  user_id   uuid not null,
  confirmed timestamptz,
  last_step bigint not null default 0,
  recovery  bytea[] not null default '{}',
  primary key (tenant_id, user_id),
  foreign key (tenant_id, user_id) references "user" (tenant_id, id)
);
call wall('second_factor');

-- The sessions of users: one for each sign-in to a client. `grant_id` is the digest of the grant that all its tokens depend on, `browser` that
-- of the browser's own session. `auth_version` is the version of the user's credentials up to which the session is valid: a session that goes on
-- after a change of the password is raised to the new one.
create table user_session (
  tenant_id    uuid not null,
  id           uuid not null,
  user_id      uuid not null,
  grant_id     text not null,
  browser      text not null default '',
  native       boolean not null,
  client       text not null,
  user_agent   text not null default '',
  address      text not null default '',
  created      timestamptz not null,
  last_used    timestamptz not null,
  auth_version integer not null,
  ended        timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references "user" (tenant_id, id)
);
create index user_session_by_grant on user_session (tenant_id, grant_id);
create index user_session_of_user on user_session (tenant_id, user_id);
call wall('user_session');

-- Whether a token is still valid is asked before its tenant is trusted.
grant select (tenant_id, user_id, grant_id, auth_version, ended) on user_session to gantry_door;
create policy door on user_session for select to gantry_door using (true);

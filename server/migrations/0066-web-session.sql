-- A session in the web app: the browser holds a cookie, of which `cookie` is the digest, instead of tokens. `cookie_until` is the end of the session
-- in any case, `methods` is how the user signed in (RFC 8176).
alter table user_session
  add column cookie       bytea,
  add column cookie_until timestamptz,
  add column methods      text[] not null default '{}';
create unique index user_session_cookie_taken on user_session (cookie) where cookie is not null;
grant select (id, cookie, cookie_until, methods, last_used) on user_session to gantry_door;

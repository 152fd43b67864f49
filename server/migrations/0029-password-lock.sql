-- Wrong passwords stop password sign-in until `password_locked`; `locked` is the lock of an administrator and stops everything.

alter table "user" add column password_locked timestamptz;

-- A lock that followed wrong passwords lasts a day at most.
alter table "user" no force row level security;
update "user" set password_locked = locked, locked = null where lockouts > 0 and locked between now() and now() + interval '1 day';
alter table "user" force row level security;

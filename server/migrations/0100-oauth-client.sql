-- Programs that the admins of a tenant let its users sign in to. A program names itself by `client_id`, before any tenant is known. The secret is a
-- digest; the previous one counts until `previous_secret_until`.
create table oauth_client (
  like record including all,
  name                  text not null,
  homepage              text not null default '',
  client_id             text not null,
  kind                  integer not null default 0,
  redirect_uris         text[] not null default '{}',
  scopes                text[] not null default '{}',
  active                boolean not null default true,
  secret_last4          text not null default '',
  previous_secret_until timestamptz,
  secret                bytea,
  previous_secret       bytea
);
call records('oauth_client');
create unique index oauth_client_client_id_taken on oauth_client (client_id);
grant select (tenant_id, id, name, homepage, client_id, kind, redirect_uris, scopes, active, deleted, secret, previous_secret, previous_secret_until)
  on oauth_client to gantry_door;
create policy door on oauth_client for select to gantry_door using (true);

-- What a user has allowed a client to do; asked again only for more than that.
create table oauth_consent (
  tenant_id       uuid not null,
  id              uuid not null,
  user_id         uuid not null,
  oauth_client_id uuid not null,
  scopes          text[] not null,
  created         timestamptz not null,
  updated         timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references "user" (tenant_id, id),
  foreign key (tenant_id, oauth_client_id) references oauth_client (tenant_id, id)
);
create unique index oauth_consent_user_taken on oauth_consent (tenant_id, user_id, oauth_client_id);
create index oauth_consent_of_client on oauth_consent (tenant_id, oauth_client_id);
call wall('oauth_consent');

create index user_session_of_client on user_session (tenant_id, client) where ended is null;

-- A client that is switched off or deleted, by whichever way, loses its sessions and the consents of users; they do not come back with it.
create function end_oauth_client() returns trigger language plpgsql as $$
begin
  update user_session set ended = now() where tenant_id = new.tenant_id and client = new.client_id and ended is null;
  delete from oauth_consent where tenant_id = new.tenant_id and oauth_client_id = new.id;
  return null;
end $$;
create trigger end_oauth_client after update on oauth_client for each row
  when (old.active and not old.deleted and not (new.active and not new.deleted)) execute function end_oauth_client();

-- A key on a device of a user (WebAuthn) that signs in instead of a password. `counter` is that of its last use, which a copy of the key would repeat.
create table passkey (
  tenant_id     uuid not null,
  id            uuid not null,
  user_id       uuid not null,
  credential_id bytea not null,
  public_key    bytea not null,
  counter       bigint not null,
  transports    text[] not null default '{}',
  name          text not null default '',
  created       timestamptz not null,
  last_used     timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references "user" (tenant_id, id)
);
create unique index passkey_credential_taken on passkey (credential_id);
create index passkey_of_user on passkey (tenant_id, user_id);
call wall('passkey');

-- The passkey that a user is about to add: what the device has to sign.
create table passkey_challenge (
  tenant_id uuid not null,
  user_id   uuid not null,
  challenge text not null,
  expires   timestamptz not null,
  primary key (tenant_id, user_id),
  foreign key (tenant_id, user_id) references "user" (tenant_id, id)
);
call wall('passkey_challenge');

-- Whose passkey it is, is asked before a tenant is known.
grant select (tenant_id, id, user_id, credential_id, public_key, counter) on passkey to gantry_door;
create policy door on passkey for select to gantry_door using (true);

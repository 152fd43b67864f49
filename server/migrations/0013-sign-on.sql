-- Signing on elsewhere: the providers whose word on who somebody is a tenant takes, and who is known by it.

create table entra_meta (
  like record including all,
  name             text not null,
  provider         text not null default 'entra',
  entra_tenant_id  text not null default '',
  authority        text not null default '',
  issuer           text not null default '',
  client_id        text not null default '',
  client_secret    text not null default '',
  scopes           text[] not null default '{}',
  group_claim      text not null default '',
  group_mappings   jsonb not null default '[]',
  jit_provisioning boolean not null default false,
  allowed_domains  text[] not null default '{}',
  active           boolean not null default false,
  last_sign_on     timestamptz,
  group_overage    timestamptz
);
call records('entra_meta');

-- Somebody is the subject of an issuer, and never the owner of a mail address: addresses are claimed, changed and given on.
create table user_identity (
  like record including all,
  user_id        uuid not null,
  issuer         text not null,
  subject        text not null,
  directory_role integer not null default 0,
  last_used      timestamptz,
  foreign key (tenant_id, user_id) references "user" (tenant_id, id)
);
call records('user_identity');
create unique index user_identity_subject_taken on user_identity (tenant_id, issuer, subject) where not deleted;
create index user_identity_of_user on user_identity (tenant_id, user_id);

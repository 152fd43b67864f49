-- The ground: what every record carries, the two walls, and the kinds of the first release.
-- Written by hand, forward only; a test holds every declaration in the code against this catalogue.

-- Case and accents do not count when people compare texts.
create function fold(value text) returns text language sql immutable strict parallel safe as
$$ select regexp_replace(normalize(lower(value), NFKD), '[\u0300-\u036f]', '', 'g') $$;

-- The tenant that the connection or the transaction speaks for; none at all reads as null, which matches no row.
create function current_tenant() returns uuid language sql stable parallel safe as
$$ select nullif(current_setting('app.tenant', true), '')::uuid $$;

-- What every record carries. `tenant_id` comes first in every key, so a key can neither meet nor point across tenants.
create table record (
  tenant_id  uuid not null,
  id         uuid not null,
  created    timestamptz not null,
  created_by uuid not null,
  updated    timestamptz not null,
  updated_by uuid not null,
  deleted    boolean not null default false,
  version    integer not null default 1
);

-- Wall two: nobody, the owner included, meets a row of another tenant.
create procedure wall(kind text) language plpgsql as $$
begin
  execute format('alter table %I enable row level security', kind);
  execute format('alter table %I force row level security', kind);
  execute format('create policy tenant on %I using (tenant_id = current_tenant()) with check (tenant_id = current_tenant())', kind);
  execute format('grant select, insert, update, delete on %I to gantry_app', kind);
end $$;

-- A table of records: the key, and the wall.
create procedure records(kind text) language plpgsql as $$
begin
  execute format('alter table %I add primary key (tenant_id, id)', kind);
  call wall(kind);
end $$;

-- Events: audit trail, activity feed and replayable log in one. `xact` orders the log without a counter that would
-- make writers wait for each other: a reader stops before the oldest transaction still running.
create table event (
  tenant_id     uuid not null,
  xact          xid8 not null default pg_current_xact_id(),
  id            uuid not null,
  at            timestamptz not null,
  kind          text not null,
  entity        text not null,
  record_id     uuid not null,
  actor_id      uuid not null,
  actor_kind    text not null,
  change_set_id uuid not null,
  changes       jsonb not null,
  primary key (tenant_id, xact, id)
);
create index event_of_record on event (tenant_id, record_id, xact, id);
create index event_of_change_set on event (tenant_id, change_set_id);
call wall('event');
revoke update, delete on event from gantry_app;

create table idempotency (
  tenant_id    uuid not null,
  principal_id uuid not null,
  route        text not null,
  key          text not null,
  at           timestamptz not null,
  digest       text not null,
  status       integer not null,
  headers      jsonb not null,
  body         text not null,
  primary key (tenant_id, principal_id, route, key)
);
create index idempotency_age on idempotency (tenant_id, at);
call wall('idempotency');

-- Values that are written and never read back.
create table secret (
  tenant_id uuid not null,
  id        uuid not null,
  owner_id  uuid not null,
  name      text not null,
  sealed    bytea not null,
  primary key (tenant_id, id),
  constraint secret_name_taken unique (tenant_id, owner_id, name)
);
call wall('secret');

-- What the installation itself must remember: signing keys, the master key's check value.
create table installation (
  key   text primary key,
  value jsonb not null
);
grant select, insert, update on installation to gantry_door;

-- Work that comes back by itself: one row a job, leased by the node that runs it.
create table job (
  name         text primary key,
  next_run     timestamptz not null,
  leased_until timestamptz,
  lease        uuid,
  last_run     timestamptz,
  last_error   text
);
grant select, insert, update, delete on job to gantry_door;

-- admin ---------------------------------------------------------------------------------------------------------------

create table tenant (
  like record including all,
  name     text not null,
  slug     text not null,
  locale   text not null default '',
  timezone text not null default 'UTC',
  currency text not null default '',
  status   integer not null default 0
);
call records('tenant');
alter table tenant add constraint tenant_is_its_own check (id = tenant_id);
create unique index tenant_slug_taken on tenant (slug);

create table "user" (
  like record including all,
  name           text not null,
  initials       text not null default '',
  email          text not null default '',
  locale         text not null default '',
  timezone       text not null default '',
  dark_mode      text not null default '',
  cost_center    text not null default '',
  job_role       text not null default '',
  working_hours  text not null default '',
  notifications  boolean not null default false,
  super_admin    boolean not null default false,
  active         boolean not null default true,
  locked         timestamptz,
  kind           integer not null default 0,
  role           integer not null default 3,
  phone          text not null default '',
  external_id    text not null default '',
  last_seen      timestamptz,
  -- Never part of the record that goes out.
  password       text,
  auth_version   integer not null default 1,
  failures       integer not null default 0,
  failing_since  timestamptz,
  lockouts       integer not null default 0
);
call records('user');
create unique index user_email_taken on "user" (tenant_id, lower(email)) where email <> '' and not deleted;
create index user_by_email on "user" (lower(email)) where email <> '' and not deleted;

create table user_group (
  like record including all,
  name          text not null,
  description   text not null default '',
  members       uuid[] not null default '{}',
  owners        uuid[] not null default '{}',
  parent_id     uuid,
  kind          integer not null default 0,
  assign_policy integer not null default 0,
  external_id   text not null default '',
  source        integer not null default 0
);
call records('user_group');
create unique index user_group_name_taken on user_group (tenant_id, fold(name)) where not deleted;

create table access_control (
  like record including all,
  user_id       uuid,
  user_group_id uuid,
  owner         integer not null default 0,
  owner_id      text not null default '',
  role          integer not null default 0,
  expires_at    timestamptz
);
call records('access_control');
create index access_control_of_user on access_control (tenant_id, user_id) where not deleted;
create index access_control_of_group on access_control (tenant_id, user_group_id) where not deleted;

create table api_key (
  like record including all,
  name          text not null,
  expires_at    timestamptz,
  prefix        text not null,
  last4         text not null,
  scopes        text[] not null default '{}',
  owner_user_id uuid not null,
  kind          integer not null default 0,
  allowed_ips   text[] not null default '{}',
  last_used_at  timestamptz,
  last_used_ip  text not null default '',
  digest        bytea not null
);
call records('api_key');
create unique index api_key_prefix_taken on api_key (prefix);
create index api_key_of_user on api_key (tenant_id, owner_user_id) where not deleted;

create table app_setting (
  like record including all,
  key         text not null,
  value       jsonb not null default 'null',
  scope       integer not null default 0,
  owner_id    text not null default '',
  secret      boolean not null default false,
  description text not null default ''
);
call records('app_setting');
create unique index app_setting_key_taken on app_setting (tenant_id, scope, owner_id, key) where not deleted;

-- finance -------------------------------------------------------------------------------------------------------------

create table crm (
  like record including all,
  code     text not null default '',
  name     text not null,
  domain   text not null default '',
  address  text not null default '',
  zipcode  text not null default '',
  country  text not null default '',
  contacts jsonb not null default '[]',
  sku      text[] not null default '{}'
);
call records('crm');
create unique index crm_code_taken on crm (tenant_id, lower(code)) where code <> '' and not deleted;

create table non_billable (
  like record including all,
  code             text not null default '',
  name             text not null,
  description      text not null default '',
  "group"          uuid[] not null default '{}',
  active           boolean not null default true,
  kind             integer not null default 0,
  counts_as_worked boolean not null default true,
  color            text not null default ''
);
call records('non_billable');
create unique index non_billable_code_taken on non_billable (tenant_id, lower(code)) where code <> '' and not deleted;

-- documents -----------------------------------------------------------------------------------------------------------

create table folder (
  like record including all,
  name          text not null,
  parent_id     uuid,
  owner         integer not null default 0,
  owner_id      text not null default '',
  restricted_to uuid[] not null default '{}'
);
call records('folder');
create index folder_of_parent on folder (tenant_id, parent_id) where not deleted;

create table document (
  like record including all,
  folder_id     uuid,
  name          text not null,
  author        text not null default '',
  context       jsonb not null default '[]',
  restricted_to uuid[] not null default '{}',
  ai_access     boolean not null default false,
  archived      boolean not null default false
);
call records('document');
create index document_in_folder on document (tenant_id, folder_id) where not deleted;

-- The content has the id of its document.
create table document_content (
  like record including all,
  body   text not null default '',
  format text not null default 'markdown'
);
call records('document_content');
alter table document_content add foreign key (tenant_id, id) references document (tenant_id, id);

create table file (
  like record including all,
  name        text not null,
  size        bigint not null,
  mime        text not null,
  sha256      text not null,
  owner       integer not null default 0,
  owner_id    text not null default '',
  state       integer not null default 2,
  description text not null default ''
);
call records('file');
create index file_of_owner on file (tenant_id, owner_id) where not deleted;
create index file_by_hash on file (tenant_id, sha256);

-- containers ----------------------------------------------------------------------------------------------------------

create table process (
  like record including all,
  name        text not null,
  description text not null default '',
  image       text not null default '',
  fields      jsonb not null default '[]',
  features    text[] not null default '{}',
  workflow    jsonb not null default '[]',
  active      boolean not null default true
);
call records('process');

create table container (
  like record including all,
  key                text not null,
  name               text not null,
  description        text not null default '',
  kind               integer not null default 0,
  process_ids        uuid[] not null default '{}',
  default_process_id uuid,
  fields             jsonb not null default '[]',
  clock_id           uuid,
  crm_id             uuid,
  cost_center        text not null default '',
  billable           boolean not null default true,
  private            boolean not null default false,
  start_date         date,
  due_date           date,
  health             integer not null default 0,
  health_note        text not null default '',
  archived           boolean not null default false
);
call records('container');
create unique index container_key_taken on container (tenant_id, key) where not deleted;

-- Numbers are taken from here outside of the item's own transaction, so that no writer waits for another's commit.
create table container_number (
  tenant_id    uuid not null,
  container_id uuid not null,
  next         bigint not null default 1,
  primary key (tenant_id, container_id),
  foreign key (tenant_id, container_id) references container (tenant_id, id)
);
call wall('container_number');

create table container_filter (
  like record including all,
  container_id uuid not null,
  name         text not null,
  active       boolean not null default true,
  criteria     jsonb not null default '{}',
  columns      text[] not null default '{}',
  group_by     text not null default '',
  layout       integer not null default 0
);
call records('container_filter');
alter table container_filter add foreign key (tenant_id, container_id) references container (tenant_id, id);
create index container_filter_of_container on container_filter (tenant_id, container_id) where not deleted;

create table area (
  like record including all,
  name        text not null,
  description text not null default '',
  owner       integer not null default 0,
  owner_id    text not null default '',
  parent_id   uuid,
  archived    boolean not null default false,
  sequence    integer not null default 0,
  color       text not null default '',
  path        text not null default ''
);
call records('area');
create index area_of_parent on area (tenant_id, parent_id) where not deleted;

create table field (
  like record including all,
  key           text not null,
  field_type    text not null,
  name          text not null,
  prompt        text not null default '',
  description   text not null default '',
  default_value text not null default '',
  is_core       boolean not null default false,
  is_feature    boolean not null default false,
  feature_name  text not null default '',
  placement     integer[] not null default '{}',
  usage         integer[] not null default '{}',
  list_editable boolean not null default false,
  allow_day     boolean not null default false,
  allow_hour    boolean not null default false,
  allow_minute  boolean not null default false,
  options       jsonb not null default '[]',
  min           numeric,
  max           numeric,
  pattern       text not null default ''
);
call records('field');
create unique index field_key_taken on field (tenant_id, lower(key)) where not deleted;

-- items ---------------------------------------------------------------------------------------------------------------

create table item (
  like record including all,
  container_id      uuid not null,
  number            bigint not null,
  key               text not null,
  area_id           uuid,
  process_id        uuid,
  title             text not null,
  description       text not null default '',
  status            text not null default '',
  status_category   integer not null default 0,
  priority          integer not null default 0,
  assignees         uuid[] not null default '{}',
  requester_id      uuid,
  crm_id            uuid,
  parent_id         uuid,
  start_date        date,
  due_date          date,
  estimate_minutes  integer not null default 0,
  remaining_minutes integer not null default 0,
  points            numeric not null default 0,
  visibility        integer not null default 0,
  restricted_to     uuid[] not null default '{}',
  closed_at         timestamptz,
  source            integer not null default 1,
  tags              text[] not null default '{}',
  fields            jsonb not null default '{}',
  meta              jsonb not null default '{}',
  -- Where the record came from; unique with its source, for life.
  external_source   text,
  external_id       text
);
call records('item');
alter table item add foreign key (tenant_id, container_id) references container (tenant_id, id);
create unique index item_number_taken on item (tenant_id, container_id, number);
create index item_by_key on item (tenant_id, key);
create unique index item_external_taken on item (tenant_id, external_source, external_id) where external_id is not null;
create index item_of_container on item (tenant_id, container_id, id) where not deleted;
create index item_of_parent on item (tenant_id, parent_id) where parent_id is not null;
create index item_of_area on item (tenant_id, area_id) where area_id is not null;
create statistics item_places (ndistinct, dependencies) on tenant_id, container_id from item;

-- Custom values once more, typed and with their texts folded and cut, for conditions and sorting: matched here, shown
-- from the item itself. Plain columns, because under row level security an index on an expression is not used.
create table item_value (
  tenant_id     uuid not null,
  item_id       uuid not null,
  field_id      uuid not null,
  n             smallint not null default 0,
  text_value    text,
  number_value  numeric,
  instant_value timestamptz,
  date_value    date,
  id_value      uuid,
  primary key (tenant_id, item_id, field_id, n),
  foreign key (tenant_id, item_id) references item (tenant_id, id),
  foreign key (tenant_id, field_id) references field (tenant_id, id)
);
call wall('item_value');
create index item_value_text on item_value (tenant_id, field_id, text_value) where text_value is not null;
create index item_value_number on item_value (tenant_id, field_id, number_value) where number_value is not null;
create index item_value_instant on item_value (tenant_id, field_id, instant_value) where instant_value is not null;
create index item_value_date on item_value (tenant_id, field_id, date_value) where date_value is not null;
create index item_value_id on item_value (tenant_id, field_id, id_value) where id_value is not null;

create table time (
  like record including all,
  user_id      uuid not null,
  item_id      uuid,
  non_billable uuid,
  container_id uuid,
  date         date not null,
  start        timestamptz,
  "end"        timestamptz,
  minutes      integer not null,
  note         text not null default '',
  billable     integer not null default 2,
  state        integer not null default 1,
  external_id  text not null default '',
  timezone     text not null default '',
  source       integer not null default 1
);
call records('time');
alter table time add foreign key (tenant_id, item_id) references item (tenant_id, id);
alter table time add foreign key (tenant_id, non_billable) references non_billable (tenant_id, id);
alter table time add foreign key (tenant_id, user_id) references "user" (tenant_id, id);
create index time_of_user on time (tenant_id, user_id, date, created, id) where not deleted;
create index time_of_code on time (tenant_id, non_billable) where non_billable is not null;
create index time_of_item on time (tenant_id, item_id) include (minutes) where not deleted;

-- mail ----------------------------------------------------------------------------------------------------------------

create table mail_general (
  like record including all,
  signature         text not null default '',
  domain_stop_list  text[] not null default '{}',
  subject_stop_list text[] not null default '{}'
);
call records('mail_general');
-- One record a tenant, with the tenant's own id.
alter table mail_general add constraint mail_general_is_one check (id = tenant_id);

-- automation ----------------------------------------------------------------------------------------------------------

create table rule (
  like record including all,
  name             text not null,
  description      text not null default '',
  active           boolean not null default false,
  owner            integer not null default 0,
  owner_id         text not null default '',
  "trigger"        integer not null default 0,
  trigger_event    integer not null default 0,
  trigger_interval text not null default '',
  container        uuid[] not null default '{}',
  condition_group  jsonb not null default '[]',
  action_value     jsonb not null default '[]',
  action_endpoint  jsonb not null default '[]',
  "order"          integer not null default 0
);
call records('rule');

create table clock (
  like record including all,
  name            text not null,
  container       uuid[] not null default '{}',
  timezone        text not null default '',
  day_start       text not null default '',
  day_end         text not null default '',
  week_start      text not null default '',
  week_end        text not null default '',
  non_working_day text[] not null default '{}',
  tick            integer not null default 0,
  green_threshold integer not null default 0,
  amber_threshold integer not null default 0,
  red_threshold   integer not null default 0
);
call records('clock');

create table notification (
  like record including all,
  name                  text not null,
  description           text not null default '',
  active                boolean not null default false,
  container             uuid[] not null default '{}',
  "interval"            integer not null default 0,
  limiter               integer not null default 0,
  condition_group       jsonb not null default '[]',
  recipient_user_group  uuid[] not null default '{}',
  recipient_email       text[] not null default '{}',
  recipient_endpoint    text not null default '',
  recipient_slack_id    text not null default '',
  recipient_ms_teams_id text not null default ''
);
call records('notification');

-- The door: who knocks is known before the tenant is, so signing in reads these few columns across tenants, by a role
-- that can do nothing else.
grant select (tenant_id, id, name, slug, status, deleted) on tenant to gantry_door;
grant select (tenant_id, id, email, name, password, active, deleted, locked, auth_version, failures, failing_since, lockouts) on "user" to gantry_door;
grant select (tenant_id, id, prefix, digest, owner_user_id, expires_at, deleted, scopes, allowed_ips) on api_key to gantry_door;
create policy door on tenant for select to gantry_door using (true);
create policy door on "user" for select to gantry_door using (true);
create policy door on api_key for select to gantry_door using (true);

-- OAuth: sessions, grants, codes and tokens of the authorisation server, found by unguessable ids before any tenant is known.
create table oauth (
  kind       text not null,
  id         text not null,
  payload    jsonb not null,
  grant_id   text,
  user_code  text,
  uid        text,
  account_id text,
  expires_at timestamptz,
  primary key (kind, id)
);
create index oauth_of_grant on oauth (grant_id) where grant_id is not null;
create index oauth_by_user_code on oauth (user_code) where user_code is not null;
create index oauth_by_uid on oauth (uid) where uid is not null;
create index oauth_of_account on oauth (account_id) where account_id is not null;
create index oauth_expiry on oauth (expires_at);
grant select, insert, update, delete on oauth to gantry_door;

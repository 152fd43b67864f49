-- Allocations: work that is planned for users, groups and placeholders.

create table plan (
  like record including all,
  user_id       uuid,
  user_group_id uuid,
  job_role_id   uuid,
  skills        text[] not null default '{}',
  owner         integer not null default 0,
  owner_id      text not null default '',
  non_billable  uuid,
  container_id  uuid,
  "from"        date not null,
  "to"          date not null,
  unit          integer not null default 0,
  amount        numeric not null default 0,
  recurrence    text not null default '',
  tentative     boolean not null default false,
  probability   integer not null default 0,
  note          text not null default '',
  state         integer not null default 2,
  lock_dates    boolean not null default false,
  no_capacity   boolean not null default false
);
call records('plan');
alter table plan add foreign key (tenant_id, user_id) references "user" (tenant_id, id);
alter table plan add foreign key (tenant_id, user_group_id) references user_group (tenant_id, id);
alter table plan add foreign key (tenant_id, job_role_id) references job_role (tenant_id, id);
alter table plan add foreign key (tenant_id, non_billable) references non_billable (tenant_id, id);
alter table plan add foreign key (tenant_id, container_id) references container (tenant_id, id);
create index plan_until on plan (tenant_id, "to", "from") where not deleted;
create index plan_of_user on plan (tenant_id, user_id, "to") where user_id is not null and not deleted;
create index plan_of_group on plan (tenant_id, user_group_id) where user_group_id is not null;
create index plan_of_job_role on plan (tenant_id, job_role_id) where job_role_id is not null;
create index plan_of_container on plan (tenant_id, container_id) where container_id is not null;
create index plan_of_owner on plan (tenant_id, owner_id) where owner_id <> '' and not deleted;
create index plan_of_code on plan (tenant_id, non_billable) where non_billable is not null;

-- The buckets in which a user is planned beyond their capacity, so that each is told once.
create table plan_overload (
  tenant_id   uuid not null,
  user_id     uuid not null,
  bucket      text not null,
  bucket_from date not null,
  primary key (tenant_id, user_id, bucket, bucket_from),
  foreign key (tenant_id, user_id) references "user" (tenant_id, id)
);
call wall('plan_overload');

-- Jobs of one tenant that share a fate belong to a group: the calls of one hook, or all jobs of one task. The groups of a
-- tenant are served in turn, so jobs that wait for an unreachable address delay no others.
alter table errand add column job_group text not null default '';
alter table errand no force row level security;
update errand set job_group = case when task = 'hook' then 'hook ' || (payload ->> 'hookId') else task end;
alter table errand force row level security;
create index errand_by_group on errand (tenant_id, job_group, run_at);

-- A group that fails: until one of its jobs succeeds, one of them is attempted at a time, and none before `resume_at`.
create table failing_group (
  tenant_id uuid not null,
  job_group text not null,
  resume_at timestamptz not null,
  primary key (tenant_id, job_group)
);
call wall('failing_group');
create policy door on failing_group to gantry_door using (true) with check (true);
grant select, insert, update, delete on failing_group to gantry_door;

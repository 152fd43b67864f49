-- The queue has the name that the code uses for what is in it. The table `job` has the recurring ones.
alter table errand rename to queued_job;
alter index errand_pkey rename to queued_job_pkey;
alter index errand_by_time rename to queued_job_by_time;
alter index errand_by_group rename to queued_job_by_group;

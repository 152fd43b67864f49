-- The texts of files that were uploaded before their kind of text could be read. They are read little by little, so that
-- what people do meanwhile does not wait.
alter table file no force row level security;
alter table errand no force row level security;
insert into errand (tenant_id, lane, xact, id, task, payload, run_at)
select f.tenant_id, 'index-file ' || f.id, '0', f.id, 'index-file', jsonb_build_object('id', f.id),
  now() + row_number() over (partition by f.tenant_id order by f.id desc) * interval '200 milliseconds'
from file f
where f.state = 2 and not f.deleted and f.size > 0
  and (f.mime like 'text/%' or f.mime in ('application/pdf', 'application/json', 'application/xml',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document'))
  and not exists (select 1 from file_text x where x.tenant_id = f.tenant_id and x.id = f.id);
alter table errand force row level security;
alter table file force row level security;

-- Parts of the texts of custom fields are found by an index, too. The texts are folded in item_value already; its policy does not bind
-- the owner any more, whose function matches them and returns ids of the session's tenant. item_value keeps the first 500
-- characters of a text, so longer ones are always candidates.
alter table item_value no force row level security;
create index item_value_text_parts on item_value using gin (tenant_id, field_id, text_value gin_trgm_ops)
  with (gin_pending_list_limit = 512) where text_value is not null;
create index item_value_text_cut on item_value (tenant_id, field_id, item_id) where length(text_value) >= 500;

create function like_pattern(part text, at_start boolean, at_end boolean) returns text language sql immutable parallel safe as $$
  select case when at_start then '' else '%' end || regexp_replace(fold(part), '([\\%_])', '\\\1', 'g') || case when at_end then '' else '%' end $$;

create function item_value_ids(field uuid, part text, at_start boolean, at_end boolean) returns setof uuid
  language plpgsql stable security definer set search_path = public, pg_temp set plan_cache_mode = force_custom_plan set enable_seqscan = off as $$
declare
  tenant uuid := current_tenant();
  pattern text := like_pattern(part, at_start, at_end);
begin
  return query select v.item_id from item_value v
    where v.tenant_id = tenant and v.field_id = field and v.text_value is not null and v.text_value like pattern
    union all select v.item_id from item_value v where v.tenant_id = tenant and v.field_id = field and length(v.text_value) >= 500;
end $$;
revoke all on function item_value_ids from public;
grant execute on function item_value_ids to gantry_app;

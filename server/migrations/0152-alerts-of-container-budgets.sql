-- Containers took 0 % among the thresholds of their budgets, which budgets do not know: it is reached before anything is used.
alter table container no force row level security;
alter table budget no force row level security;
update container set budget = jsonb_set(budget, '{alertAt}', coalesce(
    (select jsonb_agg(a order by place) from jsonb_array_elements(budget -> 'alertAt') with ordinality t(a, place) where a <> '0'), '[]'))
where budget -> 'alertAt' @> '0';
update budget set alert_at = array_remove(alert_at, 0) where 0 = any(alert_at);
alter table container force row level security;
alter table budget force row level security;

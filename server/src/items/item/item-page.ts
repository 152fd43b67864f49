import { ownTenant, raw, type Sql, sql } from '../../kernel/sql.ts'
import type { PageValue } from '../../records/page-values.ts'
import { counts, summedMinutes } from '../../time/minutes-spent.ts'

// Derived properties of the items of a page, each read for all of them at once.

/** The custom values that are shown, by item. Whether items have a field is asked once for each container, process and field. */
export const shownFieldsOfPage: PageValue = {
  columns: ['fields', 'container_id', 'process_id'],
  none: '[]',
  select: sql`with given as materialized (
      select g.*, g.fields -> g.key as value from (select page.id, page.container_id, page.process_id, page.fields, jsonb_object_keys(page.fields) as key from page) g
    ), shown as materialized (
      select d.container_id, d.process_id, d.key, f.id, concat('{"fieldId" : "', f.id, '", "key" : ', to_json(f.key), ', "value" : ') as lead
      from (select distinct container_id, process_id, key from given) d join field f on f.tenant_id = ${ownTenant} and f.id = d.key::uuid and not f.deleted
      where exists (select 1 from ${placesOf(raw('d'))} and ${hasField(raw('f'))})
    )
    select g.id, concat('[', string_agg(concat(s.lead, g.value, '}'), ', ' order by s.id), ']') as value
    from given g join shown s on s.container_id = g.container_id and s.process_id is not distinct from g.process_id and s.key = g.key group by g.id`,
}

/** The sum of the time entries of each item. */
export const spentMinutesOfPage: PageValue = {
  columns: [],
  none: '0',
  select: sql`select s.item_id as id, ${summedMinutes} as value from time s
    where s.tenant_id = ${ownTenant} and s.item_id = any(array(select page.id from page)) and ${counts(raw('s'))} group by s.item_id`,
}

/** The container (`c`) and the process (`p`) of an item. */
export function placesOf(t: Sql): Sql {
  return sql`container c left join process p on p.tenant_id = ${ownTenant} and p.id = ${t}.process_id and not p.deleted
    where c.tenant_id = ${ownTenant} and c.id = ${t}.container_id`
}

/** Whether items of the process `p` in the container `c` have a field; without a process, all processes of the container decide, if it has any. */
export function hasField(f: Sql): Sql {
  const named = (by: Sql) =>
    sql`coalesce(p.fields || p.workflow, c.fields) @> jsonb_build_array(jsonb_build_object('fieldId', ${by}))`
  return sql`(c.process_ids = '{}' or ${named(sql`${f}.id::text`)} or ${named(sql`${f}.key`)})`
}

import { ownTenant, raw, type Sql, sql } from '../../kernel/sql.ts'
import type { PageValue } from '../../records/page-values.ts'
import { counts, summedMinutes } from '../../time/minutes-spent.ts'

// Derived properties of the items of a page, each read for all of them at once.

/** The custom values that are shown, by item. Whether a container has a field is asked once for each pair of them. */
export const shownFieldsOfPage: PageValue = {
  columns: ['fields', 'container_id'],
  none: '[]',
  select: sql`with given as materialized (
      select g.*, g.fields -> g.key as value from (select page.id, page.container_id, page.fields, jsonb_object_keys(page.fields) as key from page) g
    ), shown as materialized (
      select d.container_id, d.key, f.id, concat('{"fieldId" : "', f.id, '", "key" : ', to_json(f.key), ', "value" : ') as lead
      from (select distinct container_id, key from given) d join field f on f.tenant_id = ${ownTenant} and f.id = d.key::uuid and not f.deleted
      join container c on c.tenant_id = ${ownTenant} and c.id = d.container_id and ${containerHasField(raw('f'))}
    )
    select g.id, concat('[', string_agg(concat(s.lead, g.value, '}'), ', ' order by s.id), ']') as value
    from given g join shown s on s.container_id = g.container_id and s.key = g.key group by g.id`,
}

/** The sum of the time entries of each item. */
export const spentMinutesOfPage: PageValue = {
  columns: [],
  none: '0',
  select: sql`select s.item_id as id, ${summedMinutes} as value from time s
    where s.tenant_id = ${ownTenant} and s.item_id = any(array(select page.id from page)) and ${counts(raw('s'))} group by s.item_id`,
}

/** Whether the container `c` has this field. */
export function containerHasField(f: Sql): Sql {
  return sql`(c.process_ids = '{}' or c.fields @> jsonb_build_array(jsonb_build_object('fieldId', ${f}.id::text)) or c.fields @> jsonb_build_array(jsonb_build_object('fieldId', ${f}.key)))`
}

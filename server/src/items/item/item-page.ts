import type { Id } from '../../kernel/id.ts'
import type { PartRow } from '../../kernel/record/record-json.ts'
import { ownTenant, raw, type Sql, sql } from '../../kernel/sql.ts'
import { jsonMembers } from '../../records/page/json-members.ts'
import type { PageValue } from '../../records/page/page-values.ts'
import { type Remembered, rememberedEach } from '../../records/page/remembered-each.ts'
import { counts, summedMinutes } from '../../time/minutes-spent.ts'

// Derived properties of the items of a page, each read for all of them at once.

/** The custom values that are shown, in the order of their fields' ids, as `jsonb` has them. */
export const shownFieldsOfPage: PageValue = {
  columns: {
    fields: raw('t.fields::text'),
    container_id: raw('t.container_id'),
    process_id: raw('t.process_id'),
  },
  async read(ctx, rows) {
    const names = new Set<string>()
    for (const row of rows) if (hasValues(row)) names.add(placeOf(row))
    const places = await rememberedEach(ctx, fieldsOfPlaces, names)
    return row => {
      if (!hasValues(row)) return '[]'
      const shown = places.get(placeOf(row))
      let values = ''
      for (const [id, value] of jsonMembers(String(row.fields))) {
        const lead = shown?.get(id)
        if (lead !== undefined) values += `${values && ', '}${lead}${value}}`
      }
      return `[${values}]`
    }
  },
}

const hasValues = ({ fields }: PartRow) => fields !== '{}'
const placeOf = ({ container_id, process_id }: PartRow) => `${container_id} ${process_id ?? ''}`

/** The fields that items of a process in a container have: the beginning of a value's JSON text, by the id of the field. */
const fieldsOfPlaces: Remembered<ReadonlyMap<Id, string>> = {
  subject: 'fields of places',
  max: 500,
  async load(ctx, places) {
    const pairs = places.map(place => place.split(' '))
    const rows = await ctx.sql<{ place: string; id: Id; key: string }>`
      select d.place, f.id, f.key
      from unnest(${places}::text[], ${pairs.map(([container]) => container)}::uuid[], ${pairs.map(([, process]) => process || null)}::uuid[]) d(place, container_id, process_id)
      join field f on f.tenant_id = ${ownTenant} and not f.deleted
      where exists (select 1 from ${placesOf(raw('d'))} and ${hasField(raw('f'))})`
    const lead = ({ id, key }: { id: Id; key: string }) =>
      `{"fieldId" : "${id}", "key" : ${JSON.stringify(key)}, "value" : `
    return [...Map.groupBy(rows, row => row.place)].map(([place, fields]) => [
      place,
      new Map(fields.map(field => [field.id, lead(field)])),
    ])
  },
}

/** The sum of the time entries of each item; items without any are not in the text. */
export const spentMinutesOfPage: PageValue = {
  columns: {},
  once: sql`select json_object_agg(s.id, s.minutes)::text from (select s.item_id as id, ${summedMinutes} as minutes from time s
    where s.tenant_id = ${ownTenant} and s.item_id = any(array(select page.id from page)) and ${counts(raw('s'))} group by s.item_id) s`,
  async read(_ctx, rows) {
    const [sums = '{}'] = rows.flatMap(row => row.spentMinutes ?? [])
    const minutes: Record<Id, number> = JSON.parse(String(sums))
    return ({ id }) => String(minutes[String(id)] ?? 0)
  },
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

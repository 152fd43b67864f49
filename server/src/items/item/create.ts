import type { Context } from '../../kernel/database.ts'
import type { Changes } from '../../kernel/events.ts'
import { type Id, newId } from '../../kernel/id.ts'
import { flat, raw, type Sql, sql } from '../../kernel/sql.ts'
import { insertTimes, type Time, times } from '../../time/time.ts'
import type { Draft } from './draft.ts'
import { fieldsObject, valueRows } from './fields.ts'
import { type Item, items } from './item.ts'
import { takeNumbers } from './numbers.ts'
import { timeRow } from './times.ts'

export interface Inserted {
  id: Id
  key: string
  json: string
}

/**
 * Stores items with their custom values, their time and all their events: one statement, so all of an item or nothing
 * of it, in one round trip. An item whose external id is already there is left out of the answer and untouched.
 */
export async function insertItems(
  ctx: Context,
  drafts: readonly Draft[],
  answer: 'whole' | 'key',
): Promise<Inserted[]> {
  const { tenantId, userId, kind: actorKind } = ctx.caller
  const rows: object[] = []
  const entries: object[] = []
  const values: object[] = []
  const events: object[] = []
  for (const [containerId, group] of Map.groupBy(drafts, draft => draft.place.id)) {
    let number = await takeNumbers(ctx, containerId, group.length)
    for (const draft of group) {
      const { row, shown } = itemRow(draft, number++)
      rows.push(row)
      events.push({
        id: newId(),
        item_id: draft.id,
        record_id: draft.id,
        kind: 'item.created',
        entity: 'Item',
        changes: createdChanges(shown),
      })
      for (const row of valueRows(draft.fields)) values.push({ item_id: draft.id, ...row })
      for (const time of draft.times) {
        const id = newId()
        entries.push({ id, item_id: draft.id, container_id: containerId, ...timeRow(time) })
        events.push({
          id: newId(),
          item_id: draft.id,
          record_id: id,
          kind: 'time.created',
          entity: 'Time',
          changes: createdChanges({ ...time, itemId: draft.id }),
        })
      }
    }
  }
  return await ctx.sql<Inserted>`
    with made as (
      insert into item (tenant_id, id, created, created_by, updated, updated_by, container_id, number, key, area_id, process_id, title, description, status, status_category, priority,
        assignees, requester_id, crm_id, parent_id, start_date, due_date, estimate_minutes, remaining_minutes, points, visibility, restricted_to, closed_at, source, tags, fields, meta, external_source, external_id)
      select ${tenantId}::uuid, w.id, coalesce(w.created, ${ctx.now}), ${userId}::uuid, coalesce(w.updated, w.created, ${ctx.now}), ${userId}::uuid, w.container_id, w.number, w.key, w.area_id, w.process_id, w.title, w.description, w.status, w.status_category, w.priority,
        w.assignees, w.requester_id, w.crm_id, w.parent_id, w.start_date, w.due_date, w.estimate_minutes, w.remaining_minutes, w.points, w.visibility, w.restricted_to, w.closed_at, w.source, w.tags, w.fields, w.meta, w.external_source, w.external_id
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as w(id uuid, created timestamptz, updated timestamptz, container_id uuid, number bigint, key text, area_id uuid, process_id uuid, title text, description text, status text, status_category int, priority int,
        assignees uuid[], requester_id uuid, crm_id uuid, parent_id uuid, start_date date, due_date date, estimate_minutes int, remaining_minutes int, points numeric, visibility int, restricted_to uuid[], closed_at timestamptz, source int, tags text[], fields jsonb, meta jsonb, external_source text, external_id text)
      join container c on c.tenant_id = ${tenantId} and c.id = w.container_id and not c.deleted and not c.archived
      on conflict (tenant_id, external_source, external_id) where external_id is not null do nothing
      returning *
    ), entries as (
      ${insertTimes(sql`select ${tenantId}::uuid, e.id, ${ctx.now}::timestamptz, ${userId}::uuid, ${ctx.now}::timestamptz, ${userId}::uuid, e.user_id, e.item_id, e.non_billable, e.container_id, e.date, e.start, e."end", e.minutes, e.note, e.billable, e.external_id, e.timezone, 1
      from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as e(id uuid, item_id uuid, container_id uuid, user_id uuid, non_billable uuid, date date, start timestamptz, "end" timestamptz, minutes int, note text, billable int, external_id text, timezone text)
      join made m on m.id = e.item_id`)}
    ), typed as (
      insert into item_value (tenant_id, item_id, field_id, n, text_value, number_value, instant_value, date_value, id_value)
      select ${tenantId}::uuid, v.item_id, v.field_id, v.n, left(fold(v.text_value), 500), v.number_value, v.instant_value, v.date_value, v.id_value
      from jsonb_to_recordset(${JSON.stringify(values)}::jsonb) as v(item_id uuid, field_id uuid, n smallint, text_value text, number_value numeric, instant_value timestamptz, date_value date, id_value uuid)
      join made m on m.id = v.item_id
    ), happened as (
      insert into event (tenant_id, id, at, kind, entity, record_id, actor_id, actor_kind, change_set_id, changes)
      select ${tenantId}::uuid, e.id, ${ctx.now}::timestamptz, e.kind, e.entity, e.record_id, ${userId}::uuid, ${actorKind}, ${ctx.changeSet}::uuid, e.changes
      from jsonb_to_recordset(${JSON.stringify(events)}::jsonb) as e(id uuid, item_id uuid, record_id uuid, kind text, entity text, changes jsonb)
      join made m on m.id = e.item_id
    )
    select t.id, t.key, ${answer === 'whole' ? wholeAnswer : keyAnswer} from made t`
}

/** The item as a later read would show it, with its time; or, where many are made, nothing that nobody reads. */
const wholeAnswer: Sql = flat(
  sql`${items.json(raw('t'), undefined, {
    spentMinutes: raw('(select coalesce(sum(s.minutes), 0)::int from entries s where s.item_id = t.id)'),
    Time: sql`(select coalesce(json_agg(${times.json(raw('s'))}::json order by s.id), '[]') from entries s where s.item_id = t.id)`,
  })} as json`,
)
const keyAnswer: Sql = raw("'' as json")

/** The item as a row of its table, and as its event tells it. */
function itemRow({ id, place, values, fields, origin }: Draft, number: number) {
  const key = `${place.key}-${number}`
  const row: Record<string, unknown> = { id, number, key }
  for (const { property, column, type } of items.columns)
    if (!(column in row)) row[column] = type === 'uuid' && values[property] === '' ? null : values[property]
  row.fields = fieldsObject(fields)
  row.external_source = origin.externalSource
  row.external_id = origin.externalId
  row.created = origin.created
  row.updated = origin.updated
  const Field = fields.map(({ field, value }) => ({ fieldId: field.id, key: field.key, value: value.shown }))
  return { row, shown: { ...values, number, key, Field } }
}

/** What a new record's event tells: all that was said of it. */
function createdChanges(values: object): Changes {
  const changes: Changes = {}
  for (const [property, value] of Object.entries(values)) {
    const empty =
      value === null ||
      value === '' ||
      value === 0 ||
      value === false ||
      (Array.isArray(value) && value.length === 0) ||
      (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
    if (!empty) changes[property] = { to: value }
  }
  return changes
}

/** An item with the time on it, and what of its body was not understood. */
export type ItemAnswer = Item & { Time: Time[]; warnings: string[] }

/** The answer to a creation, as text: PostgreSQL has made all of it but the warnings. */
export function answerText({ json }: Inserted, warnings: string[]): string {
  return `${json.slice(0, -1)},"warnings":${JSON.stringify(warnings)}}`
}

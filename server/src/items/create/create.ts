import { enforceWriteRate } from '../../admin/tenant/tenant.ts'
import type { Context } from '../../kernel/context.ts'
import type { Changes } from '../../kernel/events.ts'
import { type Id, newId } from '../../kernel/id.ts'
import { NeedsTransaction } from '../../kernel/operation.ts'
import type { Refusal } from '../../kernel/refusal.ts'
import { flat, nothing, raw, sql } from '../../kernel/sql.ts'
import { withoutLongText } from '../../records/history/whole-changes.ts'
import { closesTime } from '../../time/closed/closed.ts'
import { insertTimes, type NewTime } from '../../time/entry/entry.ts'
import { summedMinutes } from '../../time/minutes-spent.ts'
import { embeddedTime, type Time } from '../../time/time.ts'
import { fieldsObject, valueRows } from '../fields/fields.ts'
import { insertValues } from '../fields/insert-values.ts'
import type { Item } from '../item/item.ts'
import { type ItemWithTimes, itemText } from '../item/item-text.ts'
import { columnNames, columnTypes, itemColumns, rowOf } from '../item-row.ts'
import { rankOfNew } from '../rank/rank-key.ts'
import { indexMade } from '../search-index.ts'
import type { ItemChange } from '../validation/item-change.ts'
import { newItemsNeedValidation, validateAll, validateEach } from '../validation/validation.ts'
import type { Draft } from './draft.ts'
import { takeNumbers } from './item-numbers.ts'

export { draftFrom } from './carried-draft.ts'
export { type Draft, draftItem } from './draft.ts'
export { isRequesterAt } from './request-form.ts'

export interface InsertedItem {
  id: Id
  key: string
  json: string
  /** Set if an intervention changed the item before the commit. */
  version?: number
}

/** Stores and validates new items atomically. */
export async function createItems(ctx: Context, drafts: readonly Draft[]): Promise<InsertedItem[]> {
  if (!(await needsValidation(ctx, drafts))) return await insertItems(ctx, drafts, 'whole')
  if (ctx.single) throw new NeedsTransaction()
  let inserted: InsertedItem[] = []
  const { accepted, warnings } = await validateAll(ctx, async () => {
    inserted = await insertItems(ctx, drafts, 'whole')
    return asItemChanges(inserted, drafts)
  })
  for (const draft of drafts) draft.warnings.push(...(warnings.get(draft.id) ?? []))
  const changed = new Map(accepted.filter(({ after }) => after.version > 1).map(({ after }) => [after.id, after]))
  return changed.size === 0 ? inserted : inserted.map(each => asChanged(each, changed.get(each.id)))
}

/** The reply with the values of the item after interventions. */
function asChanged(inserted: InsertedItem, after: Item | undefined): InsertedItem {
  if (!after) return inserted
  const json = JSON.stringify({ ...JSON.parse(inserted.json), ...after })
  return { id: after.id, key: after.key, json, version: after.version }
}

/** Stores and validates new items independently; returns the refusals. */
export async function createEach(
  ctx: Context,
  drafts: readonly Draft[],
): Promise<{ made: InsertedItem[]; refused: Map<Id, Refusal> }> {
  let made: InsertedItem[] = []
  const { warnings, refused } = await validateEach(ctx, drafts, async rows => {
    made = await insertItems(ctx, rows, 'whole')
    return asItemChanges(made, rows)
  })
  for (const draft of drafts) draft.warnings.push(...(warnings.get(draft.id) ?? []))
  return { made: made.filter(each => !refused.has(each.id)), refused }
}

export async function needsValidation(ctx: Context, drafts: readonly Draft[]): Promise<boolean> {
  if (drafts.some(({ values }) => values.cycleId !== '')) return true
  if (drafts.some(({ times }) => times.length > 0) && (await closesTime(ctx))) return true
  return await newItemsNeedValidation(
    ctx,
    drafts.map(draft => draft.place.id),
  )
}

function asItemChanges(inserted: readonly InsertedItem[], drafts: readonly Draft[]): ItemChange[] {
  const kinds = new Map(drafts.map(({ id, actorKind }) => [id, actorKind]))
  return inserted.map(({ id, json }) => {
    return { before: undefined, after: JSON.parse(json), force: false, actorKind: kinds.get(id) }
  })
}

/**
 * Stores items with their custom values, time entries and events by one statement, so an item is stored completely or
 * not at all, in one round trip. Items whose external id already exists are not changed and not returned.
 */
export async function insertItems(
  ctx: Context,
  drafts: readonly Draft[],
  answer: 'whole' | 'key',
): Promise<InsertedItem[]> {
  const { tenantId, userId } = ctx.caller
  await enforceWriteRate(ctx, drafts.length)
  const rows: object[] = []
  const entries: NewTime[] = []
  const values: object[] = []
  const events: object[] = []
  for (const [containerId, group] of Map.groupBy(drafts, draft => draft.place.id)) {
    let number = await takeNumbers(ctx, containerId, group.length)
    for (const draft of group) {
      const { row, shown } = itemRow(ctx, draft, number++)
      rows.push(row)
      const created = createdEvent(draft, withoutLongText(createdChanges(shown)))
      events.push({ ...created, kind: 'item.created', entity: 'Item', record_id: draft.id })
      for (const row of valueRows(draft.fields)) values.push({ item_id: draft.id, ...row })
      for (const time of draft.times) {
        const entry = { ...time, id: newId(), itemId: draft.id, containerId }
        entries.push(entry)
        const event = createdEvent(draft, createdChanges({ ...time, itemId: draft.id }))
        events.push({ ...event, kind: 'time.created', entity: 'Time', record_id: entry.id })
      }
    }
  }
  // The areas are locked, so that a concurrent deletion of an area sees the new items.
  const areaIds = [...new Set(drafts.map(draft => draft.values.areaId))].filter(each => each !== '')
  const held =
    areaIds.length === 0
      ? nothing
      : sql`held as materialized (select a.id from area a where a.tenant_id = ${tenantId} and a.id = any(${areaIds}::uuid[]) and not a.deleted and not a.archived order by a.id for share),`
  const inHeld = areaIds.length === 0 ? nothing : raw('where w.area_id is null or w.area_id in (select id from held)')
  const text = answer === 'whole' ? await itemText(ctx) : undefined
  // Names of labels and fields are read before the items are stored, so that no reply fails after that.
  await text?.complete(drafts.map(asSelected))
  // Without rows these parts would take the database time, too.
  const timed =
    entries.length === 0
      ? nothing
      : sql`, entries as (${insertTimes(ctx, entries, raw('join made m on m.id = e."itemId"'), raw('m.crm_id'))})`
  const typed =
    values.length === 0 ? nothing : sql`, typed as (${insertValues(values, raw('join made m on m.id = v.item_id'))})`
  // The container is locked for the same reason; its foreign key takes this lock anyway, but without looking again.
  const made = await ctx.sql<ItemWithTimes & { key: string }>`
    with ${held} made as (
      insert into item (tenant_id, id, created, created_by, updated, updated_by, ${names})
      select ${tenantId}::uuid, w.id, coalesce(w.created, ${ctx.now}), ${userId}::uuid, coalesce(w.updated, w.created, ${ctx.now}), ${userId}::uuid, ${namesInRow}
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as w(id uuid, created timestamptz, updated timestamptz, ${types})
      join container c on c.tenant_id = ${tenantId} and c.id = w.container_id and not c.deleted and not c.archived ${inHeld}
      for key share of c
      on conflict (tenant_id, external_source, external_id) where external_id is not null do nothing
      returning *
    )${timed}${typed}, happened as (
      insert into event (tenant_id, id, at, kind, entity, record_id, actor_id, actor_kind, change_set_id, changes, version)
      select ${tenantId}::uuid, e.id, ${ctx.now}::timestamptz, e.kind, e.entity, e.record_id, ${userId}::uuid, e.actor_kind, ${ctx.changeSet}::uuid, e.changes, 1
      from jsonb_to_recordset(${JSON.stringify(events)}::jsonb) as e(id uuid, item_id uuid, record_id uuid, kind text, entity text, actor_kind text, changes jsonb)
      join made m on m.id = e.item_id returning 1
    )${indexMade(values, drafts.some(isAssigned))}
    select t.key, ${text ? sql`${text.selected} from made t cross join lateral (${entries.length === 0 ? noEntries : madeEntries}) e` : raw('t.id from made t')}`
  const texts = await text?.complete(made)
  return made.map(({ id, key }, i) => ({ id, key, json: texts?.[i] ?? '' }))
}

/** An item as the statement will select it, as far as its labels and fields are concerned. */
function asSelected({ id, place, values: { labels, processId }, fields }: Draft) {
  const shown = { labels: `{${labels}}`, fields: fields.length > 0 ? '{ }' : '{}' }
  return { id, json: '', minutes: 0, times: null, ...shown, container_id: place.id, process_id: processId || null }
}

const isAssigned = ({ values }: Draft) => Array.isArray(values.assignees) && values.assignees.length > 0

// A statement does not see what it has inserted, so the entries are not read from their table.
const madeEntries =
  flat(sql`select ${summedMinutes} as minutes, string_agg(${embeddedTime}, ', ' order by s.id) as times
  from entries s where s.item_id = t.id`)

const noEntries = raw('select 0 as minutes, null::text as times')

const names = flat(columnNames(itemColumns))
const namesInRow = flat(columnNames(itemColumns, raw('w')))
const types = flat(columnTypes(itemColumns))

/** The item as a row of its table and as the content of its event. */
function itemRow(ctx: Context, { id, place, values, tags, fields, origin, actorKind }: Draft, number: number) {
  const given = { number, key: `${place.key}-${number}`, rank: rankOfNew(ctx.now, number) }
  const row = {
    ...rowOf(id, { ...values, ...given }),
    fields: fieldsObject(fields),
    external_source: origin.externalSource,
    external_id: origin.externalId,
    created: origin.created,
    updated: origin.updated,
    // Nobody is told that an imported item was overdue before it came.
    overdue_told: actorKind === 'import' && isPast(ctx, values.dueDate) ? values.dueDate : null,
  }
  const Field = fields.map(({ field, value }) => ({ fieldId: field.id, key: field.key, value: value.shown }))
  return { row, shown: { ...values, number, key: given.key, Tags: tags, Field } }
}

const isPast = ({ now }: Context, date: unknown) => typeof date === 'string' && date < now.toISOString().slice(0, 10)

const createdEvent = ({ id, actorKind }: Draft, changes: Changes) => {
  return { id: newId(), item_id: id, actor_kind: actorKind, changes }
}

/** The changes in the event of a new record: all values that are not empty. */
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

/** An item with its time entries and the warnings about its body. */
export type ItemReply = Item & { Time: Time[]; warnings: string[] }

/** The reply to a creation as text. */
export function answerText({ json }: InsertedItem, warnings: string[]): string {
  return `${json.slice(0, -1)},"warnings":${JSON.stringify(warnings)}}`
}

import { isDeepStrictEqual } from 'node:util'
import { type Caller, demand, dependsOnRow, may, mayAt, missing } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Changes } from '../../kernel/events.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { expectVersion } from '../../kernel/record/record.ts'
import { newReferences, type Reference } from '../../kernel/record/references.ts'
import { Forbidden, fault, NotFound, type Refusal, RuleBroken } from '../../kernel/refusal.ts'
import { raw, sql } from '../../kernel/sql.ts'
import { selectRecords } from '../../records/page/select-records.ts'
import { ancestorsOf } from '../../records/tree.ts'
import { archivedItem, refuseOpenArchived } from '../archive/archive.ts'
import { type ContainerPlace, containerFor } from '../container-place.ts'
import { refuseUnwritable } from '../fields/field-rights.ts'
import { type FieldSet, fieldsObject, type ReadField, readFields, valueRows } from '../fields/fields.ts'
import { refuseBackwards } from '../item/date-order.ts'
import { type Item, items, placeColumns } from '../item/item.ts'
import type { ItemPatch } from '../item-body/item-body.ts'
import { readLabels } from '../item-body/item-labels.ts'
import { categoryIn, fieldSetOf, processOf } from '../item-process/item-process.ts'
import { withFieldSpelling, withStateSpelling } from '../item-process/state-spelling.ts'
import { statusChange } from '../status.ts'
import type { ItemChangeRequest, LockedItem } from './change-request.ts'
import { type ContainerMove, containerMove } from './container-move.ts'

/** Locks the items in the order of their ids, so that two concurrent changes cannot deadlock. */
export async function lockItems(ctx: Context, wanted: readonly Id[]): Promise<Map<Id, LockedItem>> {
  if (wanted.length === 0) return new Map()
  const t = raw('t')
  const { update } = items.permissions
  const asked = dependsOnRow(ctx.caller, update) && { mayChange: mayAt(ctx.caller, update, t, placeColumns(t)) }
  const ids = wanted.filter(isId)
  // For a list PostgreSQL expects ten items, and would plan the statement anew for each single one.
  const named = ids.length === 1 ? sql`t.id = ${ids[0]}` : sql`t.id = any(${ids}::uuid[])`
  const rows = await selectRecords<{ stored: LockedItem['fields']; mayChange?: boolean }>(ctx, items, {
    from: sql`from item t
      where t.tenant_id = ${ctx.caller.tenantId} and ${named} and not t.deleted and ${items.visible(ctx.caller, t)}
      order by t.id for update of t`,
    more: { stored: raw('t.fields'), ...asked },
  })
  return new Map(
    rows.map(({ json, stored, mayChange }) => {
      const item: Item = JSON.parse(json)
      return [item.id, { item, fields: stored, mayChange }]
    }),
  )
}

/** A change that is ready to be written; `changes` is undefined if nothing changes. */
export interface ItemChangePlan {
  id: Id
  before: Item
  patch: ItemPatch
  values: Record<string, unknown>
  fields: Record<Id, unknown>
  /** The custom values that change. */
  touched: { ids: Id[]; rows: Record<string, unknown>[] }
  references: Reference[]
  arrival: ContainerMove | undefined
  changes: Changes | undefined
  force: boolean
}

/** Why the caller cannot change an item, whatever the change is. */
export function whyUnchangeable(
  caller: Caller,
  item: Pick<Item, 'id' | 'containerId' | 'areaId' | 'mergedInto'>,
  mayChange?: boolean,
): Refusal | undefined {
  const { update } = items.permissions
  if (mayChange === false) return new Forbidden('this needs the permission item.update on this Item')
  if (!mayChange && !may(caller, update, { ...item, itemId: item.id })) return new Forbidden(missing(caller, update))
  if (!item.mergedInto) return undefined
  return new RuleBroken('item-merged', 'the item was merged into another item', [], { mergedInto: item.mergedInto })
}

/** Computes the new values of one item. References are checked later, for all items in one statement. */
export async function planChange(
  ctx: Context,
  wanted: ItemChangeRequest,
  known: LockedItem | undefined,
): Promise<ItemChangePlan> {
  if (!known) throw new NotFound()
  const { item: before, fields: stored, mayChange } = known
  const { patch: given, warnings } = wanted.read
  expectVersion(before, wanted.expect)
  const refusal = whyUnchangeable(ctx.caller, before, mayChange)
  if (refusal) throw refusal
  const place = await containerFor(ctx, before.containerId)
  const arrived = await containerMove(ctx, before, given)
  const now = arrived?.place ?? place
  const processId = String(arrived?.values.processId ?? given.processId ?? before.processId)
  const process = await processOf(ctx, processId)
  const patch = withStateSpelling(process, given)
  const { Field, Time: _time, containerId: _moves, ...plain } = patch
  const carried = await readLabels(ctx, patch, { containerId: now.id, before }, warnings)
  const values = items.completed({
    ...before,
    ...plain,
    labels: carried?.map(each => each.id) ?? before.labels,
    ...statusChange(ctx.now, patch, before, status => categoryIn(process, status)),
    ...arrived?.values,
    ...(wanted.rank === undefined ? {} : { rank: wanted.rank }),
  })
  if (now.id !== before.containerId || values.areaId !== before.areaId)
    demand(ctx.caller, items.permissions.update, {
      containerId: now.id,
      areaId: String(values.areaId),
      itemId: before.id,
    })
  refuseBackwards(values)
  refuseOpenArchived(values)
  refuseElsewhere(before, String(values.processId), now)
  if (plain.parentId) await ancestorsOf(ctx, items, plain.parentId.toLowerCase(), before.id)
  const setOf = async (afresh = false) => fieldSetOf(now, await processOf(ctx, processId, afresh))
  const named = Field === null ? before.Field.map(({ fieldId }) => ({ fieldId, value: null })) : (Field ?? [])
  const read = withFieldSpelling(process, await readFields(ctx, named, { setOf, stored: before.Field }, warnings))
  const fields = fieldsAfter(stored, read)
  const isElsewhere = now.id !== before.containerId || processId !== before.processId
  if (isElsewhere) warnings.push(...outOfSight(before.Field, fields, await setOf()))
  const touched = [...new Set([...Object.keys(stored), ...Object.keys(fields)])].filter(
    fieldId => !isDeepStrictEqual(stored[fieldId], fields[fieldId]),
  )
  const changes: Changes = {}
  for (const { property } of items.columns) {
    const [from, to] = [Reflect.get(before, property), values[property]]
    if (from !== to && !isDeepStrictEqual(to, from)) changes[property] = { from, to }
  }
  if (changes.labels) changes.Tags = { from: before.Tags, to: carried?.map(each => each.name) }
  for (const id of touched) changes[`Field.${id}`] = { from: stored[id] ?? null, to: fields[id] ?? null }
  if (before.archived && values.archived && Object.keys(changes).length > 0) throw archivedItem()
  await refuseUnwritable(
    ctx,
    { place: { ...before, itemId: before.id }, itemId: before.id, values: { ...values, createdBy: before.createdBy } },
    Object.keys(changes),
  )
  return {
    id: before.id,
    before,
    patch,
    values,
    fields,
    touched: { ids: touched, rows: valueRows(read.filter(({ field }) => touched.includes(field.id))) },
    references: newReferences(items.columns, { ...values, containerId: '', labels: plain.labels ?? [] }, before),
    arrival: arrived,
    changes:
      Object.keys(changes).length > 0 ? (wanted.force ? { ...changes, forced: { to: true } } : changes) : undefined,
    force: wanted.force ?? false,
  }
}

/** Warnings for the values that an item keeps and no longer shows. */
function outOfSight(before: Item['Field'], after: Record<Id, unknown>, { has }: FieldSet): string[] {
  const kept = before.filter(({ fieldId, key }) => fieldId in after && !has({ id: fieldId, key }))
  return kept.map(({ key }) => `${key} is no field of the item any more; its value is stored but not shown`)
}

/** Replaces the values that are given, and keeps the others. */
function fieldsAfter(stored: Record<Id, unknown>, given: readonly ReadField[]): Record<Id, unknown> {
  const replaced = new Set(given.map(({ field }) => field.id))
  const kept = Object.entries(stored).filter(([fieldId]) => !replaced.has(fieldId))
  return { ...Object.fromEntries(kept), ...fieldsObject(given) }
}

/** Refuses a process that the container does not have, because it would bypass the workflow. */
function refuseElsewhere(before: Item, processId: string, { processIds }: ContainerPlace): void {
  if (processId === before.processId || processIds.length === 0 || processIds.includes(processId)) return
  throw new RuleBroken('process-not-here', 'the container does not have this process', [
    fault(['processId'], 'process-not-here', 'must be a process of the container', processId),
  ])
}

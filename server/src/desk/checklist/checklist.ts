import { archivedItem } from '../../items/archive/archive.ts'
import { whyUnchangeable } from '../../items/change/change.ts'
import { containerFor } from '../../items/container-place.ts'
import { type Item, items } from '../../items/item/item.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import type { Expect } from '../../kernel/record/record.ts'
import { unknownReferences } from '../../kernel/record/references.ts'
import { fault, RuleBroken } from '../../kernel/refusal.ts'
import { raw } from '../../kernel/sql.ts'
import { type ChecklistEntry, checklistEntries, type EntryValues } from './checklist-entry.ts'

export { type ChecklistEntry, checklistEntries } from './checklist-entry.ts'

export const maxEntries = 500

/** The entries of an item that the caller sees, in their order. */
export async function entriesOf(ctx: Context, itemId: Id): Promise<ChecklistEntry[]> {
  const t = raw('t')
  const rows = await ctx.sql<{
    json: string
  }>`select ${await checklistEntries.jsonFor(ctx, t)} as json from checklist_entry t
    where t.tenant_id = ${ctx.caller.tenantId} and t.item_id = ${itemId} and not t.deleted and ${checklistEntries.visible(ctx.caller, t)}
    order by t.sequence, t.id`
  return rows.map(({ json }): ChecklistEntry => JSON.parse(json))
}

/** The item whose checklist the caller changes: it must be one that they may change. It is locked. */
export async function itemToChange(ctx: Context, id: Id): Promise<Item> {
  const item = await items.get(ctx, id, { lock: true })
  const refusal = whyUnchangeable(ctx.caller, item)
  if (refusal) throw refusal
  await items.demand(ctx, 'update', item)
  if (item.archived) throw archivedItem()
  await containerFor(ctx, item.containerId)
  return item
}

/** Adds entries to the end of the checklist of an item, in this order. */
export async function addEntries(
  ctx: Context,
  item: Item,
  given: readonly Partial<EntryValues>[],
): Promise<ChecklistEntry[]> {
  const [known] = await ctx.sql<{ count: number; last: number }>`
    select count(*)::int as count, coalesce(max(sequence), 0) as last from checklist_entry
    where tenant_id = ${ctx.caller.tenantId} and item_id = ${item.id} and not deleted`
  const { count, last } = known ?? { count: 0, last: 0 }
  if (count + given.length > maxEntries)
    throw new RuleBroken('checklist-full', `a checklist has at most ${maxEntries} entries`)
  const made: ChecklistEntry[] = []
  for (const [n, values] of given.entries()) {
    const sequence = values.sequence ?? last + n + 1
    made.push(await checklistEntries.create(ctx, { ...values, ...checking(ctx, values), sequence, itemId: item.id }))
  }
  return made
}

/** Creates one entry, as a body asks for it. */
export async function createEntry(ctx: Context, values: Partial<EntryValues>): Promise<ChecklistEntry> {
  const id = values.itemId ?? ''
  const item = await items.find(ctx, id)
  if (!item) throw unknownReferences([{ entity: items.entity, id, path: ['itemId'] }])
  const [made] = await addEntries(ctx, await itemToChange(ctx, item.id), [values])
  if (!made) throw new Error('no entry was created')
  return made
}

/** Changes an entry. Whoever checks it is remembered with the time, until it is unchecked. */
export async function changeEntry(
  ctx: Context,
  id: Id,
  values: Partial<EntryValues>,
  more: { expect?: Expect },
): Promise<ChecklistEntry> {
  const before = await checklistEntries.get(ctx, id)
  await itemToChange(ctx, before.itemId)
  if (values.itemId !== undefined && values.itemId?.toLowerCase() !== before.itemId)
    throw new RuleBroken('entry-fixed', 'an entry stays in the checklist of its item', [
      fault(['itemId'], 'entry-fixed', 'cannot change', values.itemId),
    ])
  return await checklistEntries.update(ctx, id, { ...values, ...checking(ctx, values, before) }, more)
}

/** Who checked the entry and when, if that changes. */
function checking(
  { caller, now }: Context,
  { checked }: Partial<EntryValues>,
  before?: ChecklistEntry,
): Partial<EntryValues> {
  if (checked === undefined || (checked ?? false) === (before?.checked ?? false)) return {}
  return checked ? { checkedBy: caller.userId, checkedAt: now.toISOString() } : { checkedBy: '', checkedAt: null }
}

export async function removeEntry(ctx: Context, id: Id, more: { expect?: Expect }): Promise<ChecklistEntry> {
  await itemToChange(ctx, (await checklistEntries.get(ctx, id)).itemId)
  return await checklistEntries.remove(ctx, id, more)
}

export async function restoreEntry(ctx: Context, id: Id): Promise<ChecklistEntry> {
  const before = await checklistEntries.get(ctx, id, { deleted: true })
  await itemToChange(ctx, before.itemId)
  return await checklistEntries.restore(ctx, id)
}

/** Writes the places of the entries in this order; those that are not named follow. */
export async function reorder(ctx: Context, itemId: Id, ids: readonly Id[]): Promise<ChecklistEntry[]> {
  const item = await itemToChange(ctx, itemId)
  const entries = new Map((await entriesOf(ctx, item.id)).map(each => [each.id, each]))
  const wanted = [...new Set(ids.map(each => each.toLowerCase()))]
  const unknown = wanted.flatMap((id, n) =>
    entries.has(id) ? [] : [{ entity: checklistEntries.entity, id, path: ['ids', n] }],
  )
  if (unknown.length > 0) throw unknownReferences(unknown)
  const order = [...new Set([...wanted, ...entries.keys()])]
  for (const [n, id] of order.entries())
    if (entries.get(id)?.sequence !== n + 1) await checklistEntries.update(ctx, id, { sequence: n + 1 })
  return await entriesOf(ctx, item.id)
}

import type { ItemCopyListener } from '../../planning/copy/copy.ts'
import { entriesOf } from './checklist.ts'
import { checklistEntries } from './checklist-entry.ts'

/** Copies the checklists that the caller sees to copies of their items, where nothing is done yet. */
export const copyChecklists: ItemCopyListener = async (ctx, copies) => {
  const rows = await ctx.sql<{ id: string }>`select distinct item_id as id from checklist_entry
    where tenant_id = ${ctx.caller.tenantId} and item_id = any(${[...copies.keys()]}::uuid[]) and not deleted order by 1`
  for (const { id } of rows)
    for (const { text, sequence, assigneeId } of await entriesOf(ctx, id))
      await checklistEntries.create(ctx, { itemId: copies.get(id) ?? '', text, sequence, assigneeId })
}

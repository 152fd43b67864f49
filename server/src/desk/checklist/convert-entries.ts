import { type Item, items } from '../../items/item/item.ts'
import { readItem } from '../../items/item-body/item-body.ts'
import { createOrUpdate } from '../../items/item-operations/item-operations.ts'
import { members, narrowedTo } from '../../kernel/access.ts'
import type { Id } from '../../kernel/id.ts'
import { operation } from '../../kernel/operation.ts'
import { unknownReferences } from '../../kernel/record/references.ts'
import { reader } from '../../kernel/schema/shape.ts'
import { Part, Refs } from '../../kernel/schema/values.ts'
import { entriesOf, itemToChange, maxEntries } from './checklist.ts'
import { checklistEntries } from './checklist-entry.ts'

interface ConvertInput {
  ids?: Id[]
}

const schema = Part({ ids: { ...Refs('ChecklistEntry', maxEntries), description: 'By default all open entries.' } })

/** Makes sub-items of entries. */
export const convertEntries = operation<ConvertInput>({
  permission: narrowedTo(members, items.permissions.create),
  placed: true,
  mode: 'write',
  summary: 'Make sub-items of checklist entries',
  description:
    'Creates an item below this one for each entry, in its container, with the text as title and the same assignee, and deletes the entry; `becameId` of the entry names the item. All or none, in one change set, so that an undo brings the entries back.',
  body: {
    schema,
    read: reader<ConvertInput>(schema),
    example: { ids: ['01890000-0000-7000-8000-000000000000'] },
  },
  reply: { status: 200, schema: { type: 'array', items: items.schema }, description: 'The new items.' },
  refusals: [404, 422],
  async run(ctx, { params, body }) {
    const parent = await itemToChange(ctx, params.id ?? '')
    const entries = await entriesOf(ctx, parent.id)
    const wanted = body.ids?.map(each => each.toLowerCase())
    const unknown = (wanted ?? []).flatMap((id, n) =>
      entries.some(each => each.id === id) ? [] : [{ entity: checklistEntries.entity, id, path: ['ids', n] }],
    )
    if (unknown.length > 0) throw unknownReferences(unknown)
    const made: Item[] = []
    for (const { id, text, assigneeId } of entries.filter(each => wanted?.includes(each.id) ?? !each.checked)) {
      const assignees = assigneeId ? [assigneeId] : []
      const input = { title: text, parentId: parent.id, containerId: parent.containerId, assignees }
      const { answer } = await createOrUpdate(ctx, readItem(input, true))
      await checklistEntries.update(ctx, id, { becameId: answer.id })
      await checklistEntries.remove(ctx, id)
      made.push(await items.get(ctx, answer.id))
    }
    return { body: made }
  },
})

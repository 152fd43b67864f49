import { items } from '../../items/item/item.ts'
import { create, get, list, remove, restore, update } from '../../kernel/crud.ts'
import type { Id } from '../../kernel/id.ts'
import { operation, type Routes } from '../../kernel/operation.ts'
import { reader } from '../../kernel/schema/shape.ts'
import { Part, Refs } from '../../kernel/schema/values.ts'
import { history } from '../../records/history/history.ts'
import { changeEntry, createEntry, entriesOf, maxEntries, removeEntry, reorder, restoreEntry } from './checklist.ts'
import { checklistEntries } from './checklist-entry.ts'
import { convertEntries } from './convert-entries.ts'
import { takeMarkdown } from './take-markdown.ts'

const entriesSchema = { type: 'array', items: checklistEntries.schema }

const checklistOfItem = operation({
  permission: checklistEntries.permissions.read,
  placed: true,
  mode: 'read',
  summary: 'List the checklist of an item',
  description:
    'The entries in their order, for staff who see the item. `checklistDone` and `checklistTotal` of the item count them.',
  reply: { status: 200, schema: entriesSchema, description: 'The entries.' },
  refusals: [404],
  async run(ctx, { params }) {
    const { id } = await items.get(ctx, params.id ?? '')
    return { body: await entriesOf(ctx, id) }
  },
})

interface OrderInput {
  ids: Id[]
}

const orderSchema = Part({ ids: Refs('ChecklistEntry', maxEntries) }, ['ids'])

const order = operation<OrderInput>({
  permission: checklistEntries.permissions.update,
  placed: true,
  mode: 'write',
  summary: 'Order the checklist of an item',
  description: 'Puts the entries into the order of `ids`, in one change set. Entries that are not named come last.',
  body: {
    schema: orderSchema,
    read: reader<OrderInput>(orderSchema),
    example: { ids: ['01890000-0000-7000-8000-000000000000'] },
  },
  reply: { status: 200, schema: entriesSchema, description: 'All entries in their order.' },
  refusals: [404, 422],
  async run(ctx, { params, body }) {
    return { body: await reorder(ctx, params.id ?? '', body.ids) }
  },
})

const updateEntry = update(checklistEntries, changeEntry)

export const routes: Routes = {
  'GET /item/:id/checklist': checklistOfItem,
  'POST /item/:id/checklist/order': order,
  'POST /item/:id/checklist/markdown': takeMarkdown,
  'POST /item/:id/checklist/convert': convertEntries,
  'GET /checklist-entry': list(checklistEntries),
  'POST /checklist-entry': create(checklistEntries, createEntry),
  'PUT /checklist-entry': updateEntry,
  'GET /checklist-entry/:id': get(checklistEntries),
  'PUT /checklist-entry/:id': updateEntry,
  'PATCH /checklist-entry/:id': updateEntry,
  'DELETE /checklist-entry/:id': remove(checklistEntries, removeEntry),
  'POST /checklist-entry/:id/restore': restore(checklistEntries, restoreEntry),
  'GET /checklist-entry/:id/history': history(checklistEntries),
}

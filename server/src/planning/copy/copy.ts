import { Type } from 'typebox'
import { usableFor } from '../../containers/item-property/item-property.ts'
import { createItems, type Draft, draftFrom } from '../../items/create/create.ts'
import { withoutUnknownValues } from '../../items/fields/fields.ts'
import { type Item, items } from '../../items/item/item.ts'
import type { ItemPatch } from '../../items/item-body/item-body.ts'
import { itemReply, itemReplySchema } from '../../items/item-operations/item-operations.ts'
import { subtree } from '../../items/subtree.ts'
import { members, narrowedTo } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { idOf } from '../../kernel/crud.ts'
import type { Id } from '../../kernel/id.ts'
import { operation, type Routes } from '../../kernel/operation.ts'
import { Conflict } from '../../kernel/refusal.ts'
import { reader } from '../../kernel/schema/shape.ts'
import { Name, Part, Ref } from '../../kernel/schema/values.ts'
import { withoutUnknown } from '../../records/references/known-references.ts'

/** Copies what higher rooms keep beside items; the copies by the ids of their originals. */
export type ItemCopyListener = (ctx: Context, copies: ReadonlyMap<Id, Id>) => Promise<void>

declare module '../../kernel/context.ts' {
  interface Services {
    itemCopyListeners: readonly ItemCopyListener[]
  }
}

const inputs = {
  containerId: Ref('Container'),
  title: Name(500),
  parentId: Ref('Item'),
  children: Type.Boolean({ description: 'Whether all descendants are copied, too.' }),
}

interface CopyInput {
  containerId?: string
  title?: string
  parentId?: string
  children?: boolean
}

const schema = Part(inputs)

/** Copies the content of an item, not its history. */
const copy = operation<CopyInput>({
  permission: narrowedTo(members, items.permissions.create),
  placed: true,
  mode: 'write',
  summary: 'Copy an item',
  description:
    'Creates an open item with the same content, in the same container or another. Time entries, the conversation and the origin are not copied. Fields that are hidden from the caller are copied and stay hidden; those that the caller would see in the copy, because its process does not hide them, are left out and named in `warnings`. With `children` all descendants are copied, too.',
  body: {
    schema,
    read: reader<CopyInput>(schema),
    example: { title: 'Printer on floor 4 does not answer' },
  },
  reply: { status: 201, schema: itemReplySchema, description: 'The new item.' },
  refusals: [404, 422],
  async run(ctx, input) {
    const { children, ...patch } = input.body
    const original = await items.get(ctx, idOf(input))
    const warnings: string[] = []
    const made = await copyOf(ctx, original, { over: patch, setByCaller: Object.keys(patch), warnings })
    const copies = new Map([[original.id, made.id]])
    for (const { id, parentId } of children ? (await subtree(ctx, original.id)).slice(1) : []) {
      const child = await items.get(ctx, id)
      const into = { containerId: made.containerId, parentId: copies.get(parentId ?? '') ?? '' }
      copies.set(id, (await copyOf(ctx, child, { over: into, setByCaller: [], warnings })).id)
    }
    const { status = 201, ...reply } = await itemReply(ctx, made, warnings)
    return { ...reply, status, headers: { location: `/api/item/${made.id}` } }
  },
})

/** How a copy differs from its original, and which of these properties the caller gave. */
interface CopyOptions {
  over: ItemPatch
  setByCaller: readonly string[]
  warnings: string[]
}

export async function copyOf(ctx: Context, item: Item, options: CopyOptions): Promise<Item> {
  const [made] = await createItems(ctx, [await draftCopy(ctx, item, options)])
  if (!made) throw new Conflict('container-changed', 'the container was archived or deleted during the request')
  await copyBelongings(ctx, new Map([[item.id, made.id]]))
  return await items.get(ctx, made.id)
}

/** Copies what belongs to items, after their copies were created. */
export async function copyBelongings(ctx: Context, copies: ReadonlyMap<Id, Id>): Promise<void> {
  for (const copyMore of ctx.services.itemCopyListeners) await copyMore(ctx, copies)
}

export async function draftCopy(
  ctx: Context,
  item: Item,
  { over, setByCaller, warnings }: CopyOptions,
): Promise<Draft> {
  const containerId = over.containerId?.toLowerCase() || item.containerId
  const content = await copyableContent(ctx, item, containerId, Object.keys(over), warnings)
  return await draftFrom(ctx, item.id, { patch: { ...content, ...over, containerId }, setByCaller, warnings })
}

/** The content of an item without what the caller cannot see or what is deleted, each with a warning. */
async function copyableContent(
  ctx: Context,
  item: Item,
  containerId: Id,
  replaced: readonly string[],
  warnings: string[],
): Promise<ItemPatch> {
  const content = contentOf(item, containerId)
  const taken = Object.fromEntries(Object.entries(content).filter(([property]) => !replaced.includes(property)))
  const { record, unknown } = await withoutUnknown(ctx, items.columns, { ...taken, containerId: '' })
  const Field = await withoutUnknownValues(ctx, content.Field ?? [])
  const left = unknown.map(({ path }) => String(path[0]))
  if (Field.length < (content.Field ?? []).length) left.push('Field')
  for (const property of left) warnings.push(`${property} refers to a record that you cannot see, so it was not copied`)
  return { ...content, ...record, containerId, Field }
}

/** The content of an item as a patch; values that belong to the container only if the copy stays in it. */
function contentOf(item: Item, containerId: Id): ItemPatch {
  const patch = Object.fromEntries(usableFor('copy').map(property => [property, item[property]]))
  const elsewhere = containerId === item.containerId ? {} : { areaId: '', processId: '' }
  const Field = item.Field.map(({ fieldId, value }) => ({ fieldId, value }))
  return { ...patch, ...elsewhere, containerId, Field }
}

export const routes: Routes = { 'POST /item/:id/copy': copy }

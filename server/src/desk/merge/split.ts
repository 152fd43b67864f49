import { withSystemAuthority } from '../../identity/tenant-caller.ts'
import { createItems, draftFrom } from '../../items/create/create.ts'
import { type Item, items } from '../../items/item/item.ts'
import { linkAsRelated } from '../../items/link/link.ts'
import type { Context } from '../../kernel/context.ts'
import { appendEvents } from '../../kernel/events.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { unknownReferences } from '../../kernel/record/references.ts'
import { fault, RuleBroken } from '../../kernel/refusal.ts'
import { raw, sql } from '../../kernel/sql.ts'
import { annotations } from '../annotation/annotation.ts'
import { moveAnnotations } from '../annotation/move-annotations.ts'
import { changeFacet, tickets } from '../ticket/ticket.ts'
import { refuseMerged } from './merge-chain.ts'

interface SplitInput {
  title: string
  annotationIds?: Id[]
  containerId?: string
}

/** Moves some annotations of an item to a new item, which has the same requester and is linked to the first. */
export async function split(
  ctx: Context,
  id: Id,
  { title, annotationIds = [], containerId }: SplitInput,
  warnings: string[],
): Promise<Item> {
  const source = await items.get(ctx, id, { lock: true })
  await items.demand(ctx, 'update', source)
  await refuseMerged(ctx, source.mergedInto)
  await refuseForeignAnnotations(ctx, source, annotationIds)
  const draft = await draftFrom(ctx, source.id, {
    patch: {
      title,
      containerId: containerId || source.containerId,
      ...(containerId && containerId.toLowerCase() !== source.containerId ? {} : { areaId: source.areaId }),
      requesterId: source.requesterId,
      crmId: source.crmId,
      visibility: source.visibility,
      restrictedTo: source.restrictedTo,
      Meta: { splitFrom: source.id },
    },
    setByCaller: ['title', 'containerId'],
    warnings,
  })
  const [made] = await createItems(ctx, [draft])
  if (!made) throw new Error('a new item was not stored')
  const system = withSystemAuthority(ctx)
  const moved = await moveAnnotations(system, {
    where: sql`t.id = any(${annotationIds}::uuid[]) and t.item_id = ${source.id}`,
    to: made.id,
    mergedFrom: before => before.mergedFrom,
  })
  const facet = await tickets.find(system, source.id)
  if (facet)
    await changeFacet(system, made.id, {
      requester: facet.requester,
      cc: facet.cc,
      channel: facet.channel,
      queueGroupId: facet.queueGroupId,
      language: facet.language,
    })
  await linkAsRelated(system, source.id, made.id)
  await appendEvents(ctx, [
    {
      kind: 'item.split',
      entity: 'Item',
      recordId: source.id,
      changes: { splitOff: { to: made.id }, moved: { to: moved.length } },
    },
    {
      kind: 'item.split',
      entity: 'Item',
      recordId: made.id,
      changes: { splitFrom: { to: source.id }, moved: { to: moved.length } },
    },
  ])
  return await items.get(ctx, made.id)
}

/** Only annotations of this item that the caller sees can be split off. */
async function refuseForeignAnnotations(ctx: Context, source: Item, annotationIds: readonly Id[]): Promise<void> {
  const t = raw('t')
  const rows = await ctx.sql<{ id: Id; itemId: Id | null }>`select t.id, t.item_id as "itemId" from annotation t
    where t.tenant_id = ${ctx.caller.tenantId} and t.id = any(${annotationIds.filter(isId)}::uuid[]) and not t.deleted and ${annotations.visible(ctx.caller, t)}`
  const seen = new Map(rows.map(row => [row.id, row.itemId]))
  const unknown = [...annotationIds.entries()].filter(([, id]) => !seen.has(id.toLowerCase()))
  if (unknown.length > 0)
    throw unknownReferences(unknown.map(([i, id]) => ({ entity: 'Annotation', id, path: ['annotationIds', i] })))
  const foreign = [...annotationIds.entries()].filter(([, id]) => seen.get(id.toLowerCase()) !== source.id)
  if (foreign.length > 0)
    throw new RuleBroken(
      'said-elsewhere',
      'only annotations of the item can be split off',
      foreign.map(([i, id]) => fault(['annotationIds', i], 'said-elsewhere', 'belongs to another record', id)),
    )
}

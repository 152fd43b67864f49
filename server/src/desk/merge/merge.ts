import { withSystemAuthority } from '../../identity/tenant-caller.ts'
import { archivedItem } from '../../items/archive/archive.ts'
import { containerFor } from '../../items/container-place.ts'
import { type Item, items } from '../../items/item/item.ts'
import { lockLinks } from '../../items/link/link.ts'
import { statusCategory as statusCategories } from '../../items/status.ts'
import type { Context } from '../../kernel/context.ts'
import { appendEvents } from '../../kernel/events.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { unknownReferences } from '../../kernel/record/references.ts'
import { fault, NotFound, type Refusal, RuleBroken } from '../../kernel/refusal.ts'
import { raw } from '../../kernel/sql.ts'
import { changeFacet, tickets } from '../ticket/ticket.ts'
import { finalTarget, refuseMerged } from './merge-chain.ts'
import { type MovedRecords, moveRecords, returnRecords } from './move-records.ts'

/** The properties of the source that a merge changes, as they were before. */
type SourceBefore = Pick<Item, 'status' | 'statusCategory' | 'closedAt' | 'resolvedAt' | 'resolution'>

/** What the target received besides the moved records. */
interface AddedToTarget {
  cc: string[]
}

/**
 * Merges one item into another: the source is closed, and its annotations, time, files, watches and links move to the
 * target. Each moved record is stored, so that the merge can be undone.
 */
export async function merge(ctx: Context, sourceId: Id, into: string): Promise<Item> {
  const { source, target } = await lockBoth(ctx, sourceId, into)
  await refuseMerged(ctx, source.mergedInto)
  if (target.mergedInto)
    throw new RuleBroken(
      'target-merged',
      'the item to merge into was itself merged into another',
      [fault(['into'], 'target-merged', 'was merged into another', into)],
      { mergedInto: await finalTarget(ctx, target.mergedInto) },
    )
  if (source.archived || target.archived) throw archivedItem()
  const { status, statusCategory, closedAt, resolvedAt, resolution } = source
  const before: SourceBefore = { status, statusCategory, closedAt, resolvedAt, resolution }
  const system = withSystemAuthority(ctx)
  const parts = await moveRecords(system, source, target)
  const gained: AddedToTarget = { cc: await mergeCc(system, source, target) }
  await ctx.sql`insert into item_merge (tenant_id, source_id, target_id, at, by, before, gained)
    values (${ctx.caller.tenantId}, ${source.id}, ${target.id}, ${ctx.now}, ${ctx.caller.userId}, ${JSON.stringify(before)}::jsonb, ${JSON.stringify(gained)}::jsonb)`
  await ctx.sql`insert into item_merge_part (tenant_id, source_id, entity, record_id)
    select ${ctx.caller.tenantId}::uuid, ${source.id}::uuid, p.entity, p.id from jsonb_to_recordset(${JSON.stringify(rowsOf(parts))}::jsonb) as p(entity text, id uuid) returning 1`
  // This bypasses the change of items: a duplicate is closed whatever the workflow says, and no rules run.
  await items.update(ctx, source.id, {
    mergedInto: target.id,
    status: 'Merged',
    statusCategory: statusCategories.cancelled,
    closedAt: closedAt ?? ctx.now.toISOString(),
    resolvedAt: null,
    resolution: 'merged',
  })
  await appendMergeEvents(ctx, 'item.merged', source, target, parts)
  return await items.get(ctx, target.id)
}

/** Undoes a merge. What was added to the target since stays there. */
export async function unmerge(ctx: Context, id: Id): Promise<Item> {
  const asked = await items.get(ctx, id)
  if (!asked.mergedInto) return asked
  const { source, target } = await lockBoth(ctx, asked.id, asked.mergedInto, targetGone)
  const [known] = await ctx.sql<{ before: SourceBefore; gained: AddedToTarget }>`select before, gained from item_merge
    where tenant_id = ${ctx.caller.tenantId} and source_id = ${source.id}`
  if (!known || !source.mergedInto) return source // a concurrent request has undone it
  if (target.mergedInto)
    throw new RuleBroken('target-merged', 'the item it was merged into was merged itself; undo that first', [], {
      mergedInto: await finalTarget(ctx, target.mergedInto),
    })
  const rows = await ctx.sql<{
    entity: string
    ids: Id[]
  }>`select entity, array_agg(record_id order by record_id) as ids from item_merge_part
    where tenant_id = ${ctx.caller.tenantId} and source_id = ${source.id} group by entity order by entity`
  const parts: MovedRecords = Object.fromEntries(rows.map(({ entity, ids }) => [entity, ids]))
  const system = withSystemAuthority(ctx)
  await returnRecords(system, source, target, parts)
  await removeCc(system, target, known.gained)
  await ctx.sql`delete from item_merge_part where tenant_id = ${ctx.caller.tenantId} and source_id = ${source.id}`
  await ctx.sql`delete from item_merge where tenant_id = ${ctx.caller.tenantId} and source_id = ${source.id}`
  const after = await items.update(ctx, source.id, { mergedInto: '', ...known.before })
  await appendMergeEvents(ctx, 'item.unmerged', source, target, parts)
  return after
}

const targetGone = () =>
  new RuleBroken('target-gone', 'the item it was merged into was deleted or is not visible to you')

/**
 * Locks both items in a fixed order, so that two opposite merges do not deadlock: the second waits and then sees the
 * first.
 */
async function lockBoth(
  ctx: Context,
  sourceId: Id,
  targetId: string,
  absent = (id: string): Refusal => unknownReferences([{ entity: 'Item', id, path: ['into'] }]),
): Promise<{ source: Item; target: Item }> {
  const wanted = [sourceId, targetId].map(id => id.toLowerCase()).filter(isId)
  if (wanted[0] === wanted[1] && wanted[0])
    throw new RuleBroken('self-merge', 'an item cannot be merged into itself', [
      fault(['into'], 'self-merge', 'must be another item', targetId),
    ])
  // Links may have to move, and whoever creates links takes this lock before locking items.
  await lockLinks(ctx)
  const t = raw('t')
  const rows = await ctx.sql<{ json: string }>`select ${items.json(t)} as json from item t
    where t.tenant_id = ${ctx.caller.tenantId} and t.id = any(${wanted}::uuid[]) and not t.deleted and ${items.visible(ctx.caller, t)} order by t.id for update of t`
  const found: Item[] = rows.map(row => JSON.parse(row.json))
  const source = found.find(each => each.id === sourceId.toLowerCase())
  const target = found.find(each => each.id === targetId.toLowerCase())
  if (!source) throw new NotFound()
  await items.demand(ctx, 'update', source)
  if (!target) throw absent(targetId)
  await items.demand(ctx, 'update', target)
  for (const { containerId } of [source, target]) await containerFor(ctx, containerId)
  return { source, target }
}

/** Adds the requester and the cc addresses of the source to the cc addresses of the target. */
async function mergeCc(ctx: Context, source: Item, target: Item): Promise<string[]> {
  const [from, to] = [await tickets.find(ctx, source.id), await tickets.find(ctx, target.id)]
  if (!from) return []
  const known = new Set([...(to?.cc ?? []), to?.requester.email ?? ''].map(each => each.toLowerCase()))
  const added = [...from.cc, from.requester.email ?? ''].filter(each => each !== '' && !known.has(each.toLowerCase()))
  const fresh = [...new Set(added)]
  if (fresh.length > 0) await changeFacet(ctx, target.id, { cc: [...(to?.cc ?? []), ...fresh] })
  return fresh
}

async function removeCc(ctx: Context, target: Item, { cc }: AddedToTarget): Promise<void> {
  const facet = await tickets.find(ctx, target.id)
  if (facet && cc.length > 0) await changeFacet(ctx, target.id, { cc: facet.cc.filter(each => !cc.includes(each)) })
}

function rowsOf(parts: MovedRecords): { entity: string; id: Id }[] {
  return Object.entries(parts).flatMap(([entity, ids]) => ids.map(id => ({ entity, id })))
}

/** Writes an event for both items with the number of moved records, but not their ids, which not everybody may see. */
async function appendMergeEvents(
  ctx: Context,
  kind: string,
  source: Item,
  target: Item,
  parts: MovedRecords,
): Promise<void> {
  const count = rowsOf(parts).length
  const [of, into] =
    kind === 'item.merged' ? [{ to: source.id }, { to: target.id }] : [{ from: source.id }, { from: target.id }]
  await appendEvents(ctx, [
    { kind, entity: 'Item', recordId: source.id, changes: { mergedInto: into, moved: { to: count } } },
    { kind, entity: 'Item', recordId: target.id, changes: { merged: of, moved: { to: count } } },
  ])
}

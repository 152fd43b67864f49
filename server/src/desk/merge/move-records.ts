import { changeOwner } from '../../documents/file/file.ts'
import type { Item } from '../../items/item/item.ts'
import { relink } from '../../items/link/link.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { sql } from '../../kernel/sql.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { rebookTimes } from '../../time/time.ts'
import { isAboutItem, moveAnnotations } from '../annotation/move-annotations.ts'
import { moveWatches } from '../watch/watch.ts'

// The records that a merge moves from one item to another. The room that owns a kind moves it and returns the ids.

/** The ids of the moved records, by kind. */
export type MovedRecords = Record<string, Id[]>

/** Moves annotations, time, files, watches and links to the target. Children and locked time stay with the source. */
export async function moveRecords(ctx: Context, source: Item, target: Item): Promise<MovedRecords> {
  return {
    Annotation: await moveAnnotations(ctx, {
      where: isAboutItem(source.id),
      to: target.id,
      mergedFrom: before => before.mergedFrom || source.id,
    }),
    Time: await rebookTimes(ctx, t => sql`${t}.item_id = ${source.id}`, {
      itemId: target.id,
      containerId: target.containerId,
    }),
    File: await changeOwner(ctx, {
      where: sql`t.owner = ${ownerKind.item} and t.owner_id = ${source.id}`,
      owner: ownerKind.item,
      ownerId: target.id,
    }),
    Watch: await moveWatches(ctx, sql`t.owner_id = ${source.id}`, target.id),
    Link: await relink(ctx, sql`true`, source.id, target.id),
  }
}

/** Moves back the records that the merge moved and that are still at the target. */
export async function returnRecords(ctx: Context, source: Item, target: Item, parts: MovedRecords): Promise<void> {
  const isMoved = (entity: string) => sql`t.id = any(${parts[entity] ?? []}::uuid[])`
  await moveAnnotations(ctx, {
    where: sql`${isMoved('Annotation')} and ${isAboutItem(target.id)}`,
    to: source.id,
    mergedFrom: before => (before.mergedFrom === source.id ? '' : before.mergedFrom),
  })
  await rebookTimes(ctx, t => sql`${t}.id = any(${parts.Time ?? []}::uuid[]) and ${t}.item_id = ${target.id}`, {
    itemId: source.id,
    containerId: source.containerId,
  })
  await changeOwner(ctx, {
    where: sql`${isMoved('File')} and t.owner = ${ownerKind.item} and t.owner_id = ${target.id}`,
    owner: ownerKind.item,
    ownerId: source.id,
  })
  await moveWatches(ctx, sql`${isMoved('Watch')} and t.owner_id = ${target.id}`, source.id)
  await relink(ctx, isMoved('Link'), target.id, source.id)
}

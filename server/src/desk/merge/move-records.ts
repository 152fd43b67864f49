import { changeOwner } from '../../documents/file/file.ts'
import type { Item } from '../../items/item/item.ts'
import { relink } from '../../items/link/link.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { sql } from '../../kernel/sql.ts'
import { rebookTimes } from '../../time/time.ts'
import { isAboutItem, moveAnnotations } from '../annotation/move-annotations.ts'
import { moveWatches } from '../watch/watch.ts'

// What an item has that can be another's: each kind is moved by who owns it, and tells which of its rows went.

/** The rows that went over, by kind. */
export type MovedRecords = Record<string, Id[]>

const itemOwner = 3

/** Takes over what the one item has: words, time, files, watchers, links. Children stay, and so does locked time. */
export async function moveRecords(ctx: Context, source: Item, target: Item): Promise<MovedRecords> {
  return {
    Annotation: await moveAnnotations(ctx, {
      where: isAboutItem(source.id),
      to: target.id,
      mergedFrom: before => before.mergedFrom || source.id,
    }),
    Time: await rebookTimes(ctx, sql`t.item_id = ${source.id}`, { itemId: target.id, containerId: target.containerId }),
    File: await changeOwner(ctx, {
      where: sql`t.owner = ${itemOwner} and t.owner_id = ${source.id}`,
      owner: itemOwner,
      ownerId: target.id,
    }),
    Watch: await moveWatches(ctx, sql`t.owner_id = ${source.id}`, target.id),
    Link: await relink(ctx, sql`true`, source.id, target.id),
  }
}

/** Gives back what went over then and is still there. */
export async function returnRecords(ctx: Context, source: Item, target: Item, parts: MovedRecords): Promise<void> {
  const isMoved = (entity: string) => sql`t.id = any(${parts[entity] ?? []}::uuid[])`
  await moveAnnotations(ctx, {
    where: sql`${isMoved('Annotation')} and ${isAboutItem(target.id)}`,
    to: source.id,
    mergedFrom: before => (before.mergedFrom === source.id ? '' : before.mergedFrom),
  })
  await rebookTimes(ctx, sql`${isMoved('Time')} and t.item_id = ${target.id}`, {
    itemId: source.id,
    containerId: source.containerId,
  })
  await changeOwner(ctx, {
    where: sql`${isMoved('File')} and t.owner = ${itemOwner} and t.owner_id = ${target.id}`,
    owner: itemOwner,
    ownerId: source.id,
  })
  await moveWatches(ctx, sql`${isMoved('Watch')} and t.owner_id = ${target.id}`, source.id)
  await relink(ctx, isMoved('Link'), target.id, source.id)
}

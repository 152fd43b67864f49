import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { unknownReferences } from '../../kernel/record/references.ts'
import { raw, type Sql, sql } from '../../kernel/sql.ts'
import { lockRecords, updateRecords } from '../../records/history/rewrite.ts'
import { items } from '../item/item.ts'
import { ranksBetween } from './rank-key.ts'

/** A position in the order of items: directly before or after one of them. */
export interface RankPosition {
  side: 'before' | 'after'
  id: Id
  rank: string
  containerId: Id
}

/** The position beside another item that the caller sees; undefined if that is the item itself, which then stays. */
export async function positionBeside(
  ctx: Context,
  moved: { id: Id },
  side: RankPosition['side'],
  wanted: string,
): Promise<RankPosition | undefined> {
  const other = await items.find(ctx, wanted.toLowerCase())
  if (!other) throw unknownReferences([{ entity: items.entity, id: wanted, path: [side] }])
  const { id, rank, containerId } = other
  return id === moved.id ? undefined : { side, id, rank, containerId }
}

/**
 * The rank for a position among the items of these containers. A lock on the order of both containers lasts until the
 * transaction ends, so that no rank is used twice. If there is no room between the neighbours, the ranks of more and more
 * items around the position are redistributed until there is.
 */
export async function rankAtPosition(
  ctx: Context,
  moved: { id: Id; containerId: Id },
  position: RankPosition,
  containerIds: readonly Id[],
): Promise<string> {
  const [rank = ''] = await ranksAtPosition(ctx, [moved], position, containerIds)
  return rank
}

/** The same for several items, which follow each other there. */
export async function ranksAtPosition(
  ctx: Context,
  moved: readonly { id: Id; containerId: Id }[],
  position: RankPosition,
  containerIds: readonly Id[],
): Promise<string[]> {
  await lockOrder(ctx, [...moved.map(each => each.containerId), position.containerId])
  const pivot = await currentPosition(ctx, position)
  const ids = moved.map(each => each.id)
  for (const reach of reaches) {
    const { window, own, lowest, highest } = await surroundings(ctx, pivot, containerIds, reach, ids)
    const all = ranksBetween(lowest, highest, window.length + moved.length)
    if (!all) continue
    const ranks = all.splice(own, moved.length)
    await rerank(ctx, window, all)
    return ranks
  }
  throw new Error('the ranks of a whole container leave no room')
}

/** Shortens long ranks of a container; returns whether there were any. */
export async function shortenRanks(ctx: Context, containerId: Id): Promise<boolean> {
  await lockOrder(ctx, [containerId])
  const [long] = await ctx.sql<Neighbour>`select id, rank from item
    where tenant_id = ${ctx.caller.tenantId} and container_id = ${containerId} and not deleted and length(rank) > 32 order by rank limit 1`
  if (!long) return false
  for (const reach of reaches.slice(1)) {
    const pivot: RankPosition = { side: 'after', containerId, ...long }
    const { window, lowest, highest } = await surroundings(ctx, pivot, [containerId], reach)
    const ranks = ranksBetween(lowest, highest, window.length, 24)
    if (!ranks) continue
    await rerank(ctx, window, ranks)
    return true
  }
  return false
}

/** The numbers of items on each side whose ranks may be redistributed, tried one after another. */
const reaches = [0, 16, 256, 1_000_000]

/** Serialises changes of the order in these containers. */
async function lockOrder(ctx: Context, containerIds: readonly Id[]): Promise<void> {
  const keys = [...new Set(containerIds)].sort().map(id => `order ${ctx.caller.tenantId} ${id}`)
  for (const key of keys) await ctx.sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`
}

/** Rereads the rank, because the item may have been moved before the lock was taken. */
async function currentPosition(ctx: Context, position: RankPosition): Promise<RankPosition> {
  const [now] = await ctx.sql<{
    rank: string
  }>`select rank from item where tenant_id = ${ctx.caller.tenantId} and id = ${position.id}`
  return { ...position, rank: now?.rank ?? position.rank }
}

interface Neighbour {
  id: Id
  rank: string
}

/** The `reach` items on each side of a position, in order, and the ranks that enclose them, without the items that move. */
async function surroundings(
  ctx: Context,
  pivot: RankPosition,
  containerIds: readonly Id[],
  reach: number,
  moved: readonly Id[] = [],
) {
  const { below, above } = await around(ctx, pivot, containerIds, reach + 1, moved)
  return {
    window: [...below.slice(0, reach).reverse(), ...above.slice(0, reach)],
    /** The number of items before the position. */
    own: Math.min(below.length, reach),
    lowest: below[reach]?.rank ?? null,
    highest: above[reach]?.rank ?? null,
  }
}

/** The neighbours on both sides of a position, the nearest first. */
async function around(
  ctx: Context,
  { side, rank, id }: RankPosition,
  containerIds: readonly Id[],
  count: number,
  moved: readonly Id[],
): Promise<{ below: Neighbour[]; above: Neighbour[] }> {
  const on = async (compare: Sql, order: Sql) =>
    await ctx.sql<Neighbour>`select n.id, n.rank from unnest(${containerIds}::uuid[]) c(id) cross join lateral (
        select t.id, t.rank from item t
        where t.tenant_id = ${ctx.caller.tenantId} and t.container_id = c.id and not t.deleted and t.id <> all(${moved}::uuid[])
          and (t.rank, t.id) ${compare} (${rank}, ${id}::uuid)
        order by t.rank ${order}, t.id ${order} limit ${count}) n
      order by n.rank ${order}, n.id ${order} limit ${count}`
  return {
    below: await on(side === 'after' ? raw('<=') : raw('<'), raw('desc')),
    above: await on(side === 'after' ? raw('>') : raw('>='), raw('asc')),
  }
}

/** Writes new ranks without validation, because their order stays the same. */
async function rerank(ctx: Context, window: readonly Neighbour[], ranks: readonly string[]): Promise<void> {
  if (window.length === 0) return
  const wanted = new Map(window.map((each, i) => [each.id, ranks[i] ?? each.rank]))
  const all = await lockRecords(ctx, items, sql`t.id = any(${[...wanted.keys()]}::uuid[])`)
  await updateRecords(
    ctx,
    items,
    all.map(item => [item, { rank: wanted.get(item.id) ?? item.rank }]),
  )
}

import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { unknownReferences } from '../../kernel/record/references.ts'
import { raw, type Sql, sql } from '../../kernel/sql.ts'
import { lockRecords, updateRecords } from '../../records/rewrite.ts'
import { items } from '../item/item.ts'
import { ranksBetween } from './rank-key.ts'

/** A place in the order of items: right before or right behind one of them. */
export interface RankPosition {
  side: 'before' | 'after'
  id: Id
  rank: string
  containerId: Id
}

/** The place beside another item that the caller sees; none beside itself, where it stays as it is. */
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
 * The rank of an item that is to stand there, among the items of these containers. Until the transaction ends nobody
 * else finds a place in the containers of the two, so no two are ever given the same. Where there is no room left, some
 * that stand around move closer together or further apart, more of them until there is.
 */
export async function rankAtPosition(
  ctx: Context,
  moved: { id: Id; containerId: Id },
  position: RankPosition,
  containerIds: readonly Id[],
): Promise<string> {
  await lockOrder(ctx, [moved.containerId, position.containerId])
  const pivot = await currentPosition(ctx, position)
  for (const reach of reaches) {
    const { window, own, lowest, highest } = await surroundings(ctx, pivot, containerIds, reach, moved.id)
    const ranks = ranksBetween(lowest, highest, window.length + 1)
    if (!ranks) continue
    const [rank = ''] = ranks.splice(own, 1)
    await rerank(ctx, window, ranks)
    return rank
  }
  throw new Error('there is no room in the order of a whole container')
}

/** Shortens ranks that have grown long; tells whether there were any. */
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

/** How many on each side may have to move. */
const reaches = [0, 16, 256, 1_000_000]

/** Whoever looks for a place in the order of a container waits for whoever has found one there. */
async function lockOrder(ctx: Context, containerIds: readonly Id[]): Promise<void> {
  const keys = [...new Set(containerIds)].sort().map(id => `order ${ctx.caller.tenantId} ${id}`)
  for (const key of keys) await ctx.sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`
}

/** Somebody may have moved it before the order was held. */
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

/** So many on each side of a place, in their order, and the ranks they lie between; the one that moves counts as gone. */
async function surroundings(ctx: Context, pivot: RankPosition, containerIds: readonly Id[], reach: number, moved?: Id) {
  const { below, above } = await around(ctx, pivot, containerIds, reach + 1, moved)
  return {
    window: [...below.slice(0, reach).reverse(), ...above.slice(0, reach)],
    /** How many of them stand before the place. */
    own: Math.min(below.length, reach),
    lowest: below[reach]?.rank ?? null,
    highest: above[reach]?.rank ?? null,
  }
}

/** Who stands on both sides of a place, the nearest first. */
async function around(
  ctx: Context,
  { side, rank, id }: RankPosition,
  containerIds: readonly Id[],
  count: number,
  moved: Id = '00000000-0000-0000-0000-000000000000',
): Promise<{ below: Neighbour[]; above: Neighbour[] }> {
  const on = async (compare: Sql, order: Sql) =>
    await ctx.sql<Neighbour>`select n.id, n.rank from unnest(${containerIds}::uuid[]) c(id) cross join lateral (
        select t.id, t.rank from item t
        where t.tenant_id = ${ctx.caller.tenantId} and t.container_id = c.id and not t.deleted and t.id <> ${moved}
          and (t.rank, t.id) ${compare} (${rank}, ${id}::uuid)
        order by t.rank ${order}, t.id ${order} limit ${count}) n
      order by n.rank ${order}, n.id ${order} limit ${count}`
  return {
    below: await on(side === 'after' ? raw('<=') : raw('<'), raw('desc')),
    above: await on(side === 'after' ? raw('>') : raw('>='), raw('asc')),
  }
}

/** The items stay as they are, only their ranks are others: nothing that a law would have a say in. */
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

import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { fault, RuleBroken } from '../../kernel/refusal.ts'
import { raw } from '../../kernel/sql.ts'
import { items } from '../item/item.ts'

/** A directed edge from one item to another. */
interface LinkEdge {
  fromId: Id
  toId: Id
}

/** A shortest path from one item to another, including both; undefined if there is none. */
export function wayBetween(edges: readonly LinkEdge[], fromId: Id, toId: Id): Id[] | undefined {
  const next = Map.groupBy(edges, each => each.fromId)
  const cameFrom = new Map<Id, Id | undefined>([[fromId, undefined]])
  for (const id of cameFrom.keys()) {
    if (id === toId) return wayBack(cameFrom, id)
    for (const edge of next.get(id) ?? []) if (!cameFrom.has(edge.toId)) cameFrom.set(edge.toId, id)
  }
  return undefined
}

function wayBack(cameFrom: ReadonlyMap<Id, Id | undefined>, last: Id): Id[] {
  const way: Id[] = []
  for (let id: Id | undefined = last; id !== undefined; id = cameFrom.get(id)) way.unshift(id)
  return way
}

/**
 * Serialises the creation of acyclic links in a tenant: two concurrent transactions could close a circle together without
 * seeing each other's link. This lock must be taken before any other.
 */
export async function lockLinks(ctx: Context): Promise<void> {
  await ctx.sql`select pg_advisory_xact_lock(hashtextextended(${`links ${ctx.caller.tenantId}`}, 0))`
}

/** The path from the target of a link back to its source, if there is one. */
async function wayRound(ctx: Context, behaviour: number, { fromId, toId }: LinkEdge): Promise<Id[] | undefined> {
  const edges = await ctx.sql<LinkEdge>`with recursive reached as (
      select ${toId}::uuid as id
      union select l.to_id from link l join reached r on l.from_id = r.id
        where l.tenant_id = ${ctx.caller.tenantId} and l.behaviour = ${behaviour} and l.to_id is not null and not l.deleted)
    select l.from_id as "fromId", l.to_id as "toId" from link l join reached r on l.from_id = r.id
    where l.tenant_id = ${ctx.caller.tenantId} and l.behaviour = ${behaviour} and l.to_id is not null and not l.deleted`
  return wayBetween(edges, toId, fromId)
}

export async function closesCircle(ctx: Context, behaviour: number, edge: LinkEdge): Promise<boolean> {
  return (await wayRound(ctx, behaviour, edge)) !== undefined
}

/**
 * Refuses a link that would close a circle of links of its behaviour. Links of deleted items count, because the items can
 * be restored.
 */
export async function refuseCircle(ctx: Context, behaviour: number, edge: LinkEdge): Promise<void> {
  const { fromId, toId } = edge
  const way = await wayRound(ctx, behaviour, edge)
  if (!way) return
  const path = await keysOf(ctx, [fromId, ...way])
  throw new RuleBroken(
    'link-cycle',
    `the link would close a circle: ${path.join(' → ')}`,
    [fault(['toId'], 'link-cycle', 'leads back to fromId', toId)],
    { path },
  )
}

/** The keys of items; `restricted` for items that the caller does not see. */
async function keysOf(ctx: Context, ids: readonly Id[]): Promise<string[]> {
  const t = raw('t')
  const rows = await ctx.sql<{ id: Id; key: string }>`select t.id, t.key from item t
    where t.tenant_id = ${ctx.caller.tenantId} and t.id = any(${ids}::uuid[]) and ${items.visible(ctx.caller, t)}`
  const keys = new Map(rows.map(row => [row.id, row.key]))
  return ids.map(id => keys.get(id) ?? 'restricted')
}

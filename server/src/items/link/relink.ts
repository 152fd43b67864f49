import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { type Sql, sql } from '../../kernel/sql.ts'
import { lockRecords, updateRecords } from '../../records/history/rewrite.ts'
import { closesCircle } from './link-circles.ts'
import { type Link, links } from './link-record.ts'
import { acyclic, behaviours } from './link-type.ts'

/**
 * Moves links of one item to another and returns the moved ones. A link stays where it is if it would lead from an item
 * to itself, exist twice or close a circle. The caller must hold the lock of `lockLinks`.
 */
export async function relink(ctx: Context, where: Sql, from: Id, to: Id): Promise<Id[]> {
  const moved: Id[] = []
  for (const link of await lockRecords(ctx, links, sql`(t.from_id = ${from} or t.to_id = ${from}) and ${where}`)) {
    const edge = { fromId: link.fromId === from ? to : link.fromId, toId: link.toId === from ? to : link.toId }
    if (edge.fromId === edge.toId || (edge.toId !== '' && (await isThere(ctx, edge, link)))) continue
    await updateRecords(ctx, links, [[link, edge]])
    moved.push(link.id)
  }
  return moved
}

/** Whether the same link exists, in either direction for `relates`, or the new one would close a circle. */
async function isThere(ctx: Context, edge: { fromId: Id; toId: Id }, { id, type, behaviour }: Link): Promise<boolean> {
  const [row] =
    await ctx.sql`select 1 from link where tenant_id = ${ctx.caller.tenantId} and type = ${type} and not deleted and id <> ${id}
    and ((from_id = ${edge.fromId} and to_id = ${edge.toId}) or (${behaviour === behaviours.relates} and from_id = ${edge.toId} and to_id = ${edge.fromId}))`
  return row !== undefined || (acyclic.includes(behaviour) && (await closesCircle(ctx, behaviour, edge)))
}

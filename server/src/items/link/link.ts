import type { Context } from '../../kernel/context.ts'
import { appendEvents } from '../../kernel/events.ts'
import { type Id, isId } from '../../kernel/id.ts'
import type { Expect } from '../../kernel/record/record.ts'
import { unknownReferences } from '../../kernel/record/references.ts'
import { fault, Invalid, RuleBroken } from '../../kernel/refusal.ts'
import { raw } from '../../kernel/sql.ts'
import { changeAll } from '../change/change.ts'
import { items, visibleItems } from '../item/item.ts'
import { lockLinks, refuseCircle } from './link-circles.ts'
import { type Link, type LinkValues, links } from './link-record.ts'
import { acyclic, behaviours, type LinkType, typeCalled } from './link-type.ts'

export { lockLinks } from './link-circles.ts'
export { behaviours, hasTypeCalled } from './link-type.ts'
export type { DependentDates } from './precedence.ts'
export { relink } from './relink.ts'

/** Links two items; returns the existing link if there is one. */
export async function makeLink(ctx: Context, values: Partial<LinkValues>): Promise<{ link: Link; fresh: boolean }> {
  const wanted = links.completed(values)
  refuseUnlikely(wanted)
  const type = await typeOf(ctx, wanted.type)
  const edge = { fromId: wanted.fromId, toId: wanted.toId }
  // Locked before the items, so that two writers cannot deadlock.
  if (acyclic.includes(type.behaviour) && edge.toId !== '') await lockLinks(ctx)
  await demandEnds(ctx, edge)
  const known = edge.toId === '' ? undefined : await linkBetween(ctx, edge, type)
  if (known) return { link: await links.get(ctx, known), fresh: false }
  if (acyclic.includes(type.behaviour) && edge.toId !== '') await refuseCircle(ctx, type.behaviour, edge)
  const link = await links.create(ctx, { ...wanted, type: type.id, behaviour: type.behaviour })
  await tell(ctx, link, 'linked')
  await schedule(ctx, link)
  return { link, fresh: true }
}

function refuseUnlikely({ fromId, toId, external }: LinkValues): void {
  if (toId === '' ? !external.url : Object.keys(external).length > 0)
    throw new Invalid([fault(['toId'], 'required', 'either toId or external is required')])
  if (fromId === toId)
    throw new RuleBroken('self-link', 'an item cannot be linked with itself', [
      fault(['toId'], 'self-link', 'is the same item as fromId', toId),
    ])
}

async function typeOf(ctx: Context, called: string): Promise<LinkType> {
  const type = await typeCalled(ctx, called)
  if (!type) throw unknownReferences([{ entity: 'LinkType', id: called, path: ['type'] }])
  if (type.behaviour === behaviours.parent)
    throw new RuleBroken('use-parent', 'parent and child are linked by parentId', [
      fault(['type'], 'use-parent', 'set the parentId of the child instead', called),
    ])
  return type
}

/**
 * Both items must be visible and the first one writable. They are locked against a concurrent creation of the same
 * link.
 */
async function demandEnds(ctx: Context, { fromId, toId }: { fromId: Id; toId: Id }): Promise<void> {
  const t = raw('t')
  const rows = await ctx.sql<{ id: Id }>`select t.id from item t
    where t.tenant_id = ${ctx.caller.tenantId} and t.id = any(${[fromId, toId].filter(isId)}::uuid[]) and not t.deleted and ${visibleItems(ctx.caller, t)}
    order by t.id for no key update of t`
  const seen = new Set(rows.map(row => row.id))
  const unknown = [
    { entity: 'Item', id: fromId, path: ['fromId'] },
    ...(toId === '' ? [] : [{ entity: 'Item', id: toId, path: ['toId'] }]),
  ].filter(each => !seen.has(each.id))
  if (unknown.length > 0) throw unknownReferences(unknown)
  await items.demand(ctx, 'update', await items.get(ctx, fromId))
}

async function linkBetween(
  ctx: Context,
  { fromId, toId }: { fromId: Id; toId: Id },
  type: LinkType,
): Promise<Id | undefined> {
  const eitherWay = type.behaviour === behaviours.relates
  const [row] = await ctx.sql<{ id: Id }>`select id from link
    where tenant_id = ${ctx.caller.tenantId} and type = ${type.id} and not deleted
      and ((from_id = ${fromId} and to_id = ${toId}) or (${eitherWay} and from_id = ${toId} and to_id = ${fromId}))`
  return row?.id
}

/** Appends an event to the history of both items. */
async function tell(ctx: Context, link: Link, verb: 'linked' | 'unlinked'): Promise<void> {
  const { id, fromId, toId, type, external } = link
  const told = (recordId: Id, other: Id, direction: string) => {
    const content = { id, type, direction, ...(other === '' ? { external } : { itemId: other }) }
    const changes = { link: verb === 'linked' ? { to: content } : { from: content } }
    return { kind: `item.${verb}`, entity: 'Item', recordId, changes }
  }
  await appendEvents(ctx, [told(fromId, toId, 'out'), ...(toId === '' ? [] : [told(toId, fromId, 'in')])])
}

/** Moves the dates of the items that follow. */
async function schedule(ctx: Context, { behaviour, fromId }: Link): Promise<void> {
  if (behaviour === behaviours.precedes) await ctx.services.dependentDates.follow(ctx, [fromId], changeAll)
}

export async function changeLink(
  ctx: Context,
  id: Id,
  values: Partial<LinkValues>,
  more: { expect?: Expect },
): Promise<Link> {
  const before = await links.get(ctx, id)
  await demandEnds(ctx, before)
  const type = values.type ? (await typeCalled(ctx, values.type))?.id : before.type
  const moved = (['fromId', 'toId'] as const).filter(
    each => values[each] !== undefined && (values[each] ?? '').toLowerCase() !== before[each],
  )
  const fixed = [...moved, ...(type === before.type && values.type !== null ? [] : ['type'])]
  if (fixed.length > 0)
    throw new RuleBroken(
      'link-fixed',
      'the items and the type of a link cannot change; delete it and create another',
      fixed.map(each => fault([each], 'link-fixed', 'cannot change')),
    )
  if (values.external !== undefined) refuseUnlikely({ ...before, external: values.external ?? {} })
  const after = await links.update(ctx, id, { ...values, type: before.type }, more)
  if (after.lagDays !== before.lagDays || after.dependency !== before.dependency) await schedule(ctx, after)
  return after
}

export async function removeLink(ctx: Context, id: Id, more: { expect?: Expect }): Promise<Link> {
  const link = await links.get(ctx, id)
  await demandEnds(ctx, link)
  const gone = await links.remove(ctx, id, more)
  await tell(ctx, gone, 'unlinked')
  return gone
}

export async function restoreLink(ctx: Context, id: Id): Promise<Link> {
  const before = await links.get(ctx, id, { deleted: true })
  if (!before.deleted) return before
  if (acyclic.includes(before.behaviour) && before.toId !== '') await lockLinks(ctx)
  await demandEnds(ctx, before)
  await typeOf(ctx, before.type)
  if (acyclic.includes(before.behaviour) && before.toId !== '') await refuseCircle(ctx, before.behaviour, before)
  const link = await links.restore(ctx, id)
  await tell(ctx, link, 'linked')
  await schedule(ctx, link)
  return link
}

/** Links two items as related, if the tenant has a link type for it. */
export async function linkAsRelated(ctx: Context, fromId: Id, toId: Id): Promise<void> {
  const type = await typeCalled(ctx, '')
  if (type) await makeLink(ctx, { fromId, toId, type: type.id })
}

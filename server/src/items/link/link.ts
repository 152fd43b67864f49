import { Type } from 'typebox'
import { type Caller, everyone, members } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { create, get, history, list, remove, restore, update } from '../../kernel/crud.ts'
import { append } from '../../kernel/events.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { type Operation, operation, type Reply, type Routes } from '../../kernel/operation.ts'
import type { Expect, Stored, Values } from '../../kernel/record.ts'
import { pointsAtNothing } from '../../kernel/references.ts'
import { fault, Invalid, RuleBroken } from '../../kernel/refusal.ts'
import { resource } from '../../kernel/resource.ts'
import { held, rewrite } from '../../kernel/rewrite.ts'
import { and, or, raw, type Sql, sql } from '../../kernel/sql.ts'
import { Code, Part, Ref, Text, Url } from '../../kernel/values.ts'
import { changeAll } from '../change/change.ts'
import { items, visibleItems } from '../item/item.ts'
import { closeDuplicates } from './duplicates.ts'
import { closesCircle, refuseCircle, takeTurns } from './link-circles.ts'
import { behaviours, type LinkType, typeCalled } from './link-type.ts'
import { linksOfItem } from './links-of-item.ts'
import { pushFollowers } from './precedence.ts'

export { takeTurns } from './link-circles.ts'

const shape = {
  fromId: Ref('Item'),
  toId: Ref('Item', { description: 'The other item; empty if the link leads out of the house, to `external`.' }),
  type: Ref('LinkType', { maxLength: 60, description: 'The id or the name of a type; `relates` if none is said.' }),
  behaviour: Code({ description: 'That of the type.' }),
  note: Text(2000),
  lagDays: Type.Integer({
    minimum: -3650,
    maximum: 3650,
    description: 'Where one precedes the other: the days that lie between them.',
  }),
  external: Part({ url: Url, title: Text(300), system: Text(60), key: Text(120) }),
}

export type Link = Stored<typeof shape>
type LinkValues = Values<typeof shape>

/** What one item has to do with another, or with something elsewhere. */
export const links = resource('Link', {
  about:
    'What one item has to do with another, or with something elsewhere (`external`). Stored once, shown from both ends; seen by who sees both.',
  shape,
  required: ['fromId'],
  serverSet: ['behaviour'],
  may: { read: everyone, create: members, update: members, delete: members },
  visible: visibleLinks,
  example: {
    fromId: '01890000-0000-7000-8000-000000000000',
    toId: '01890000-0000-7000-8000-000000000001',
    type: 'blocks',
  },
})

function visibleLinks(caller: Caller, l: Sql): Sql {
  const i = raw('i')
  const seen = (id: Sql) =>
    sql`exists (select 1 from item i where i.tenant_id = ${l}.tenant_id and i.id = ${id} and not i.deleted and ${visibleItems(caller, i)})`
  return and([seen(sql`${l}.from_id`), or([sql`${l}.to_id is null`, seen(sql`${l}.to_id`)])])
}

/** These are kept free of circles. */
const acyclic: readonly number[] = [behaviours.blocks, behaviours.precedes]

/** Links two items; a link that is there already is the answer. */
export async function makeLink(ctx: Context, values: Partial<LinkValues>): Promise<{ link: Link; fresh: boolean }> {
  const wanted = links.completed(values)
  refuseUnlikely(wanted)
  const type = await typeOf(ctx, wanted.type)
  const edge = { fromId: wanted.fromId, toId: wanted.toId }
  // Before the items are held, so that nobody who holds some waits for whoever needs them.
  if (acyclic.includes(type.behaviour) && edge.toId !== '') await takeTurns(ctx)
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
    throw new Invalid([fault(['toId'], 'required', 'say where the link leads: either toId or external')])
  if (fromId === toId)
    throw new RuleBroken('self-link', 'an item is not linked with itself', [
      fault(['toId'], 'self-link', 'is the same item as fromId', toId),
    ])
}

async function typeOf(ctx: Context, called: string): Promise<LinkType> {
  const type = await typeCalled(ctx, called)
  if (!type) throw pointsAtNothing([{ entity: 'LinkType', id: called, path: ['type'] }])
  if (type.behaviour === behaviours.parent)
    throw new RuleBroken('use-parent', 'parent and child are told by parentId', [
      fault(['type'], 'use-parent', 'set the parentId of the child instead', called),
    ])
  return type
}

/** Both ends must be in sight, and the first one in reach. They are held, so that nobody makes the same link meanwhile. */
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
  if (unknown.length > 0) throw pointsAtNothing(unknown)
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

/** Both items' histories tell of it. */
async function tell(ctx: Context, link: Link, verb: 'linked' | 'unlinked'): Promise<void> {
  const { id, fromId, toId, type, external } = link
  const told = (recordId: Id, other: Id, direction: string) => {
    const content = { id, type, direction, ...(other === '' ? { external } : { itemId: other }) }
    const changes = { link: verb === 'linked' ? { to: content } : { from: content } }
    return { kind: `item.${verb}`, entity: 'Item', recordId, changes }
  }
  await append(ctx, [told(fromId, toId, 'out'), ...(toId === '' ? [] : [told(toId, fromId, 'in')])])
}

/** What follows from now on begins late enough. */
async function schedule(ctx: Context, { behaviour, fromId }: Link): Promise<void> {
  if (behaviour === behaviours.precedes) await pushFollowers(ctx, [fromId], changeAll)
}

async function changeLink(ctx: Context, id: Id, values: Partial<LinkValues>, more: { expect?: Expect }): Promise<Link> {
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
      'a link keeps its ends and its type; unlink, and link anew',
      fixed.map(each => fault([each], 'link-fixed', 'cannot change')),
    )
  if (values.external !== undefined) refuseUnlikely({ ...before, external: values.external ?? {} })
  const after = await links.update(ctx, id, { ...values, type: before.type }, more)
  if (after.lagDays > before.lagDays) await schedule(ctx, after)
  return after
}

async function removeLink(ctx: Context, id: Id, more: { expect?: Expect }): Promise<Link> {
  const link = await links.get(ctx, id)
  await demandEnds(ctx, link)
  const gone = await links.remove(ctx, id, more)
  await tell(ctx, gone, 'unlinked')
  return gone
}

async function restoreLink(ctx: Context, id: Id): Promise<Link> {
  const before = await links.get(ctx, id, { deleted: true })
  if (!before.deleted) return before
  if (acyclic.includes(before.behaviour) && before.toId !== '') await takeTurns(ctx)
  await demandEnds(ctx, before)
  await typeOf(ctx, before.type)
  if (acyclic.includes(before.behaviour) && before.toId !== '') await refuseCircle(ctx, before.behaviour, before)
  const link = await links.restore(ctx, id)
  await tell(ctx, link, 'linked')
  await schedule(ctx, link)
  return link
}

const stockUpdate = update(links, changeLink)

const updateLink: Operation = {
  ...stockUpdate,
  description: `${links.about} Its ends and its type stay; unlink, and link anew.`,
  body: { ...(stockUpdate.body as NonNullable<Operation['body']>), example: { note: 'The cable comes first.' } },
}

/**
 * Links of one item become links of another; tells which did. What would then lead from an item to itself, be there
 * twice or close a circle stays where it is. Turns must have been taken.
 */
export async function relink(ctx: Context, where: Sql, from: Id, to: Id): Promise<Id[]> {
  const moved: Id[] = []
  for (const link of await held(ctx, links, sql`(t.from_id = ${from} or t.to_id = ${from}) and ${where}`)) {
    const edge = { fromId: link.fromId === from ? to : link.fromId, toId: link.toId === from ? to : link.toId }
    if (edge.fromId === edge.toId || (edge.toId !== '' && (await isThere(ctx, edge, link)))) continue
    await rewrite(ctx, links, [[link, edge]])
    moved.push(link.id)
  }
  return moved
}

/** Whether the same link is there already, or one that leads the other way round. */
async function isThere(ctx: Context, edge: { fromId: Id; toId: Id }, { id, type, behaviour }: Link): Promise<boolean> {
  const [row] =
    await ctx.sql`select 1 from link where tenant_id = ${ctx.caller.tenantId} and type = ${type} and not deleted and id <> ${id}
    and ((from_id = ${edge.fromId} and to_id = ${edge.toId}) or (${behaviour === behaviours.relates} and from_id = ${edge.toId} and to_id = ${edge.fromId}))`
  return row !== undefined || (acyclic.includes(behaviour) && (await closesCircle(ctx, behaviour, edge)))
}

const stockCreate = create(links)

const createLink = operation<Partial<LinkValues>>({
  ...stockCreate,
  summary: 'Link two items',
  description: `${links.about} One that is there already is answered with 200. Items that block or precede each other never form a circle (422 \`link-cycle\` with the \`path\`). What follows another item is moved to begin late enough.`,
  body: { ...(stockCreate.body as NonNullable<Operation['body']>), read: links.readCreate },
  also: { 200: 'The link was there already.' },
  async run(ctx, { body, path }): Promise<Reply> {
    const { link, fresh } = await makeLink(ctx, body)
    return {
      status: fresh ? 201 : 200,
      body: link,
      version: link.version,
      headers: { location: `${path}/${link.id}` },
    }
  },
})

/** Whether somebody may is known with the items at hand. */
const anywhere = (own: Operation): Operation => ({ ...own, placed: true })

export const routes: Routes = {
  'GET /link': anywhere(list(links)),
  'POST /link': anywhere(createLink),
  'PUT /link': anywhere(updateLink),
  'GET /link/:id': anywhere(get(links)),
  'PUT /link/:id': anywhere(updateLink),
  'PATCH /link/:id': anywhere(updateLink),
  'DELETE /link/:id': anywhere(remove(links, removeLink)),
  'POST /link/:id/restore': anywhere(restore(links, restoreLink)),
  'GET /link/:id/history': anywhere(history(links)),
  'GET /item/:id/links': linksOfItem,
  'POST /item/:id/close-duplicates': closeDuplicates,
}

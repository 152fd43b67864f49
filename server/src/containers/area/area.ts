import { Type } from 'typebox'
import { seesEverything, visibleContainers } from '../../identity/visibility.ts'
import { type Caller, everyone, managers, superAdmins } from '../../kernel/access.ts'
import type { Place } from '../../kernel/access-rule.ts'
import type { Context } from '../../kernel/context.ts'
import { check, create, get, list, remove, restore, update } from '../../kernel/crud.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { readListing } from '../../kernel/list/listing.ts'
import { readPage } from '../../kernel/list/page.ts'
import type { Input, Operation, Reply, Routes } from '../../kernel/operation.ts'
import type { Expect, Finding, Stored, Values } from '../../kernel/record/record.ts'
import { fault, RuleBroken } from '../../kernel/refusal.ts'
import { resource } from '../../kernel/resource.ts'
import { Integer, LongText, Name, Ref, Text } from '../../kernel/schema/values.ts'
import { or, raw, type Sql, sql } from '../../kernel/sql.ts'
import { Code } from '../../records/code-table.ts'
import { history } from '../../records/history/history.ts'
import { ownerKind, ownerKinds, owners, refuseUnknownOwner } from '../../records/references/owner.ts'
import { ancestorsOf } from '../../records/tree.ts'
import { moveItems } from './area-items.ts'
import { nested } from './area-tree.ts'

const shape = {
  name: Name(200),
  description: LongText(10_000),
  owner: Code(owners),
  ownerId: Text(100),
  parentId: Ref('Area'),
  archived: Type.Boolean(),
  sequence: Integer(),
  leadUserId: Ref('User'),
  defaultAssignee: Ref('User', {
    description: 'The assignee of new items in this area, and in the areas below it, for which the request names none.',
  }),
  clockId: Ref('Clock'),
  color: Text(30),
  path: Type.String({
    description: 'The names of the areas above this one, starting at the root: `Europe / Germany`.',
  }),
}

export type Area = Stored<typeof shape>
type AreaValues = Values<typeof shape>

/** A part of a product, a location or a section; areas can be nested. */
export const areas = resource('Area', {
  about: 'A part of its owner: a component of a product, a location or a section. The areas of one owner form trees.',
  shape,
  serverSet: ['path'],
  may: { read: everyone, create: managers, update: managers, delete: superAdmins },
  place: placeOf,
  visible: whatIsSeen,
  check: checkArea,
  findings: ({ owner }) => inertOwner(owner),
  order: 'path,sequence,name',
  // A role on an area also applies to the areas below it.
  remembered: true,
})

/** The place whose roles decide; a new area has no roles of its own yet, so those of its parent count. */
function placeOf({ owner, ownerId, parentId, id }: AreaValues & { id?: Id }): Place {
  return { containerId: owner === ownerKind.container ? ownerId : null, areaId: id ?? (parentId || null) }
}

/** Areas of a container are visible to callers who see the container or have a role on the area. */
function whatIsSeen(caller: Caller, a: Sql): Sql {
  if (seesEverything(caller.authority)) return raw('true')
  const containerId = sql`(case when ${a}.owner = ${ownerKind.container} then ${a}.owner_id::uuid end)`
  return or([
    sql`${a}.owner <> ${ownerKind.container}`,
    visibleContainers(caller, containerId),
    sql`${a}.id = any(${[...caller.authority.places.area.keys()]}::uuid[])`,
  ])
}

function inertOwner(owner: number): Finding[] {
  return ownerKinds[owner] ? [] : [{ path: '/owner', code: 'unknown-code', message: `${owner} is not a known code` }]
}

async function checkArea(ctx: Context, area: AreaValues, before: Area | undefined): Promise<void> {
  await refuseUnknownOwner(ctx, area, before)
  if (before && !sameOwner(before, area)) await refuseWhileUsed(ctx, area, before.id)
  const stays = before && before.parentId === area.parentId && sameOwner(before, area)
  if (area.parentId === '' || stays) return
  await ancestorsOf(ctx, areas, area.parentId, before?.id)
  const parent = await areas.find(ctx, area.parentId)
  if (parent && !sameOwner(parent, area)) {
    const message = 'an area and its parent must belong to the same owner'
    throw new RuleBroken('other-owner', message, [
      fault(['parentId'], 'other-owner', 'belongs to another owner', area.parentId),
    ])
  }
}

/**
 * Refuses a new owner while items of other containers are in the area: an item may only be in an area of its container
 * or of the tenant.
 */
async function refuseWhileUsed(ctx: Context, { owner, ownerId }: AreaValues, id: Id): Promise<void> {
  if (owner === ownerKind.tenant) return
  const [used] = await ctx.sql`select 1 from item where tenant_id = ${ctx.caller.tenantId} and area_id = ${id}
    and (${owner}::int <> ${ownerKind.container} or container_id::text <> ${ownerId}) limit 1`
  if (used)
    throw new RuleBroken('area-in-use', 'items of another container are in this area', [
      fault(['ownerId'], 'area-in-use', 'items of another container are in this area', ownerId),
    ])
}

/** Areas of the tenant have its id or an empty id as owner id; both mean the same. */
function sameOwner(a: AreaValues, b: AreaValues): boolean {
  return a.owner === b.owner && (a.owner === ownerKind.tenant || a.ownerId === b.ownerId)
}

async function createArea(ctx: Context, values: Partial<AreaValues>): Promise<Area> {
  return await areas.create(ctx, { ...tidied(values), path: await pathBelow(ctx, values.parentId ?? '') })
}

async function changeArea(ctx: Context, id: Id, values: Partial<AreaValues>, more: { expect?: Expect }): Promise<Area> {
  const before = await areas.get(ctx, id, { lock: true })
  const parentId = values.parentId === undefined ? before.parentId : (values.parentId ?? '')
  const after = await areas.update(ctx, id, { ...tidied(values), path: await pathBelow(ctx, parentId) }, more)
  await carryDown(ctx, before, after)
  return after
}

/** Owner ids are compared as text, so they are stored in lower case. */
function tidied(values: Partial<AreaValues>): Partial<AreaValues> {
  return values.ownerId ? { ...values, ownerId: values.ownerId.toLowerCase() } : values
}

/** The path of the children of an area. The row is locked, so that it cannot be renamed before they are stored. */
async function pathBelow(ctx: Context, parentId: Id): Promise<string> {
  if (!isId(parentId)) return ''
  const [parent] = await ctx.sql<{ path: string; name: string }>`select path, name from area
    where tenant_id = ${ctx.caller.tenantId} and id = ${parentId} and not deleted for share`
  return [parent?.path, parent?.name].filter(Boolean).join(' / ')
}

async function childrenOf(ctx: Context, id: Id): Promise<Id[]> {
  const rows = await ctx.sql<{ id: Id }>`select id from area
    where tenant_id = ${ctx.caller.tenantId} and parent_id = ${id} and not deleted order by id`
  return rows.map(row => row.id)
}

/** Updates the owner and the path of all areas below a changed one. */
async function carryDown(ctx: Context, before: Area, after: Area): Promise<void> {
  if (before.path === after.path && before.name === after.name && sameOwner(before, after)) return
  const { owner, ownerId } = after
  for (const id of await childrenOf(ctx, after.id)) {
    const child = await areas.get(ctx, id, { lock: true })
    const carried = await areas.update(ctx, id, { owner, ownerId, path: await pathBelow(ctx, after.id) })
    await carryDown(ctx, child, carried)
  }
}

/**
 * Deletes an area and moves its children and items up to its parent; with `cascade` the whole subtree is archived
 * instead.
 */
async function removeArea(ctx: Context, id: Id, more: { expect?: Expect }, { query }: Input): Promise<Area> {
  const area = await areas.get(ctx, id, { lock: true })
  if (query.cascade === 'true') return await archive(ctx, id, more)
  for (const childId of await childrenOf(ctx, area.id)) {
    const child = await areas.get(ctx, childId, { lock: true })
    await carryDown(ctx, child, await areas.update(ctx, childId, { parentId: area.parentId, path: area.path }))
  }
  await moveItems(ctx, area.id, area.parentId)
  return await areas.remove(ctx, id, more)
}

async function archive(ctx: Context, id: Id, more: { expect?: Expect } = {}): Promise<Area> {
  const archived = await areas.update(ctx, id, { archived: true }, more)
  for (const child of await childrenOf(ctx, archived.id)) await archive(ctx, child)
  return archived
}

/** Restores an area, as a root if its parent was deleted in the meantime. */
async function restoreArea(ctx: Context, id: Id): Promise<Area> {
  const area = await areas.restore(ctx, id)
  const parent = area.parentId === '' ? undefined : await areas.find(ctx, area.parentId)
  const parentId = parent && sameOwner(parent, area) ? parent.id : ''
  return await areas.update(ctx, id, { parentId, path: await pathBelow(ctx, parentId) })
}

/** An upper limit that no tree which people browse reaches. */
const maxInTree = 100_000

const stock = list(areas)

/** `?tree=true` returns all areas at once, nested below their parents; without it the list is an ordinary one. */
const listAreas: Operation = {
  ...stock,
  query: {
    ...stock.query,
    tree: {
      type: 'string',
      enum: ['true', 'false'],
      description: 'Returns all areas as trees: each area contains the areas below it in `children`.',
    },
  },
  async run(ctx, input) {
    const { tree, ...query } = input.query
    return tree === 'true' ? await answerTree(ctx, query) : await stock.run(ctx, { ...input, query })
  },
}

async function answerTree(ctx: Context, query: Record<string, unknown>): Promise<Reply> {
  const listing = { ...(await readListing(ctx, areas, query)), only: undefined }
  const { text } = await readPage(ctx, listing, maxInTree, undefined)
  const all: Area[] = JSON.parse(`[${text}]`)
  return { body: nested(all.map(area => ({ ...area, check: inertOwner(area.owner) }))) }
}

const stockRemoval = remove(areas, removeArea)

const removal: Operation = {
  ...stockRemoval,
  description: `${areas.about} The areas below it and its items move to its parent. The record can be restored for 30 days.`,
  query: {
    cascade: {
      type: 'string',
      enum: ['true', 'false'],
      description: 'Archives the area and all areas below it instead of deleting it.',
    },
  },
}

export const routes: Routes = {
  'GET /area': listAreas,
  'POST /area': create(areas, createArea),
  'PUT /area': update(areas, changeArea),
  'GET /area/:id': get(areas),
  'PUT /area/:id': update(areas, changeArea),
  'PATCH /area/:id': update(areas, changeArea),
  'DELETE /area/:id': removal,
  'POST /area/:id/restore': restore(areas, restoreArea),
  'GET /area/:id/history': history(areas),
  'GET /area/:id/check': check(areas),
}

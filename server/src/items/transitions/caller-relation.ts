import type { PseudoGroup, Relation, States } from '../../containers/workflow/workflow.ts'
import { type Caller, type Role, staff } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { keysOf } from '../../records/references/keys-of.ts'
import { ownerKind } from '../../records/references/owner.ts'
import type { Item } from '../item/item.ts'
import type { ItemProcess } from '../item-process/item-process.ts'

/** The relation of the caller to an item before the change, so that nobody gets a transition by assigning themselves. */
export function relationOf({ userId, authority }: Caller, item: Item, watched: ReadonlySet<Id>): Relation {
  const held = [
    authority.tenant,
    authority.places.container.get(item.containerId) ?? new Set<Role>(),
    authority.places.area.get(item.areaId) ?? new Set<Role>(),
  ]
  const holds = (roles: readonly Role[]) => roles.some(role => held.some(each => each.has(role)))
  const all: Record<PseudoGroup, boolean> = {
    '@author': item.createdBy === userId,
    '@assignee': item.assignees.includes(userId),
    '@requester': item.requesterId === userId,
    '@watcher': watched.has(item.id),
    '@everyone': true,
    '@staff': authority.superAdmin || holds(staff),
    '@requesters': holds(['requester']),
    '@superAdmins': authority.superAdmin,
  }
  return { groups: authority.groups, is: new Set(keysOf(all).filter(name => all[name])) }
}

/** The items that the caller watches; empty if no transition of the process depends on it. */
export async function watchedBy(ctx: Context, process: ItemProcess, itemIds: readonly Id[]): Promise<ReadonlySet<Id>> {
  const asks = (states: States) =>
    [...states.values()].some(({ edges }) => edges.some(({ userGroup }) => userGroup.includes('@watcher')))
  if (itemIds.length === 0 || ![...process.states.values()].some(asks)) return new Set()
  const { tenantId, userId, authority } = ctx.caller
  const rows = await ctx.sql<{ id: Id }>`select distinct w.owner_id as id from watch w
    where w.tenant_id = ${tenantId} and w.owner = ${ownerKind.item} and w.owner_id = any(${itemIds}::text[]) and not w.deleted
      and (w.user_id = ${userId} or w.user_group_id = any(${authority.groups}::uuid[]))`
  return new Set(rows.map(row => row.id))
}

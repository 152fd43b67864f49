import { type Caller, type FieldLimit, type Role, staff } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { and, join, or, ownTenant, raw, type Sql, sql } from '../../kernel/sql.ts'
import { ownerKind } from '../../records/references/owner.ts'
import type {} from '../visibility.ts'

// A process hides fields of its items from groups (`hiddenFor`) or lets them only read (`readOnlyFor`). The groups that a user is in
// are known with the authority; the pseudo-groups that depend on the item are a condition on its row.

declare module '../../kernel/access.ts' {
  interface FieldLimit {
    readonly processId: Id
    /** The names of the field, in lower case: a custom field by id and key, with the fields that are computed from it. */
    readonly names: ReadonlySet<string>
    /** Whether the field is hidden; otherwise it cannot be written. */
    readonly hides: boolean
    /** Whether it binds the user on every item of the process. */
    readonly always: boolean
    /** The pseudo-groups of an item whose members it binds. */
    readonly relations: readonly string[]
  }
}

/** The condition that a limit binds the caller on item `t`. */
export function bindsOn(caller: Caller, { processId, always, relations }: FieldLimit, t: Sql): Sql {
  const related = always ? raw('true') : or(relations.map(each => relationTo(caller, each, t)))
  return and([sql`${t}.process_id = ${processId}::uuid`, related])
}

/** The pseudo-groups whose members depend on the item. */
export const itemRelations = ['@author', '@assignee', '@requester', '@watcher', '@staff', '@requesters']

function relationTo(caller: Caller, relation: string, t: Sql): Sql {
  const { userId, authority } = caller
  switch (relation) {
    case '@author':
      return sql`${t}.created_by = ${userId}`
    case '@assignee':
      return sql`${userId}::uuid = any(${t}.assignees)`
    case '@requester':
      return sql`${t}.requester_id = ${userId}`
    case '@watcher':
      return sql`exists (select 1 from watch w where w.tenant_id = ${ownTenant} and w.owner = ${ownerKind.item} and w.owner_id = ${t}.id::text
        and not w.deleted and (w.user_id = ${userId} or w.user_group_id = any(${authority.groups}::uuid[])))`
    case '@staff':
      return heldAt(caller, staff, t)
    case '@requesters':
      return heldAt(caller, ['requester'], t)
    default:
      return raw('false')
  }
}

/** Whether the caller has one of the roles in the container or the area of item `t`. */
function heldAt({ authority: { places } }: Caller, roles: readonly Role[], t: Sql): Sql {
  const ids = (held: ReadonlyMap<Id, ReadonlySet<Role>>) =>
    [...held].filter(([, own]) => roles.some(role => own.has(role))).map(([id]) => id)
  return or([
    sql`${t}.container_id = any(${ids(places.container)}::uuid[])`,
    sql`${t}.area_id = any(${ids(places.area)}::uuid[])`,
  ])
}

/** The limits that bind the caller on one item. */
export type BindingLimits = readonly FieldLimit[]

/** Returns the limits that bind the caller on stored items, by their ids. */
export async function limitsOnItems(ctx: Context, ids: readonly unknown[]): Promise<Map<Id, BindingLimits>> {
  const known = [...new Set(ids)].filter((id): id is Id => typeof id === 'string' && isId(id))
  if (ctx.caller.authority.fieldLimits.length === 0 || known.length === 0) return new Map()
  return await limitsOn(ctx, sql`item t where t.tenant_id = ${ctx.caller.tenantId} and t.id = any(${known}::uuid[])`)
}

/** Returns the limits that would bind the caller on an item with these values. */
export async function limitsOnValues(ctx: Context, values: Readonly<Record<string, unknown>>): Promise<BindingLimits> {
  if (ctx.caller.authority.fieldLimits.length === 0) return []
  const { id, createdBy, processId, containerId, areaId, requesterId, assignees } = values
  const row = {
    ...{ tenant_id: ctx.caller.tenantId, id: id || null, created_by: createdBy || ctx.caller.userId },
    ...{ process_id: processId || null, container_id: containerId || null, area_id: areaId || null },
    ...{ requester_id: requesterId || null, assignees: assignees ?? [] },
  }
  const [binding = []] = (
    await limitsOn(ctx, sql`jsonb_populate_record(null::item, ${JSON.stringify(row)}::jsonb) t`)
  ).values()
  return binding
}

async function limitsOn(ctx: Context, from: Sql): Promise<Map<Id, BindingLimits>> {
  const { fieldLimits } = ctx.caller.authority
  const each = fieldLimits.map(limit => sql`coalesce(${bindsOn(ctx.caller, limit, raw('t'))}, false)`)
  const rows = await ctx.sql<{ id: Id; binds: boolean[] }>`select t.id, array[${join(each)}] as binds from ${from}`
  return new Map(rows.map(({ id, binds }) => [id, fieldLimits.filter((_, i) => binds[i])]))
}

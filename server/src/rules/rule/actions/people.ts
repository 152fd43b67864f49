import { recipientsOf } from '../../../desk/watch/watch.ts'
import type { Context } from '../../../kernel/context.ts'
import { type Id, isId } from '../../../kernel/id.ts'
import type { ActionContext } from './action-context.ts'

/** Splits the texts of a value at commas, semicolons and white space. */
export const wordsIn = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value])
    .filter(each => typeof each === 'string')
    .flatMap(each => each.split(/[,;\s]+/))
    .filter(Boolean)

export const isAddress = (word: string): boolean => word.includes('@') && !word.startsWith('@') && !word.includes('{')

/** Returns the active users that a value names: by id, by group, or as `@requester`, `@assignee`, `@author`, `@actor`, `@watcher`. */
export async function usersOf(work: ActionContext, value: unknown): Promise<Id[]> {
  const { ctx, occurrence } = work
  const item = await work.item()
  const named = new Set<Id>()
  for (const word of wordsIn(await work.render(value))) {
    const lower = word.toLowerCase()
    if (isId(lower)) named.add(lower)
    else if (lower === '@actor') named.add(occurrence.actorId)
    else if (item && /^@requesters?$/.test(lower)) named.add(item.requesterId || item.createdBy)
    else if (item && /^@assignees?$/.test(lower)) for (const each of item.assignees) named.add(each)
    else if (item && lower === '@author') named.add(item.createdBy)
    else if (item && /^@watchers?$/.test(lower))
      for (const { userId } of await recipientsOf(ctx, [item.id], {
        kind: occurrence.kind,
        changes: occurrence.changes,
      }))
        if (userId) named.add(userId)
  }
  return await activeAmong(ctx, [...named])
}

/** Returns the active users among the ids, and the active members of the groups among them and of their subgroups. */
export async function activeAmong(ctx: Context, named: readonly Id[]): Promise<Id[]> {
  const rows = await ctx.sql<{ id: Id }>`
    with recursive inside as (
      select g.id, g.members from user_group g where g.tenant_id = ${ctx.caller.tenantId} and g.id = any(${named}::uuid[]) and not g.deleted
      union select g.id, g.members from user_group g join inside on g.parent_id = inside.id where g.tenant_id = ${ctx.caller.tenantId} and not g.deleted)
    select u.id from "user" u where u.tenant_id = ${ctx.caller.tenantId} and not u.deleted and u.active
      and (u.id = any(${named}::uuid[]) or u.id in (select unnest(members) from inside)) order by u.id`
  return rows.map(row => row.id)
}

/** Returns the groups among the ids in a value. */
export async function groupsNamed({ ctx, render }: ActionContext, value: unknown): Promise<Id[]> {
  const ids = wordsIn(await render(value)).filter(isId)
  const rows = await ctx.sql<{
    id: Id
  }>`select id from user_group where tenant_id = ${ctx.caller.tenantId} and id = any(${ids}::uuid[]) and not deleted`
  return rows.map(row => row.id)
}

/** Returns the mail addresses in a value, and those of the users that it names. */
export async function addressesOf(work: ActionContext, value: unknown): Promise<string[]> {
  const given = wordsIn(await work.render(value)).filter(isAddress)
  const people = await usersOf(work, value)
  const { ctx } = work
  const rows = await ctx.sql<{
    email: string
  }>`select email from "user" where tenant_id = ${ctx.caller.tenantId} and id = any(${people}::uuid[]) and email <> '' order by id`
  return [...new Set([...given, ...rows.map(row => row.email)])]
}

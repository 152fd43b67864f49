import { users } from '../../admin/user/user.ts'
import { userAccessOf } from '../../identity/authority.ts'
import type { Caller } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { raw } from '../../kernel/sql.ts'
import { type Annotation, visibleAnnotations } from './annotation.ts'

/**
 * Parses the mentions in a text: `@[id]`, `@[Full Name]`, `@name`. An address such as `bob@example.com` is no mention.
 */
export function parseMentions(body: string): { ids: Id[]; names: string[] } {
  const found = new Set<string>()
  for (const [, bracketed, word] of body.matchAll(
    /(?<![\p{L}\p{N}._%+-])@(?:\[([^\]\n]{1,200})\]|([\p{L}\p{N}][\p{L}\p{N}._-]{0,99}))/gu,
  )) {
    // A full stop after a name ends the sentence and is not part of the name.
    const name = (bracketed ?? word ?? '')
      .replace(/[._-]+$/, '')
      .trim()
      .toLowerCase()
    if (name !== '' && found.size < maxNames) found.add(name)
  }
  const all = [...found]
  return { ids: all.filter(isId), names: all.filter(name => !isId(name)) }
}

const maxNames = 50

/** The users that a text mentions: by id, by their name without spaces, or by the local part of their email address. */
export async function mentionedUsers(ctx: Context, body: string): Promise<Id[]> {
  const { ids, names } = parseMentions(body)
  if (ids.length === 0 && names.length === 0) return []
  const wanted = names.map(name => name.replaceAll(/\s/g, ''))
  const rows = await ctx.sql<{ id: Id; called: string[] }>`
    select u.id, array[lower(replace(u.name, ' ', '')), split_part(lower(u.email), '@', 1)] as called from "user" u
    where u.tenant_id = ${ctx.caller.tenantId} and not u.deleted and u.active and ${users.visible(ctx.caller, raw('u'))} and (u.id = any(${ids}::uuid[])
      or lower(replace(u.name, ' ', '')) = any(${wanted}::text[]) or split_part(lower(u.email), '@', 1) = any(${wanted}::text[]))
    order by u.id limit 1000`
  const found = new Set(rows.filter(({ id }) => ids.includes(id)).map(({ id }) => id))
  for (const name of wanted) {
    const called = rows.filter(row => row.called.includes(name))
    // An ambiguous name mentions nobody.
    if (called.length === 1 && called[0]) found.add(called[0].id)
  }
  return [...found]
}

/** Warns about mentioned users who cannot see the annotation. */
export async function mentionWarnings(ctx: Context, { id, mentions }: Annotation): Promise<string[]> {
  const warnings: string[] = []
  for (const userId of mentions) {
    if (userId === ctx.caller.userId) continue
    const access = await userAccessOf(ctx, userId)
    if (access && (await canSee(ctx, id, { ...ctx.caller, userId, scopes: [], authority: access.authority }))) continue
    const [user] = await ctx.sql<{
      name: string
    }>`select name from "user" where tenant_id = ${ctx.caller.tenantId} and id = ${userId}`
    warnings.push(`${user?.name ?? userId} is mentioned and cannot see this`)
  }
  return warnings
}

async function canSee(ctx: Context, id: Id, reader: Caller): Promise<boolean> {
  const [row] = await ctx.sql`select 1 from annotation a
    where a.tenant_id = ${ctx.caller.tenantId} and a.id = ${id} and ${visibleAnnotations(reader, raw('a'))}`
  return row !== undefined
}

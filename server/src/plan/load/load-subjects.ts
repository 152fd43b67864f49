import { userKind } from '../../identity/user-kind.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { raw, type Sql, sql } from '../../kernel/sql.ts'

/** A user whose capacity a load counts. */
export interface LoadUser {
  id: Id
  name: string
  /** The job role that the user names by its code or id. */
  jobRoleId: Id | ''
  skills: readonly string[]
}

/** The active staff, of one user or one group with the groups inside if asked for. */
export async function loadUsers(
  ctx: Context,
  { userId, userGroupId }: { userId?: string | undefined; userGroupId?: string | undefined },
): Promise<LoadUser[]> {
  const { tenantId } = ctx.caller
  const only = userId ? sql`u.id = ${isId(userId) ? userId : null}::uuid` : raw('true')
  return await ctx.sql<LoadUser>`select u.id, u.name, u.skills, coalesce((select r.id::text from job_role r where r.tenant_id = ${tenantId} and not r.deleted
        and u.job_role <> '' and (lower(r.code) = lower(u.job_role) or r.id::text = lower(u.job_role)) order by r.created, r.id limit 1), '') as "jobRoleId"
    from "user" u where u.tenant_id = ${tenantId} and not u.deleted and u.active and u.kind = ${userKind.staff} and ${only} and ${inGroup(tenantId, userGroupId)}
    order by u.name, u.id`
}

function inGroup(tenantId: Id, userGroupId: string | undefined): Sql {
  if (!userGroupId) return raw('true')
  return sql`u.id in (with recursive inside as (
      select g.id from user_group g where g.tenant_id = ${tenantId} and g.id = ${isId(userGroupId) ? userGroupId : null}::uuid and not g.deleted
      union select g.id from user_group g join inside on g.parent_id = inside.id where g.tenant_id = ${tenantId} and not g.deleted)
    select m.user_id from inside join user_group_member m on m.tenant_id = ${tenantId} and m.group_id = inside.id)`
}

export type NamedTable = 'user' | 'user_group' | 'job_role' | 'container' | 'crm'

/** The names of records by id. */
export async function namesOf(ctx: Context, table: NamedTable, ids: readonly string[]): Promise<Map<string, string>> {
  const known = ids.filter(isId)
  if (known.length === 0) return new Map()
  const from = raw(`"${table}"`)
  const rows = await ctx.sql<{ id: Id; name: string }>`select t.id, t.name from ${from} t
    where t.tenant_id = ${ctx.caller.tenantId} and t.id = any(${known}::uuid[])`
  return new Map(rows.map(row => [row.id, row.name]))
}

/** The first day of the week in the tenant, 1 for Monday to 7. */
export async function weekStartOf(ctx: Context, weekday: (text: string) => number | undefined): Promise<number> {
  const [row] = await ctx.sql<{ start: string }>`select week_start as start from tenant t
    where t.tenant_id = ${ctx.caller.tenantId} and t.id = ${ctx.caller.tenantId}`
  return weekday(row?.start ?? '') ?? 1
}

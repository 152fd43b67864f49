import type { Caller } from '../kernel/access.ts'
import type { Context } from '../kernel/context.ts'
import { newId } from '../kernel/id.ts'
import { raw, type Sql, sql } from '../kernel/sql.ts'
import { accountlessAuthority } from './authority.ts'
import { withPortal } from './visibility.ts'

// A visitor is somebody on the portal without an account.

/** Restricts containers to those of which visitors may see what can be asked for. */
export function openToVisitors(container: Sql): Sql {
  return sql`(${withPortal(container)} and ${container}.portal @> '{"visitors": true}' and not ${container}.archived and not ${container}.deleted)`
}

/** Whether a desk of the tenant is open to visitors. Otherwise it has no portal for them. */
export async function hasOpenDesk(ctx: Context): Promise<boolean> {
  const [open] =
    await ctx.sql`select 1 from container c where c.tenant_id = ${ctx.caller.tenantId} and ${openToVisitors(raw('c'))} limit 1`
  return open !== undefined
}

/** A caller who may read what any requester may, and is nobody. */
export async function visitorCaller(ctx: Context): Promise<Caller> {
  const authority = await accountlessAuthority(ctx)
  const { tenantId } = ctx.caller
  // What the operator created is not the visitor's own, as it would be with the operator's id.
  return { tenantId, userId: newId(), name: '', timezone: 'UTC', kind: 'guest', scopes: [], authority }
}

import type { Caller } from '../kernel/access.ts'
import type { Context } from '../kernel/context.ts'
import { type Id, operatorId } from '../kernel/id.ts'
import type {} from './visibility.ts'

/** The system caller for one tenant: for sign-in, maintenance jobs and the operator's commands. */
export function tenantCaller(tenantId: Id, userId: Id = operatorId): Caller {
  return {
    tenantId,
    userId,
    name: 'operator',
    timezone: 'UTC',
    kind: 'operator',
    scopes: [],
    authority: {
      superAdmin: true,
      tenant: new Set(),
      insider: true,
      places: { container: new Map(), area: new Map(), item: new Map() },
      rules: [],
      hiddenFields: new Set(),
      fieldLimits: [],
      unrestricted: true,
      privatePlaces: [],
      groups: [],
    },
  }
}

/**
 * Derives a context without restrictions. The consequence of a permitted action (a reply that reopens a closed ticket) happens
 * in the caller's name and needs no further permission.
 */
export function withSystemAuthority(ctx: Context): Context {
  const authority = { ...ctx.caller.authority, superAdmin: true, unrestricted: true }
  return ctx.derive({ caller: { ...ctx.caller, scopes: [], authority } })
}

import type { Caller } from '../kernel/access.ts'
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

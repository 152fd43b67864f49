import type { Caller } from '../kernel/access.ts'
import { type Id, operatorId } from '../kernel/id.ts'

/** The service itself, at work for one tenant: signing in, housekeeping, the operator's commands. */
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
      containers: new Map(),
      areas: new Map(),
      items: new Map(),
      rules: [],
      hiddenFields: new Set(),
      unrestricted: true,
      privateContainers: [],
      groups: [],
    },
  }
}

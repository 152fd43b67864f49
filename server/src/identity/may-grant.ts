import { type Caller, heldAt, placeKinds, type Role } from '../kernel/access.ts'
import type { Place } from '../kernel/access-rule.ts'

/** From the weakest to the strongest: nobody may grant a stronger role than their own. */
const roleOrder: readonly Role[] = ['requester', 'readOnly', 'member', 'manager', 'admin']

/** Whether the caller may grant this role. A credential with scopes may not: the role would reach beyond its scopes. */
export function mayGrant(caller: Caller, role: Role, place: Place = {}): boolean {
  if (caller.scopes.length > 0) return false
  if (caller.authority.superAdmin) return true
  const { authority } = caller
  const held = [
    ...authority.tenant,
    ...placeKinds(authority).flatMap(kind => [...(heldAt(authority, kind, place) ?? [])]),
  ]
  return held.some(each => roleOrder.indexOf(each) >= roleOrder.indexOf(role))
}

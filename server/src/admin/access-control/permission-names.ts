import { Type } from 'typebox'
import { type Caller, may, permissionsLike } from '../../kernel/access.ts'
import type { Place } from '../../kernel/access-rule.ts'
import type { Finding } from '../../kernel/record/record.ts'
import { Forbidden } from '../../kernel/refusal.ts'

/** The permissions of a grant or a role: `item.update`, `item.*`, `*.read`, `field.salary.read`. */
export const PermissionNames = Type.Array(
  Type.String({ minLength: 1, maxLength: 200, pattern: '^[A-Za-z*][\\w.*@-]*$' }),
  {
    maxItems: 200,
    description: 'Names of permissions; `*` matches one part of a name, at the end all remaining parts.',
  },
)

const fieldPermission = /^field\.([^.]+)\.(read|write|\*)$/i

/** Reports names that no operation requires. */
export function permissionFindings(names: readonly string[]): Finding[] {
  return names.flatMap((name, i) => {
    const path = `/permissions/${i}`
    if (fieldPermission.test(name)) {
      const always = /^field\.(id|key|title|entity)\./i.test(name)
      return always ? [{ path, code: 'always-shown', message: 'this property cannot be hidden or made read only' }] : []
    }
    if (permissionsLike(name).length > 0) return []
    return [{ path, code: 'unknown-permission', message: `no operation requires ${name}` }]
  })
}

/** Refuses to give or remove permissions that the caller lacks at the place. */
export function refusePermissionEscalation(caller: Caller, names: readonly string[], place: Place): void {
  if (caller.authority.superAdmin) return
  const unheld = names
    .filter(name => !fieldPermission.test(name))
    .find(name => permissionsLike(name).some(each => !may(caller, each, place)))
  if (unheld) throw new Forbidden(`the caller lacks the permission ${unheld} and cannot grant or remove it`)
}

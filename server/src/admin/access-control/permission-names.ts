import { Type } from 'typebox'
import { type Caller, may, permissionsLike } from '../../kernel/access.ts'
import type { Place } from '../../kernel/access-rule.ts'
import type { Finding } from '../../kernel/record/record.ts'
import { Forbidden } from '../../kernel/refusal.ts'

/** `item.update`, `item.*`, `*.read`, `field.salary.read`: what a grant or a role speaks of. */
export const PermissionNames = Type.Array(
  Type.String({ minLength: 1, maxLength: 200, pattern: '^[A-Za-z*][\\w.*@-]*$' }),
  {
    maxItems: 200,
    description: 'Permissions by name; `*` stands for one part of a name, at its end for all that follows.',
  },
)

const fieldPermission = /^field\.([^.]+)\.(read|write|\*)$/i

/** Names that no operation asks for. */
export function permissionFindings(names: readonly string[]): Finding[] {
  return names.flatMap((name, i) => {
    const path = `/permissions/${i}`
    if (fieldPermission.test(name)) {
      const always = /^field\.(id|key|title|entity)\./i.test(name)
      return always
        ? [{ path, code: 'always-shown', message: 'this property cannot be hidden or kept from people' }]
        : []
    }
    if (permissionsLike(name).length > 0) return []
    return [{ path, code: 'unknown-permission', message: `no operation asks for ${name}` }]
  })
}

/** Nobody gives or takes away what they may not do themselves, at that place. */
export function refusePermissionEscalation(caller: Caller, names: readonly string[], place: Place): void {
  if (caller.authority.superAdmin) return
  const unheld = names
    .filter(name => !fieldPermission.test(name))
    .find(name => permissionsLike(name).some(each => !may(caller, each, place)))
  if (unheld) throw new Forbidden(`nobody grants or takes away a permission that they lack: ${unheld}`)
}

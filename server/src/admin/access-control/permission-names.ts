import { Type } from 'typebox'
import { fieldPermission as onField } from '../../identity/field-limit/field-permission.ts'
import { knownPermissions, may, type Permission } from '../../kernel/access.ts'
import { decision, matchesPattern, type Place } from '../../kernel/access-rule.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
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

/** Refuses to give or remove permissions that the caller lacks at the place, those on fields included. */
export async function refusePermissionEscalation(ctx: Context, names: readonly string[], place: Place): Promise<void> {
  const { caller } = ctx
  if (caller.authority.superAdmin) return
  const ofFields = await deniedOnFields(ctx, place)
  const unheld = names.find(
    name =>
      permissionsLike(name).some(each => !may(caller, each, place)) || ofFields.some(denied => overlap(name, denied)),
  )
  if (unheld) throw new Forbidden(`the caller lacks the permission ${unheld} and cannot grant or remove it`)
}

/** The permissions on fields that a rule denies the caller, with the id and with the key of the field. */
async function deniedOnFields({ caller, sql }: Context, place: Place): Promise<string[]> {
  const { rules } = caller.authority
  const denied = rules
    .filter(({ effect }) => effect === 'deny')
    .flatMap(({ names }) => names.flatMap(name => fieldPermission.exec(name)?.[1]?.toLowerCase() ?? []))
  if (denied.length === 0) return []
  const both = await sql<{ id: Id; key: string }>`select id, lower(key) as key from field
    where tenant_id = ${caller.tenantId} and (id::text = any(${denied}) or lower(key) = any(${denied}))`
  const called = new Map(both.flatMap(({ id, key }) => [id, key].map(name => [name, [id, key]] as const)))
  return [...new Set(denied)].flatMap(field =>
    verbs
      .filter(verb => decision(rules, onField(field, verb), place)?.effect === 'deny')
      .flatMap(verb => (called.get(field) ?? [field]).map(name => onField(name, verb).name)),
  )
}

const verbs = ['read', 'write'] as const

/** Whether two names, each possibly with `*`, have a permission on a field in common. */
function overlap(name: string, denied: string): boolean {
  const singles = fieldPermission.test(name) ? verbs.map(verb => name.replace(/\*$/, verb)) : [name]
  return singles.some(each => matchesPattern(each, denied) || matchesPattern(denied, each))
}

/** Returns the permissions that a name with `*` matches. */
function permissionsLike(pattern: string): Permission[] {
  return knownPermissions().filter(({ name }) => matchesPattern(pattern, name))
}

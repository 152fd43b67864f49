import type { Role } from '../../../src/kernel/access.ts'
import type { Builder } from '../builder.ts'
import type { Op } from '../operations.ts'
import { Person, type TestPeople } from '../people.ts'

/** A user and their roles. */
export interface Somebody {
  name: string
  person: Person
  /** Their roles in the whole tenant. */
  roles: readonly Role[]
  superAdmin?: boolean
  /** Their roles in one container only. */
  inContainer?: Role
  scopes?: readonly string[]
}

const codes = { readOnly: 1, requester: 2, member: 3, manager: 5, admin: 6 } as const
const narrow = ['clock:read', 'crm:write']

/**
 * Creates one user of each role in ada's tenant, two with roles in the builder's container only, and an API key with
 * narrowed scopes.
 */
export async function roster({ ada, base, person }: TestPeople, builder: Builder): Promise<Somebody[]> {
  const { id: ownerId } = await builder.one('Container')
  const people: Somebody[] = [
    { name: 'nobody in particular', person: await person({ name: 'Nil', role: 0 }), roles: [] },
    { name: 'super admin', person: ada, roles: [], superAdmin: true },
  ]
  for (const role of ['readOnly', 'requester', 'member', 'manager', 'admin'] as const)
    people.push({ name: role, person: await person({ name: role, role: codes[role] }), roles: [role] })
  for (const role of ['member', 'manager'] as const) {
    const one = await person({ name: `${role} here`, role: 0 })
    await ada.post('/access-control', { userId: one.id, owner: 1, ownerId, role: codes[role] })
    people.push({ name: `${role} of one container`, person: one, roles: [], inContainer: role })
  }
  const { RawKey } = await ada.post('/admin/api-key', { name: 'narrow', scopes: narrow })
  const key = new Person(base, RawKey, ada.id, ada.tenantId)
  people.push({ name: `key for ${narrow.join(' ')}`, person: key, roles: [], superAdmin: true, scopes: narrow })
  return people
}

/** Decides by the declaration of an operation alone whether a user may call it. */
export function allowed({ operation: { permission, placed } }: Op, who: Somebody): boolean {
  const [area = '', verb = ''] = permission.name.split('.')
  if (who.scopes && permission.credential) return false
  if (who.scopes)
    return who.scopes.includes(`${area}:write`) || (verb === 'read' && who.scopes.includes(`${area}:read`))
  if (who.superAdmin) return true
  if (placed && who.inContainer && permission.roles.includes(who.inContainer)) return true
  return who.roles.some(role => permission.roles.includes(role))
}

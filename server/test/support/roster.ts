import type { Role } from '../../src/kernel/access.ts'
import type { Builder } from './builder.ts'
import type { Op } from './operations.ts'
import { type House, Person } from './people.ts'

/** Somebody, and what they hold. */
export interface Somebody {
  name: string
  person: Person
  /** What they hold in the whole tenant. */
  roles: readonly Role[]
  superAdmin?: boolean
  /** What they hold in one container only. */
  inContainer?: Role
  scopes?: readonly string[]
}

const codes = { readOnly: 1, requester: 2, member: 3, manager: 5, admin: 6 } as const
const narrow = ['clock:read', 'crm:write']

/** One of each role in ada's tenant, two who have theirs in the builder's container only, and a key that is narrowed. */
export async function roster({ ada, base, person }: House, builder: Builder): Promise<Somebody[]> {
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

/** What the declaration of an operation says, worked out from its words alone. */
export function allowed({ operation: { permission, placed } }: Op, who: Somebody): boolean {
  const [area = '', verb = ''] = permission.name.split('.')
  if (who.scopes)
    return who.scopes.includes(`${area}:write`) || (verb === 'read' && who.scopes.includes(`${area}:read`))
  if (who.superAdmin) return true
  if (placed && who.inContainer && permission.roles.includes(who.inContainer)) return true
  return who.roles.some(role => permission.roles.includes(role))
}

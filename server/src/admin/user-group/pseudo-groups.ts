import { raw, type Sql } from '../../kernel/sql.ts'

/** Built-in groups. Their members are computed when they are read. */
export const pseudoGroups = [
  {
    id: '@everyone',
    name: 'Everyone',
    description: 'Every active user.',
    members: raw('t.active'),
  },
  {
    id: '@staff',
    name: 'Staff',
    description: 'Every active user with a staff role, and every active super admin.',
    members: raw('(t.active and (t.super_admin or t.role in (1, 3, 5, 6)))'),
  },
  {
    id: '@requesters',
    name: 'Requesters',
    description: 'Every active user with the role requester, or from outside the organisation.',
    members: raw('(t.active and (t.role = 2 or t.kind = 1))'),
  },
  {
    id: '@superAdmins',
    name: 'Super admins',
    description: 'Every active super admin.',
    members: raw('(t.active and t.super_admin)'),
  },
] as const satisfies readonly { id: string; name: string; description: string; members: Sql }[]

export function findPseudoGroup(id: string) {
  return pseudoGroups.find(each => each.id.toLowerCase() === id.toLowerCase())
}

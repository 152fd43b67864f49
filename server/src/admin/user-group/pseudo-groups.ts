import { isRequester, isStaffUser } from '../../identity/audiences.ts'
import { raw, type Sql, sql } from '../../kernel/sql.ts'

const t = raw('t')

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
    members: sql`(t.active and (t.super_admin or ${isStaffUser(t)}))`,
  },
  {
    id: '@requesters',
    name: 'Requesters',
    description: 'Every active user with the role requester, or from outside the organisation.',
    members: sql`(t.active and ${isRequester(t)})`,
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

import { roleCode, staff } from '../kernel/access.ts'
import { raw, type Sql, sql } from '../kernel/sql.ts'
import { userKind } from './user-kind.ts'

const staffCodes = raw(staff.map(role => roleCode[role]).join(', '))
const requesterRole = raw(String(roleCode.requester))
const requesterKind = raw(String(userKind.requester))

/** Whether the user `u` has a staff role in the tenant. */
export function isStaffUser(u: Sql): Sql {
  return sql`${u}.role in (${staffCodes})`
}

/** Whether the user `u` has the role requester, or is from outside the organisation. */
export function isRequester(u: Sql): Sql {
  return sql`(${u}.role = ${requesterRole} or ${u}.kind = ${requesterKind})`
}

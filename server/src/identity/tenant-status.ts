import { tenantStatus } from '../kernel/access.ts'
import { raw } from '../kernel/sql.ts'

export { tenantStatus }

/** The codes of the tenants whose users can sign in, for `status in (…)`. */
export const openTenantStatuses = raw([tenantStatus.active, tenantStatus.suspended].join(', '))

import { raw } from '../kernel/sql.ts'

/** The codes of a tenant's `status`. A suspended tenant is read only; a closing one admits only its super admins. */
export const tenantStatus = { active: 0, suspended: 1, closing: 2 } as const

/** The codes of the tenants whose users can sign in, for `status in (…)`. */
export const openTenantStatuses = raw([tenantStatus.active, tenantStatus.suspended].join(', '))

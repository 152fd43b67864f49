import { admins, managers, type Permission, permission } from '../kernel/access.ts'

/** Permits booking, changing and reading the time of others. */
export const othersTime: Permission = permission('time.others', managers)

/** Permits approving time: in the tenant by person, in a container by project. */
export const approveTime: Permission = permission('time.approve', managers)

/** Permits locking sheets, and closing time up to a day. */
export const closeTime: Permission = permission('time.close', admins)

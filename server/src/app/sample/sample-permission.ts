import { admins, permission } from '../../kernel/access.ts'

/** To load and remove the sample company. */
export const managingSample = permission('tenant.sample', admins)

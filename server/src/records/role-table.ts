import { noRole, roleCode } from '../kernel/access.ts'
import { codeTableOfCodes } from './code-table.ts'

/** The codes of roles, wherever a record has one. */
export const roles = codeTableOfCodes('role', { none: noRole, ...roleCode })

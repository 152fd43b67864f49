import { codeTableOfCodes } from '../../records/code-table.ts'

/** The codes of `kind` of a user group. */
export const groupKind = { security: 0, team: 1, queue: 2, distribution: 3 } as const

/** The codes of `assignPolicy`: who of a queue gets the next ticket. */
export const assignPolicy = { manual: 0, roundRobin: 1, leastOpen: 2, leastRemaining: 3, onDuty: 4 } as const
export const assignPolicies = codeTableOfCodes('userGroup.assignPolicy', assignPolicy)

/** The codes of `source`: the directory that a group comes from. */
export const groupSource = { local: 0, entra: 1, scim: 2, ldap: 3 } as const

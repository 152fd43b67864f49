import { snakeCase } from '../../kernel/record/columns.ts'

/** What an hour can cost. A month of work at this rate is an amount that can still be stored. */
export const rateLimits = { least: '0', most: '1000000000' }

/** The properties that say whose rate it is. */
export const scopeProperties = ['itemId', 'containerId', 'crmId', 'userId', 'jobRoleId'] as const
type ScopeProperty = (typeof scopeProperties)[number]
export type RateScope = { readonly [P in ScopeProperty]?: string }

export const scopeColumns = scopeProperties.map(property => ({ property, column: snakeCase(property) }))

/**
 * Where a rate can come from, the first that has one first. The place in this list is the level that the table stores; the first
 * one is not a rate but the entry itself.
 */
export const rateLevels = [
  ['entry', []],
  ['item', ['itemId']],
  ['containerUser', ['containerId', 'userId']],
  ['containerJobRole', ['containerId', 'jobRoleId']],
  ['container', ['containerId']],
  ['crmUser', ['crmId', 'userId']],
  ['crmJobRole', ['crmId', 'jobRoleId']],
  ['crm', ['crmId']],
  ['user', ['userId']],
  ['jobRole', ['jobRoleId']],
  ['tenant', []],
] as const satisfies readonly (readonly [name: string, scope: readonly ScopeProperty[]])[]

/** Whether the properties that are given make one of the levels. */
export function isScope(scope: RateScope): boolean {
  const given = scopeProperties.filter(property => scope[property]).join()
  return rateLevels.some(([, properties]) => properties.join() === given)
}

import type { Body } from '../../kernel/operation.ts'
import { reader, type Schema } from '../../kernel/schema/shape.ts'
import { ConditionGroups as Groups } from '../../language/conditions/conditions.ts'
import type { Period } from './period.ts'
import type { ReportDeclaration, ReportInput } from './report-declaration.ts'
import { schemaOf } from './table.ts'

const moment: Schema = { type: 'string', format: 'date-time' }
const ids: Schema = { type: 'array', maxItems: 200, items: { type: 'string', maxLength: 36 } }

/** The period of a request. */
export const dates: Record<string, Schema> = {
  startDate: { ...moment, description: 'The first day: the local day at this time.' },
  endDate: { ...moment, description: 'The last day, inclusive.' },
}

/** What the requests of reports have in common. */
export const common: Record<string, Schema> = {
  timezone: {
    type: 'string',
    format: 'timezone',
    maxLength: 64,
    description: 'Of the days; by default that of the caller.',
  },
  containerIds: { ...ids, description: 'Only of these containers.' },
  userIds: { ...ids, description: 'Only of these users.' },
  conditionGroup: Groups,
}

const examplePeriod = { startDate: '2026-03-01T00:00:00Z', endDate: '2026-03-31T23:59:59Z' }

/** The body of a report with these properties, and with a period unless it is about the present. */
export function bodyWith<I>(
  properties: Record<string, Schema>,
  { dated = true, example = {} }: { dated?: boolean; example?: object } = {},
): Body<I> {
  const schema: Schema = {
    type: 'object',
    properties: { ...(dated ? dates : {}), ...properties },
    required: dated ? Object.keys(dates) : [],
    additionalProperties: false,
  }
  return { schema, read: reader<I>(schema), example: { ...(dated ? examplePeriod : {}), ...example } }
}

export function reportBody(declared: ReportDeclaration): Body<ReportInput> {
  const { dimensions, groupBy, user, container, dated = true } = declared
  const { containerIds = {}, userIds = {}, ...rest } = common
  const names = Object.keys(dimensions)
  const properties: Record<string, Schema> = {
    ...rest,
    ...(container ? { containerIds } : {}),
    ...(user ? { userIds } : {}),
    groupBy: {
      type: 'array',
      maxItems: 3,
      uniqueItems: true,
      items: { type: 'string', enum: names },
      description: `The values to group by; ${groupBy.join(', ')} by default.`,
    },
  }
  return bodyWith(properties, { dated, example: { groupBy: names.slice(0, 1) } })
}

/** The schema of a row: the dimensions that were asked for, and all measures. */
export function rowSchema(name: string, { dimensions, measures }: ReportDeclaration): Schema {
  const period: Period = { timezone: 'UTC', first: '', last: '', from: '', to: '' }
  // Only names and kinds are read here, and they depend on neither.
  const asked = { now: new Date(0) }
  const properties: Record<string, Schema> = {}
  for (const [each, of] of Object.entries(dimensions)) {
    const { kind, label } = of(period, asked)
    properties[each] = schemaOf(kind)
    if (label) properties[`${each}Label`] = { type: ['string', 'null'] }
  }
  const own = typeof measures === 'function' ? measures(period, asked) : measures
  for (const [each, { kind, about = '' }] of Object.entries(own))
    properties[each] = { ...schemaOf(kind), description: about }
  return rowOf(name, properties, Object.keys(own))
}

export function rowOf(name: string, properties: Record<string, Schema>, required = Object.keys(properties)): Schema {
  const title = `${name.replace(/(^|-)(\w)/g, (_all, _dash, letter: string) => letter.toUpperCase())}Row`
  const drill: Schema = { type: ['string', 'null'], description: 'The token of the records of this row.' }
  return { type: 'object', title, properties: { ...properties, drill }, required: [...required, 'drill'] }
}

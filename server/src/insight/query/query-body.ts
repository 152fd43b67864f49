import { type Static, Type } from 'typebox'
import { bodyOf } from '../../kernel/operation.ts'
import { Timezone } from '../../kernel/schema/values.ts'
import { ConditionGroups, operator } from '../../language/conditions/conditions.ts'
import { keysOf } from '../../records/references/keys-of.ts'
import { buckets } from '../report/period.ts'
import { sources } from './source.ts'

const Field = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'A path, as in conditions: `status`, `field.severity`.',
})
const Name = Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_.]{0,59}$', description: 'The name of the column.' })
const words = <T extends string>(all: readonly T[], description: string) =>
  Type.Unsafe<T>({ type: 'string', enum: all, description })

const measureOps = ['count', 'countDistinct', 'sum', 'avg', 'min', 'max', 'percentile'] as const

const QueryBody = Type.Object(
  {
    entity: words(keysOf(sources), 'The kind of records.'),
    conditionGroup: Type.Optional(ConditionGroups),
    groupBy: Type.Optional(
      Type.Array(
        Type.Object(
          {
            field: Field,
            bucket: Type.Optional(
              words(buckets, 'For dates and times: the part of the calendar; weeks begin on Monday.'),
            ),
            as: Type.Optional(Name),
          },
          { additionalProperties: false },
        ),
        { maxItems: 3 },
      ),
    ),
    measures: Type.Optional(
      Type.Array(
        Type.Object(
          {
            op: words(measureOps, 'Without `field`, `count` counts records.'),
            field: Type.Optional(Field),
            p: Type.Optional(
              Type.Number({ minimum: 0, maximum: 1, description: 'Of `percentile`: 0.5 is the median.' }),
            ),
            as: Type.Optional(Name),
          },
          { additionalProperties: false },
        ),
        { minItems: 1, maxItems: 10, description: 'The number of records if absent.' },
      ),
    ),
    timezone: Type.Optional(
      Type.Unsafe<string>({ ...Timezone, description: 'Of the buckets; by default that of the caller.' }),
    ),
    sort: Type.Optional(
      Type.String({ maxLength: 500, description: 'Names of columns, `-` before one for descending: `-count,status`.' }),
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 50_000, description: 'The maximum of rows; 1,000 by default.' }),
    ),
    archived: Type.Optional(words(['include', 'only'], 'Counts archived items too, or only them.')),
  },
  { additionalProperties: false },
)

export type QueryBody = Static<typeof QueryBody>

export const queryBody = bodyOf(QueryBody, {
  entity: 'Item',
  conditionGroup: [{ condition: [{ leftSide: 'priority', operator: operator.lessOrEqual, rightSide: '2' }] }],
  groupBy: [{ field: 'status' }, { field: 'created', bucket: 'month' }],
  measures: [{ op: 'count' }, { op: 'sum', field: 'estimateMinutes', as: 'estimate' }],
  timezone: 'Europe/Berlin',
  sort: '-count',
  limit: 100,
})

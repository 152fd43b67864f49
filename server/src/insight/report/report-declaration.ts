import type { Role } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import type { Sql } from '../../kernel/sql.ts'
import type { ConditionGroups } from '../../language/conditions/conditions.ts'
import type { Source } from '../query/source.ts'
import type { Measures } from './measures.ts'
import type { Period } from './period.ts'
import type { Dimension } from './table.ts'

/** The request of a report. */
export interface ReportInput {
  startDate?: string
  endDate?: string
  timezone?: string
  groupBy?: string[]
  containerIds?: Id[]
  userIds?: Id[]
  conditionGroup?: ConditionGroups
}

/** The time of the request, and who sent it: a schema is made without one. */
type Asked = Pick<Context, 'now'> & Partial<Pick<Context, 'caller'>>

/** A value to group by, in the days of a period. */
export type DimensionOf = (period: Period, asked: Asked) => Omit<Dimension, 'name'>

/** A report that groups and measures the records of a source. */
export interface ReportDeclaration {
  about: string
  roles?: readonly Role[]
  source: Source
  /** The rows to count, where they are not the records of the source alone; `t` is the record. */
  from?: Sql
  /** The rows that belong to the period. */
  during: (period: Period, asked: Asked) => Sql
  /** The columns that `containerIds` and `userIds` select by, where there are such. */
  container?: Sql
  user?: Sql
  dimensions: Readonly<Record<string, DimensionOf>>
  /** The dimensions of a request that names none. */
  groupBy: readonly string[]
  measures: Measures | ((period: Period, asked: Asked) => Measures)
  /** The properties of items that the measures reveal. */
  reveals?: readonly string[]
  /** False if it is about the present, so that requests have no period. */
  dated?: false
  maxDays?: number
}

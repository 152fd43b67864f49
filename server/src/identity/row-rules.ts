import type { Context } from '../kernel/context.ts'
import type { Id } from '../kernel/id.ts'
import type { Sql } from '../kernel/sql.ts'
import type { ConditionFinding, ConditionGroups } from '../language/conditions/conditions.ts'

/** The person whose `@me` and `@today` a condition means. */
export interface RowRuleViewer {
  id: Id
  timezone: string
}

/** How a condition on the rows that a grant holds for becomes SQL: the room of these rows knows. */
export interface RowRules {
  compile(ctx: Context, groups: ConditionGroups, viewer: RowRuleViewer): Promise<(alias: Sql) => Sql>
  /** What of such a condition can never hold. */
  check(ctx: Context, groups: ConditionGroups): Promise<ConditionFinding[]>
}

declare module '../kernel/context.ts' {
  interface Services {
    rowRules: RowRules
  }
}

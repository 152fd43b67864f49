import type { Context } from '../kernel/context.ts'
import type { Id } from '../kernel/id.ts'
import type { Sql } from '../kernel/sql.ts'
import type { ConditionFinding, ConditionGroups } from '../language/conditions/conditions.ts'

/** The person to whom `@me` and `@today` in a condition refer. */
interface RowRuleViewer {
  id: Id
  timezone: string
}

/** Translates the row condition of a grant to SQL. The room that owns the rows implements it. */
export interface RowRules {
  compile(ctx: Context, groups: ConditionGroups, viewer: RowRuleViewer): Promise<(alias: Sql) => Sql>
  /** Lists the parts of such a condition that can never hold. */
  check(ctx: Context, groups: ConditionGroups): Promise<ConditionFinding[]>
}

declare module '../kernel/context.ts' {
  interface Services {
    rowRules: RowRules
  }
}

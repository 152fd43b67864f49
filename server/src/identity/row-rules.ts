import type { Context } from '../kernel/context.ts'
import type { Id } from '../kernel/id.ts'
import { raw, type Sql } from '../kernel/sql.ts'
import type { ConditionGroups, Finding } from '../language/conditions/conditions.ts'

/** Somebody in whose eyes `@me` and `@today` are read. */
export interface Beholder {
  id: Id
  timezone: string
}

interface Compiler {
  compile(ctx: Context, groups: ConditionGroups, beholder: Beholder): Promise<(alias: Sql) => Sql>
  check(ctx: Context, groups: ConditionGroups): Promise<Finding[]>
}

let compiler: Compiler | undefined

/** The room of the rows says how a condition on them becomes SQL: said once, when the house is loaded. */
export function rowsCompiledBy(own: Compiler): void {
  compiler = own
}

/** The rows that a rule holds for. Without anybody who can tell, none: a rule never holds for more than it says. */
export async function rowsOf(ctx: Context, groups: ConditionGroups, beholder: Beholder): Promise<(alias: Sql) => Sql> {
  return (await compiler?.compile(ctx, groups, beholder)) ?? (() => raw('false'))
}

/** What of such a condition can never hold. */
export async function rowFindings(ctx: Context, groups: ConditionGroups): Promise<Finding[]> {
  return (await compiler?.check(ctx, groups)) ?? []
}

import type { RowRules } from '../identity/row-rules.ts'
import { raw, type Sql, sql } from '../kernel/sql.ts'
import { type ConditionGroups, check, compile } from '../language/conditions/conditions.ts'
import { itemVocabulary } from './vocabulary/vocabulary.ts'

/** Compiles the conditions of grants that apply to some items only; `t` is the item. */
export const itemRowRules: RowRules = {
  async compile(ctx, groups: ConditionGroups, { id, timezone }) {
    const holds = compile(groups, await itemVocabulary(ctx), { userId: id, timezone, now: ctx.now })
    return (alias: Sql) =>
      alias === raw('t')
        ? holds
        : sql`exists (select 1 from item t where t.tenant_id = ${ctx.caller.tenantId} and t.id = ${alias}.id and ${holds})`
  },
  async check(ctx, groups: ConditionGroups) {
    return check(groups, await itemVocabulary(ctx))
  },
}

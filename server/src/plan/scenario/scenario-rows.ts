import type { Id } from '../../kernel/id.ts'
import { name, ownTenant, sql } from '../../kernel/sql.ts'
import type { RowSource } from '../../records/row-source.ts'

/**
 * The rows as a scenario makes them: those that it does not change, and the others with its values in their columns. A new
 * record is a change of no row, a deletion a change of `deleted`.
 */
export function scenarioRows(scenarioId: Id): RowSource {
  return ({ entity, table }) => {
    const own = sql`c.tenant_id = ${ownTenant} and c.scenario_id = ${scenarioId} and c.entity = ${entity}`
    return sql`(select s.* from ${name(table)} s where s.tenant_id = ${ownTenant}
        and not exists (select 1 from scenario_change c where ${own} and c.record_id = s.id)
      union all select r.* from scenario_change c left join ${name(table)} s on s.tenant_id = ${ownTenant} and s.id = c.record_id
        cross join lateral jsonb_populate_record(s, c.columns) r where ${own})`
  }
}

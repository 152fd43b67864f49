import { nothing, ownTenant, type Sql, sql } from '../../kernel/sql.ts'

/** The typed copies of custom values, by which items are found and sorted; `join` limits the rows (`v`). */
export function insertValues(rows: readonly object[], join: Sql = nothing): Sql {
  return sql`insert into item_value (tenant_id, item_id, field_id, n, text_value, number_value, instant_value, date_value, id_value)
    select ${ownTenant}::uuid, v.item_id, v.field_id, v.n, left(fold(v.text_value), 500), v.number_value, v.instant_value, v.date_value, v.id_value
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as v(item_id uuid, field_id uuid, n smallint, text_value text, number_value numeric, instant_value timestamptz, date_value date, id_value uuid)
    ${join} returning 1`
}

import type { Context } from '../../../kernel/context.ts'
import { raw, type Sql, sql } from '../../../kernel/sql.ts'
import { isBillable } from './team.ts'

/** How the item of an entry is read: whether the caller sees it, and its key and title as JSON. */
interface EntryItem {
  seen: Sql
  label: Sql
}

/**
 * The row of an entry (`t`) in a timesheet as JSON, with its code `n`; `first` and `state` are more members. It is
 * concatenated, because the functions that make JSON look up the type of each row and take twice as long.
 */
export function entryText(
  { caller }: Context,
  { seen, label }: EntryItem,
  { first = raw(`''`), state = raw(`''`) }: { first?: Sql; state?: Sql } = {},
): Sql {
  const code = sql`to_json(concat_ws(' ', nullif(n.code, ''), n.name))::text`
  const shown = sql`case when t.item_id is null or ${seen} or t.user_id = ${caller.userId} then t.note else '' end`
  const note = sql`case when t.note = '' then '""' else to_json(${shown})::text end`
  return sql`concat('{', ${first}, '"date":"', t.date, 'T00:00:00.000Z","totalMinutes":', t.minutes, ',"seconds":', t.seconds,
    ',"label":', case when t.item_id is null then ${code} when ${seen} then ${label} else '"restricted item"' end,
    ',"isBillable":', case when ${isBillable} then '1' else '0' end, ${state},
    ',"timeId":"', t.id, '","itemId":', coalesce('"' || t.item_id || '"', 'null'), ',"note":', ${note}, '}')`
}

import { nothing, ownTenant, raw, type Sql, sql } from '../kernel/sql.ts'
import { timeState } from './time-state.ts'

/** Sums the seconds of entries `s`; the sum is rounded to minutes, not its parts. */
export const summedMinutes: Sql = raw('coalesce(round(sum(s.seconds) / 60.0), 0)::int')

/** Whether the entry counts: drafts are in no sum. */
export function counts(entry: Sql): Sql {
  return sql`not ${entry}.deleted and ${entry}.state <> ${raw(String(timeState.draft))}`
}

/** Whether the entry counts on its day: a correction is for work on another one. */
export function countsOnDay(entry: Sql): Sql {
  return sql`${counts(entry)} and ${entry}.corrects_id is null`
}

/** The minutes booked on an item; `also` is a further condition on the entries `s`. */
export function minutesSpent(itemId: Sql, also: Sql = nothing): Sql {
  return sql`(select ${summedMinutes} from time s where s.tenant_id = ${ownTenant} and s.item_id = ${itemId} and ${counts(raw('s'))} ${also})`
}

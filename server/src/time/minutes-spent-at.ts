import { raw, type Sql, sql } from '../kernel/sql.ts'
import { type Moment, rowsAt } from '../records/history/past.ts'
import { counts, summedMinutes } from './minutes-spent.ts'
import { times } from './time.ts'

/** The minutes that were booked on item `t` at a moment. An entry that belongs to another item now is not counted. */
export function minutesSpentAt(t: Sql, at: Moment): Sql {
  const entries = rowsAt(times, at, sql`p.item_id = ${t}.id`)
  return sql`(select ${summedMinutes} from ${entries} s where s.item_id = ${t}.id and ${counts(raw('s'))})`
}

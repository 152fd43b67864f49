import { visibleItems } from '../../../items/item/item.ts'
import { isId } from '../../../kernel/id.ts'
import { RuleBroken } from '../../../kernel/refusal.ts'
import { and, ownTenant, raw, sql, unprepared } from '../../../kernel/sql.ts'
import { Code } from '../../../records/code-table.ts'
import { billed, timeStates } from '../../../time/time-state.ts'
import { sources } from '../../query/source.ts'
import { readPeriod } from '../period.ts'
import { computedReport, oneOf } from '../report.ts'
import type { ReportInput } from '../report-declaration.ts'
import { bodyWith, common, rowOf } from '../report-schema.ts'
import { bounded, maxGroups } from '../table.ts'
import { entryText } from './entry-text.ts'

const user = sql`'"userId":"', t.user_id, '","userName":', to_json(u.name), ','`
const item = { seen: sql`i.id is not null`, label: sql`to_json(i.key || ' ' || i.title)::text` }

const { timezone = {}, containerIds = {}, userIds = {} } = common

/** The time entries of several users. */
export const teamTimesheet = computedReport<ReportInput>('team-timesheet', {
  about: `One row for each time entry that the caller sees, by user and day: one’s own, and those of others in the containers that the caller manages. At most 366 days and ${maxGroups} entries (422 \`too-many-records\`).`,
  source: sources.Time,
  body: bodyWith({ timezone, containerIds, userIds }),
  row: rowOf('team-timesheet', {
    userId: { type: 'string' },
    userName: { type: 'string' },
    date: { type: 'string', format: 'date-time', description: 'The local day of the entry, at 00:00Z.' },
    totalMinutes: { type: 'integer' },
    seconds: { type: 'integer' },
    label: {
      type: 'string',
      description: 'The key and title of the item, or the code and name of the non-billable code.',
    },
    isBillable: Code(billed, { enum: [0, 1] }),
    state: Code(timeStates),
    timeId: { type: 'string' },
    itemId: { type: ['string', 'null'] },
    note: { type: 'string' },
  }),
  async rows(ctx, input) {
    const { first, last } = readPeriod(ctx, input, 366)
    const where = and([
      sources.Time.rows(ctx),
      sql`t.date between ${first}::date and ${last}::date`,
      oneOf(raw('t.container_id'), input.containerIds),
      oneOf(raw('t.user_id'), input.userIds),
    ])
    const rows = await bounded(
      ctx,
      () =>
        ctx.sql<{ text: string; key: string }>`${unprepared(sql`
      select ${entryText(ctx, item, { first: user, state: sql`',"state":', t.state` })} as text, t.id as key
      from time t join "user" u on u.tenant_id = ${ownTenant} and u.id = t.user_id
        left join item i on i.tenant_id = ${ownTenant} and i.id = t.item_id and ${visibleItems(ctx.caller, raw('i'))}
        left join non_billable n on n.tenant_id = ${ownTenant} and n.id = t.non_billable
      where ${where} order by u.name, t.user_id, t.date, t.created, t.id limit ${maxGroups + 1}`)}`,
    )
    if (rows.length > maxGroups)
      throw new RuleBroken('too-many-records', `there are more than ${maxGroups} entries: ask for a shorter period`)
    return rows
  },
  records: async (_ctx, _input, key) => (isId(key) ? sql`t.id = ${key}` : raw('false')),
})

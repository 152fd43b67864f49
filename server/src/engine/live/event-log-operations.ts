import { admins, permission } from '../../kernel/access.ts'
import { operation, type Routes } from '../../kernel/operation.ts'
import { readWhole } from '../../kernel/schema/whole-number.ts'
import { nothing, raw, sql } from '../../kernel/sql.ts'
import { changesShown } from '../../records/amounts.ts'
import { eventJson } from '../../records/history/event-json.ts'
import { eventSchema } from '../../records/history/history.ts'
import { visibleEvents } from '../event-visibility.ts'
import { parsePosition } from './log-position.ts'

/** The permission to read the log of all records. */
export const readingLog = permission('event.read', admins)

/** Returns the tenant's log in order, for clients that keep a copy in sync. */
const readLog = operation({
  permission: readingLog,
  mode: 'read',
  summary: 'Read the event log',
  description:
    'Every change of the records that the caller may see, in the order in which it became visible: no event ever appears before a position that was already read. `after` is the `seq` of the last event seen; an empty list means that there are no newer events yet.',
  query: {
    after: { type: 'string', description: 'The `seq` of the last event that was read.' },
    limit: { type: 'integer', minimum: 1, maximum: 1000, description: 'The maximum of events; 100 by default.' },
    types: { type: 'string', description: 'Only these kinds: `item.created,item.updated`.' },
  },
  reply: { status: 200, schema: { type: 'array', items: eventSchema }, description: 'The events.' },
  async run(ctx, { query }) {
    const after = parsePosition(query.after)
    const limit = readWhole('limit', query.limit, 1, 1000) ?? 100
    const types = typeof query.types === 'string' && query.types !== '' ? query.types.split(',') : undefined
    // Transactions commit in another order than they begin. Only events before the oldest running transaction are in
    // their final order, so the log is read up to there.
    const [row] = await ctx.sql<{
      text: string
    }>`select coalesce(json_agg(e.json order by e.xact, e.id), '[]')::text as text from (
      select ${eventJson(changesShown(ctx.caller))} as json, e.xact, e.id from event e
      where e.tenant_id = ${ctx.caller.tenantId} and e.xact < log_settled()
        ${after ? sql`and (e.xact, e.id) > (${after.xact}::xid8, ${after.id}::uuid)` : nothing}
        ${types ? sql`and e.kind = any(${types})` : nothing}
        and ${visibleEvents(ctx.caller, raw('e'))}
      order by e.xact, e.id limit ${limit}) e`
    return { text: row?.text ?? '[]' }
  },
})

export const routes: Routes = { 'GET /event': readLog }

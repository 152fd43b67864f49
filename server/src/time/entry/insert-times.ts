import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { nothing, raw, type Sql, sql } from '../../kernel/sql.ts'
import type { EntrySpan } from '../time-entry.ts'
import { ofEntry } from './price/rate-override.ts'

/** A time entry that is about to be stored. */
export interface NewTime extends EntrySpan {
  id: Id
  userId: Id
  itemId: Id
  containerId: Id
  nonBillable: Id | null
  note: string
  billable: number
  externalId: string
  timezone: string
  source: number
  /** The price of an hour that was given for the entry itself; null lets the rates decide. */
  billRate: string | null
}

/**
 * Inserts entries as a part of a larger statement; `join` limits them to entries `e` that have a partner in it, whose customer
 * is theirs: a statement does not see the item that it stores.
 */
export function insertTimes(
  ctx: Context,
  entries: readonly NewTime[],
  join: Sql = nothing,
  crmId = raw('null::uuid'),
): Sql {
  const { tenantId, userId } = ctx.caller
  return sql`insert into time (tenant_id, id, created, created_by, updated, updated_by, user_id, item_id, non_billable, container_id, date, start, "end", seconds, note, billable, external_id, timezone, source, crm_id, bill_rate, rate_source)
    select ${tenantId}::uuid, e.id, ${ctx.now}::timestamptz, ${userId}::uuid, ${ctx.now}::timestamptz, ${userId}::uuid, e."userId", e."itemId", e."nonBillable", e."containerId", e.date, e.start, e."end", e.seconds, e.note, e.billable, e."externalId", e.timezone, e.source, ${crmId}, e."billRate", case when e."billRate" is null then '' else ${ofEntry} end
    from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as e(id uuid, "userId" uuid, "itemId" uuid, "nonBillable" uuid, "containerId" uuid, date date, start timestamptz, "end" timestamptz, seconds int, note text, billable int, "externalId" text, timezone text, source int, "billRate" numeric)
    ${join} returning *`
}

import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { raw, type Sql, sql } from '../../kernel/sql.ts'
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
 * Inserts entries as a part of a larger statement; `join` gives each entry `e` the customer of its item (`crmId`), because a statement
 * does not see the item that it stores, and limits them to entries that have a partner in it.
 *
 * Where nothing can have a price, the entry gets its sources here, because the trigger that prices entries (`price_time`) costs as
 * much as the rest of the insert. All others are left to it: those without a source.
 */
export function insertTimes(ctx: Context, entries: readonly NewTime[], join: Sql, crmId: Sql): Sql {
  const { tenantId, userId } = ctx.caller
  return sql`insert into time (tenant_id, id, created, created_by, updated, updated_by, user_id, item_id, non_billable, container_id, date, start, "end", seconds, note, billable, external_id, timezone, source, crm_id, bill_rate, rate_source, cost_source)
    select ${tenantId}::uuid, e.id, ${ctx.now}::timestamptz, ${userId}::uuid, ${ctx.now}::timestamptz, ${userId}::uuid, e."userId", e."itemId", e."nonBillable", e."containerId", e.date, e.start, e."end", e.seconds, e.note, e.billable, e."externalId", e.timezone, e.source, coalesce(${crmId}, c.crm_id), e."billRate", p.source, case when p.source in ('missing', 'none') then 'missing' else '' end
    from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as e(id uuid, "userId" uuid, "itemId" uuid, "nonBillable" uuid, "containerId" uuid, date date, start timestamptz, "end" timestamptz, seconds int, note text, billable int, "externalId" text, timezone text, source int, "billRate" numeric)
    ${join}
    left join "user" u on u.tenant_id = ${tenantId} and u.id = e."userId"
    left join container c on c.tenant_id = ${tenantId} and c.id = e."containerId"
    cross join lateral (select case when e."billRate" is not null then ${ofEntry}
      when (${rated(tenantId)} or u.job_role <> '' or ${charged('u')} or ${charged('c')}) is not false then ''
      when e.billable = 1 or e.billable <> 0 and e."nonBillable" is null and c.billable then 'missing' else 'none' end as source) p
    returning *`
}

const rated = (tenantId: Id) => sql`exists (select 1 from rate r where r.tenant_id = ${tenantId} and not r.deleted)`

/** Whether a user or a container names a cost centre. */
const charged = (alias: 'u' | 'c') => raw(`(${alias}.split <> '[]' or ${alias}.cost_center <> '')`)

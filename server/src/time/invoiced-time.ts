import type { InvoicedTime } from '../finance/billing/billing.ts'
import type { Context } from '../kernel/context.ts'
import type { Id } from '../kernel/id.ts'
import { ownTenant, raw } from '../kernel/sql.ts'
import { approvalMode } from './calendar/calendar.ts'
import { calendarsOf } from './calendar/user-calendars.ts'
import { type Timesheet, timesheets } from './sheet/sheet.ts'
import { entryState } from './sheet/sheet-state.ts'
import { timeState } from './time-state.ts'

/**
 * Entries that invoices hold. Their state is a part of the change of the invoice and writes no events of its own, like that of a
 * timesheet.
 */
export const invoicedTime: InvoicedTime = { approvalAsked, hold, take, release, settle }

async function approvalAsked(ctx: Context, userIds: readonly Id[]): Promise<Map<Id, string>> {
  const calendars = await calendarsOf(ctx, userIds)
  return new Map(
    [...calendars]
      .filter(([, { approval }]) => approval !== approvalMode.none)
      .map(([userId, { from }]) => [userId, from ?? '']),
  )
}

async function hold(ctx: Context, ids: readonly Id[]): Promise<void> {
  await ctx.sql`select s.id from timesheet s where s.tenant_id = ${ctx.caller.tenantId} and s.id in (
      select o.id from time t join timesheet o on o.tenant_id = ${ownTenant} and o.user_id = t.user_id and t.date between o."from" and o."to"
      where t.tenant_id = ${ctx.caller.tenantId} and t.id = any(${ids}::uuid[]))
    order by s.id for share of s`
}

async function take(ctx: Context, ids: readonly Id[], invoiceId: Id): Promise<void> {
  const { tenantId, userId } = ctx.caller
  await ctx.sql`update time set state = ${timeState.invoiced}, invoice_id = ${invoiceId}, updated = ${ctx.now}, updated_by = ${userId}, version = version + 1
    where tenant_id = ${tenantId} and id = any(${ids}::uuid[])`
}

async function release(ctx: Context, ids: readonly Id[]): Promise<void> {
  const { tenantId, userId } = ctx.caller
  const s = raw('s')
  const rows = await ctx.sql<{ json: string; containerIds: (Id | null)[] }>`
    with place as (
      select o.id, array_agg(distinct t.container_id) as containers from time t
        join timesheet o on o.tenant_id = ${ownTenant} and o.user_id = t.user_id and t.date between o."from" and o."to"
      where t.tenant_id = ${tenantId} and t.id = any(${ids}::uuid[]) group by o.id)
    select ${timesheets.json(s)} as json, place.containers as "containerIds" from place join timesheet s on s.tenant_id = ${ownTenant} and s.id = place.id`
  const states = rows.flatMap(({ json, containerIds }) => {
    const sheet: Timesheet = JSON.parse(json)
    return containerIds.map(container => ({ sheet: sheet.id, container, state: entryState(sheet, container ?? '') }))
  })
  await ctx.sql`
    with known as (
      select o.user_id, o."from", o."to", w.container, w.state
      from jsonb_to_recordset(${JSON.stringify(states)}::jsonb) as w(sheet uuid, container uuid, state int) join timesheet o on o.tenant_id = ${ownTenant} and o.id = w.sheet
    ), found as (
      select t.id, k.state from time t
        left join known k on k.user_id = t.user_id and t.date between k."from" and k."to" and k.container is not distinct from t.container_id
      where t.tenant_id = ${tenantId} and t.id = any(${ids}::uuid[]))
    update time t set state = coalesce(found.state, ${timeState.logged}::int), invoice_id = null, billed_seconds = null,
      updated = ${ctx.now}, updated_by = ${userId}, version = t.version + 1
    from found where t.tenant_id = ${tenantId} and t.id = found.id`
}

async function settle(ctx: Context, invoiceId: Id): Promise<void> {
  const { tenantId, userId } = ctx.caller
  await ctx.sql`update time t set billed_seconds = e.billed_seconds, updated = ${ctx.now}, updated_by = ${userId}, version = t.version + 1
    from invoice_entry e where e.tenant_id = ${ownTenant} and e.invoice_id = ${invoiceId} and not e.released and not e.adjusts
      and t.tenant_id = ${tenantId} and t.id = e.time_id`
}

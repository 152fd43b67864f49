import { may, type Permission } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { kind } from '../../kernel/kinds.ts'
import { operation, type Routes } from '../../kernel/operation.ts'
import { fault, Invalid } from '../../kernel/refusal.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { ownTenant, raw, type Sql, sql } from '../../kernel/sql.ts'
import { formatDecimal, unitsOf } from '../../language/decimal.ts'
import { readableIn, readBill, readCost } from '../../records/amounts.ts'
import { customersOf, customerTimes, isBillable, places } from '../billable-time.ts'
import { shownAccount } from '../contract/contract.ts'
import { accountsOf } from '../contract/contract-accounts.ts'
import { contracts } from '../contract/contract-record.ts'
import { invoiceKind, invoiceState } from '../invoice/invoice-record.ts'
import { tenantToday } from '../tenant-day.ts'
import { crms } from './crm.ts'

/** The codes of service-level clocks that a summary counts; clocks are of a higher room. */
interface ClockCodes {
  met: number
  metLate: number
}

/** From the first to the last day. */
interface Days {
  from: string
  to: string
}

const draft = 0
const closed = [4, 5]
const item = raw('i')

/** The items of a customer that the caller sees: its own, and those of its containers that name no other. */
const itemsOf = (
  ctx: Context,
  crmId: Id,
) => sql`i.tenant_id = ${ctx.caller.tenantId} and not i.deleted and ${kind('Item').visible(ctx.caller, item)}
  and (i.crm_id = ${crmId} or i.crm_id is null and exists (select 1 from container c where c.tenant_id = ${ownTenant} and c.id = i.container_id and c.crm_id = ${crmId}))`

async function serviceOf(ctx: Context, crmId: Id, { from, to }: Days, { met, metLate }: ClockCodes): Promise<object> {
  const { tenantId } = ctx.caller
  const [tickets] = await ctx.sql<{ open: number }>`select count(*)::int as open from item i
    join ticket k on k.tenant_id = ${tenantId} and k.id = i.id where ${itemsOf(ctx, crmId)} and i.status_category <> all(${closed}::int[])`
  const breach = sql`case when k.ended_at is null then coalesce(k.breached_at, case when k.due_at <= ${ctx.now}::timestamptz then k.due_at end) end`
  const [clocks] = await ctx.sql<{ met: number; late: number; breached: number }>`
    with decided as (select k.state, ${breach} as breach, coalesce(k.ended_at, ${breach}) as at from item_clock k
      where k.tenant_id = ${tenantId} and k.item_id in (select i.id from item i where ${itemsOf(ctx, crmId)}))
    select count(*) filter (where state = ${met})::int as met, count(*) filter (where state = ${metLate})::int as late,
      count(*) filter (where breach is not null)::int as breached
    from decided d join tenant t on t.tenant_id = ${tenantId} where (d.at at time zone coalesce(nullif(t.timezone, ''), 'UTC'))::date between ${from}::date and ${to}::date`
  const { met: kept = 0, late = 0, breached = 0 } = clocks ?? {}
  const all = kept + late + breached
  return {
    openTickets: tickets?.open ?? 0,
    breaches: late + breached,
    slaAttainment: all === 0 ? null : Math.round((10_000 * kept) / all) / 10_000,
  }
}

interface TimeSums {
  seconds: number
  billableSeconds: number
  cost: string
  home: string
  /** The entries whose price or cost the caller may not read in their container; they are in no sum of money. */
  withheld: number
}

/** Whether the caller may read such amounts of an entry (`t`). */
const shown = ({ caller }: Context, wanted: Permission): Sql => readableIn(caller, wanted, raw('t.container_id'))

async function timeOf(ctx: Context, crmId: Id, { from, to }: Days): Promise<TimeSums> {
  const [row] = await ctx.sql<TimeSums & Record<string, unknown>>`select coalesce(sum(t.seconds), 0)::float8 as seconds,
      coalesce(sum(t.seconds) filter (where ${isBillable}), 0)::float8 as "billableSeconds", coalesce(sum(t.cost_amount) filter (where ${shown(ctx, readCost)}), 0)::text as cost,
      count(*) filter (where t.cost_amount is not null and not ${shown(ctx, readCost)} or t.bill_amount is not null and not ${shown(ctx, readBill)})::int as withheld,
      (select currency from tenant where tenant_id = ${ctx.caller.tenantId}) as home
    from ${customerTimes(await customersOf(ctx, crmId))} ${places} where t.tenant_id = ${ctx.caller.tenantId} and t.state <> ${draft} and t.date between ${from}::date and ${to}::date`
  return row ?? { seconds: 0, billableSeconds: 0, cost: '0', home: '', withheld: 0 }
}

/** What was invoiced in each currency, credit notes taken off. */
async function netOf(ctx: Context, crmId: Id, { from, to }: Days): Promise<Map<string, bigint>> {
  const rows = await ctx.sql<{ currency: string; net: string }>`
    select currency, sum(case when kind = ${invoiceKind.creditNote} then -net::numeric else net::numeric end)::text as net from invoice
    where tenant_id = ${ctx.caller.tenantId} and crm_id = ${crmId} and state = ${invoiceState.issued} and not deleted and date between ${from}::date and ${to}::date
    group by currency order by currency`
  return new Map(rows.map(({ currency, net }) => [currency, unitsOf(net)]))
}

/** The value of billable time that is on no invoice, in each currency. */
async function unbilledOf(ctx: Context, crmId: Id, { from, to }: Days): Promise<object[]> {
  return await ctx.sql`select t.currency, sum(t.bill_amount)::text as amount from ${customerTimes(await customersOf(ctx, crmId))}
    where t.tenant_id = ${ctx.caller.tenantId} and t.invoice_id is null and t.state <> ${draft} and t.bill_amount is not null and ${shown(ctx, readBill)}
      and t.date between ${from}::date and ${to}::date group by t.currency order by t.currency`
}

/** Money as far as the caller may read it. Currencies are never added, and a margin is of one currency. */
async function moneyOf(ctx: Context, crmId: Id, days: Days, { cost, home, withheld }: TimeSums): Promise<object> {
  const [bills, costs] = [may(ctx.caller, readBill), may(ctx.caller, readCost)]
  const net = bills ? await netOf(ctx, crmId, days) : new Map<string, bigint>()
  const mixedCurrency = [...net.keys()].some(each => each !== home)
  const income = net.get(home) ?? 0n
  return {
    ...(bills
      ? {
          net: [...net].map(([currency, amount]) => ({ currency, amount: formatDecimal(amount) })),
          unbilled: await unbilledOf(ctx, crmId, days),
        }
      : {}),
    ...(costs ? { cost: { currency: home, amount: formatDecimal(unitsOf(cost)) } } : {}),
    ...(bills && costs
      ? { mixedCurrency, margin: mixedCurrency || withheld > 0 ? null : formatDecimal(income - unitsOf(cost)) }
      : {}),
    ...((bills || costs) && withheld > 0 ? { withheld } : {}),
  }
}

async function contractsOn(ctx: Context, crmId: Id, day: string): Promise<object> {
  if (!may(ctx.caller, contracts.permissions.read)) return {}
  const { all, accounts } = await accountsOf(ctx, crmId, day)
  const running = all.filter(({ from, to }) => (from ?? '') <= day && (to === null || to >= day))
  return {
    contracts: running.flatMap(each => {
      const account = accounts.get(each.id)
      return account ? [{ name: each.name, ...shownAccount(each, account) }] : []
    }),
  }
}

const amount: Schema = {
  type: 'object',
  properties: { currency: { type: 'string' }, amount: { type: 'string', format: 'decimal' } },
  required: ['currency', 'amount'],
}
const schema: Schema = {
  type: 'object',
  title: 'CrmSummary',
  properties: {
    from: { type: 'string', format: 'date' },
    to: { type: 'string', format: 'date' },
    openTickets: { type: 'integer', description: 'Open now.' },
    breaches: { type: 'integer', description: 'Targets that were missed in the period.' },
    slaAttainment: { type: ['number', 'null'], description: 'Met ÷ (met + met late + breached); null without any.' },
    seconds: { type: 'integer' },
    billableSeconds: { type: 'integer' },
    contracts: {
      type: 'array',
      items: { type: 'object' },
      description: 'The accounts on the last day; with `contract.read`.',
    },
    net: { type: 'array', items: amount, description: 'Issued in the period, less credit notes; with `bill.read`.' },
    unbilled: { type: 'array', items: amount },
    cost: { ...amount, description: 'With `cost.read`.' },
    margin: {
      type: ['string', 'null'],
      description: 'Net less cost; null if there are several currencies or `withheld` entries.',
    },
    mixedCurrency: { type: 'boolean' },
    withheld: {
      type: 'integer',
      description:
        'The entries in containers whose amounts the caller may not read; they are in no sum of money. Absent if there are none.',
    },
  },
  required: ['from', 'to', 'openTickets', 'breaches', 'slaAttainment', 'seconds', 'billableSeconds'],
}

/** The summary of a customer. */
export function summaryRoutes(codes: ClockCodes): Routes {
  const summary = operation({
    permission: crms.permissions.read,
    mode: 'read',
    summary: 'Sum a customer up',
    description:
      'Tickets, service levels, time, contracts and money of a customer from a first to a last day; the current month by default. Tickets and service levels are those of items that the caller sees; money is shown to those who may read it.',
    query: { from: { type: 'string', format: 'date' }, to: { type: 'string', format: 'date' } },
    reply: { status: 200, schema, description: 'The summary.' },
    refusals: [404],
    async run(ctx, { params, query }) {
      const { id } = await crms.get(ctx, params.id ?? '')
      const today = await tenantToday(ctx)
      const to = typeof query.to === 'string' ? query.to : today
      const from = typeof query.from === 'string' ? query.from : `${to.slice(0, 7)}-01`
      if (to < from)
        throw new Invalid([fault(['to'], 'range', 'must not be before from', to)], 'the query is not valid')
      const days = { from, to }
      const time = await timeOf(ctx, id, days)
      const { seconds, billableSeconds } = time
      const service = await serviceOf(ctx, id, days, codes)
      const money = await moneyOf(ctx, id, days, time)
      return { body: { ...days, ...service, seconds, billableSeconds, ...(await contractsOn(ctx, id, to)), ...money } }
    },
  })
  return { 'GET /finance/crm/:id/summary': summary }
}

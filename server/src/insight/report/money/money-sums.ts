import { customersOf } from '../../../finance/billable-time.ts'
import { invoiceKind, invoiceState, invoices } from '../../../finance/invoice/invoice.ts'
import { demand, type Permission } from '../../../kernel/access.ts'
import type { Context } from '../../../kernel/context.ts'
import { type Id, isId } from '../../../kernel/id.ts'
import { isDate } from '../../../kernel/schema/formats.ts'
import type { Schema } from '../../../kernel/schema/shape.ts'
import { and, ownTenant, raw, type Sql, sql, unprepared } from '../../../kernel/sql.ts'
import { readableIn, readBill } from '../../../records/amounts.ts'
import { timeState } from '../../../time/time-state.ts'
import { sources } from '../../query/source.ts'
import { type Period, readPeriod } from '../period.ts'
import type { ReportInput } from '../report-declaration.ts'
import { bodyWith, common } from '../report-schema.ts'
import { bounded } from '../table.ts'

// What customers were billed, and what the work for them is worth and costs. Currencies are never added: a row is of one currency.

/** The sums of a group in one currency, as decimals. */
export interface MoneyRow {
  crm: Id | ''
  crmLabel: string
  month: string
  currency: string
  /** What the work is worth at the prices of its entries, and the part of it that no document holds. */
  worked: string
  unbilled: string
  /** What was issued, credit notes taken off. */
  net: string
  /** In the row of the tenant's currency. */
  cost: string
  /** The entries whose price or cost the caller may not read in their container; they are in none of the sums. */
  withheld: number
  /** Whether `currency` is that of the tenant. */
  home: boolean
}

const groups: readonly string[] = ['crm', 'month']
const usual = ['crm']
const maxDays = 3660
const { timezone = {} } = common

/** The body of a report on money. */
export const moneyBody = bodyWith<ReportInput>(
  { timezone, groupBy: { type: 'array', maxItems: 2, uniqueItems: true, items: { type: 'string', enum: groups } } },
  { example: { groupBy: usual } },
)

export const moneyColumns: Record<string, Schema> = {
  crm: { type: ['string', 'null'], description: 'The customer; null for work without one.' },
  crmLabel: { type: ['string', 'null'] },
  month: { type: 'string', format: 'date' },
  currency: { type: 'string' },
  withheld: {
    type: 'integer',
    description:
      'The entries in containers whose amounts the caller may not read; they are in no sum. Absent if there are none.',
  },
}

export const decimal = (description: string): Schema => ({ type: 'string', format: 'decimal', description })

/** Time is counted by its date, documents by theirs. Time of a merged customer is that of the one that it became. */
export async function moneySums(
  ctx: Context,
  input: ReportInput,
  needed: readonly Permission[] = [readBill],
): Promise<MoneyRow[]> {
  demand(ctx.caller, readBill)
  demand(ctx.caller, invoices.permissions.read)
  const { first, last } = readPeriod(ctx, input, maxDays)
  const by = new Set(input.groupBy ?? usual)
  const crm = (value: Sql) => (by.has('crm') ? value : raw('null::uuid'))
  const month = (value: Sql) => (by.has('month') ? sql`date_trunc('month', ${value})::date` : raw('null::date'))
  const { tenantId } = ctx.caller
  const amount = raw('::numeric(30,4)::text')
  const shown = shownTo(ctx, needed)
  return await bounded(
    ctx,
    () =>
      ctx.sql<MoneyRow & Record<string, unknown>>`${unprepared(sql`
    with recursive root as (
      select k.id, k.id as root from crm k where k.tenant_id = ${tenantId} and k.merged_into is null
      union all select k.id, root.root from crm k join root on k.merged_into = root.id where k.tenant_id = ${tenantId}
    ), home as (select h.currency from tenant h where h.tenant_id = ${tenantId}),
    entry as (
      select ${crm(sql`coalesce(r.root, t.crm_id)`)} as crm, ${month(sql`t.date`)} as month, t.currency, t.invoice_id,
        case when ${shown} then t.bill_amount end as bill_amount, case when ${shown} then t.cost_amount end as cost_amount,
        not ${shown} and (t.bill_amount is not null or t.cost_amount is not null) as withheld
      from time t left join root r on r.id = t.crm_id where ${workIn(ctx, { first, last })}
    ), part as (
      select crm, month, currency, sum(bill_amount) as worked, coalesce(sum(bill_amount) filter (where invoice_id is null), 0) as unbilled, 0 as net, 0 as cost, 0 as withheld
        from entry where bill_amount is not null group by 1, 2, 3
      union all select crm, month, home.currency, 0, 0, 0, sum(cost_amount), 0 from entry, home where cost_amount is not null group by 1, 2, 3
      union all select crm, month, coalesce(nullif(entry.currency, ''), home.currency), 0, 0, 0, 0, count(*) from entry, home where withheld group by 1, 2, 3
      union all select ${crm(sql`coalesce(r.root, i.crm_id)`)}, ${month(sql`i.date`)}, i.currency, 0, 0,
          sum(case when i.kind = ${invoiceKind.creditNote} then -i.net::numeric else i.net::numeric end), 0, 0
        from invoice i left join root r on r.id = i.crm_id
        where i.tenant_id = ${tenantId} and not i.deleted and i.state = ${invoiceState.issued} and i.date between ${first}::date and ${last}::date group by 1, 2, 3
    )
    select coalesce(p.crm::text, '') as crm, coalesce(max(k.name), '') as "crmLabel", coalesce(p.month::text, '') as month, p.currency,
      sum(p.worked)${amount} as worked, sum(p.unbilled)${amount} as unbilled, sum(p.net)${amount} as net, sum(p.cost)${amount} as cost, sum(p.withheld)::int as withheld,
      p.currency = (select home.currency from home) as home
    from part p left join crm k on k.tenant_id = ${ownTenant} and k.id = p.crm group by p.crm, p.month, p.currency order by 2, 1, 3, 4`)}`,
  )
}

/** The work (`t`) of a period that the caller sees. */
function workIn(ctx: Context, { first, last }: Pick<Period, 'first' | 'last'>): Sql {
  return and([
    sources.Time.rows(ctx),
    sql`t.state <> ${timeState.draft} and t.date between ${first}::date and ${last}::date`,
  ])
}

/** The work (`t`) in containers where the caller holds all of these permissions. */
function shownTo({ caller }: Context, needed: readonly Permission[]): Sql {
  return and(needed.map(each => readableIn(caller, each, raw('t.container_id'))))
}

/** Identifies the row. */
export function keyOf({ crm, month, currency }: MoneyRow): string {
  return [crm, month, currency].join('_')
}

/** The values of a row by which it is grouped. */
export function groupValues({ crm, crmLabel, month, currency, withheld }: MoneyRow, { groupBy = usual }: ReportInput) {
  return {
    ...(groupBy.includes('crm') ? { crm: crm || null, crmLabel: crmLabel || null } : {}),
    ...(groupBy.includes('month') ? { month } : {}),
    currency,
    ...(withheld > 0 ? { withheld } : {}),
  }
}

/** The work behind a row; `counted` says which of it. */
export async function workOf(
  ctx: Context,
  input: ReportInput,
  key: string,
  counted: (currency: string) => Sql,
  needed: readonly Permission[] = [readBill],
) {
  demand(ctx.caller, readBill)
  const [crm = '', month = '', currency = ''] = key.split('_')
  const { groupBy = usual } = input
  const ofCrm = isId(crm) ? sql`t.crm_id = any(${await customersOf(ctx, crm)}::uuid[])` : raw('t.crm_id is null')
  const ofMonth = isDate(month) ? sql`date_trunc('month', t.date)::date = ${month}::date` : raw('false')
  return and([
    workIn(ctx, readPeriod(ctx, input, maxDays)),
    shownTo(ctx, needed),
    groupBy.includes('crm') ? ofCrm : raw('true'),
    groupBy.includes('month') ? ofMonth : raw('true'),
    counted(currency),
  ])
}

/** A ratio of two decimals with four places; null without a whole. */
export function ratioOf(part: string, whole: string): number | null {
  return Number(whole) === 0 ? null : Math.round((Number(part) / Number(whole)) * 10_000) / 10_000
}

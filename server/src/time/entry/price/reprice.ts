import { demand, managers, permission } from '../../../kernel/access.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Id } from '../../../kernel/id.ts'
import { operation, type Routes } from '../../../kernel/operation.ts'
import { refuseUnknown } from '../../../kernel/record/references.ts'
import { fault, Invalid, RuleBroken } from '../../../kernel/refusal.ts'
import { reader, type Schema } from '../../../kernel/schema/shape.ts'
import { Refs } from '../../../kernel/schema/values.ts'
import { and, raw, type Sql, sql } from '../../../kernel/sql.ts'
import { readBill, readCost } from '../../../records/amounts.ts'
import { lockRecords, updateRecords } from '../../../records/history/rewrite.ts'
import { holdClosing, isClosedDay, isOpenTime } from '../../closed/closing.ts'
import { isCorrected } from '../../corrected.ts'
import { type Time, type TimeValues, times, visibleTimes } from '../../time.ts'
import { closedStates, timeState } from '../../time-state.ts'
import { type BillOfRates, billOfRates, ofEntry, withPrices } from './rate-override.ts'

/** An undo takes back at most as many. */
const maxEntries = 5000

type Which = 'bill' | 'cost' | 'both'

interface Reprice {
  from: string
  to: string
  containerIds?: Id[]
  crmIds?: Id[]
  userIds?: Id[]
  which: Which
}

const day: Schema = { type: 'string', format: 'date', maxLength: 10 }
const body: Schema = {
  type: 'object',
  properties: {
    from: day,
    to: day,
    containerIds: Refs('Container'),
    crmIds: Refs('Crm'),
    userIds: Refs('User'),
    which: { type: 'string', enum: ['bill', 'cost', 'both'] },
  },
  required: ['from', 'to', 'which'],
  additionalProperties: false,
}

const count: Schema = { type: 'integer' }
const sums: Schema = {
  type: 'array',
  items: {
    type: 'object',
    properties: { currency: { type: 'string' }, before: { type: 'string' }, after: { type: 'string' } },
    required: ['currency', 'before', 'after'],
  },
}
const answer: Schema = {
  type: 'object',
  title: 'Repriced',
  properties: {
    changed: count,
    unchanged: count,
    skipped: {
      type: 'object',
      properties: {
        submitted: count,
        approved: count,
        invoiced: count,
        locked: count,
        closed: count,
        corrected: count,
        ownPrice: count,
      },
      description: 'Entries that keep their rates, by reason. An entry with a price of its own keeps that only.',
    },
    bill: { ...sums, description: 'The sums of the open entries, by currency; absent if only costs were asked for.' },
    cost: { ...sums, description: 'The same for costs, which are in the currency of the tenant.' },
  },
  required: ['changed', 'unchanged', 'skipped'],
}

/** What the rates give an entry now. */
interface Resolved extends BillOfRates {
  id: Id
  costRate: string | null
  costSource: string
  costMultiplier: string
  costMultiplierId: Id | ''
}

const reprice = operation<Reprice>({
  permission: permission('time.reprice', managers),
  mode: 'write',
  summary: 'Price entries again',
  description: `Gives the open entries of a period the rates that hold now. Entries that are submitted, approved, invoiced, locked, corrected or on a closed day keep theirs, and so does a price that was given for the entry itself. At most ${maxEntries} entries at once; undoing the change set restores the rates. Needs \`bill.read\` and \`cost.read\` for what is asked.`,
  body: { schema: body, read: reader(body), example: { from: '2026-04-01', to: '2026-04-30', which: 'both' } },
  reply: { status: 200, schema: answer, description: 'What changed, and what did not.' },
  refusals: [422],
  async run(ctx, { body: wanted }) {
    if (wanted.to < wanted.from) throw new Invalid([fault(['to'], 'range', 'must not be before from', wanted.to)])
    if (wanted.which !== 'cost') demand(ctx.caller, readBill)
    if (wanted.which !== 'bill') demand(ctx.caller, readCost)
    await refuseUnknown(ctx, referencesIn(wanted))
    return { body: await repriced(ctx, wanted) }
  },
})

function referencesIn({ containerIds = [], crmIds = [], userIds = [] }: Reprice) {
  const of = (entity: string, property: string, ids: readonly Id[]) =>
    ids.map((id, i) => ({ entity, id, path: [property, i] }))
  return [
    ...of('Container', 'containerIds', containerIds),
    ...of('Crm', 'crmIds', crmIds),
    ...of('User', 'userIds', userIds),
  ]
}

async function repriced(ctx: Context, wanted: Reprice): Promise<object> {
  const where = chosen(ctx, wanted)
  await holdClosing(ctx)
  await refuseTooMany(ctx, where)
  const entries = await lockRecords(ctx, times, sql`${where} and ${isOpen}`)
  const resolved = await resolve(ctx, entries)
  const before = await sumsOf(ctx, where, wanted.which)
  const changes = entries.map(entry => [entry, newValues(entry, resolved.get(entry.id), wanted.which)] as const)
  const changed = await updateRecords(ctx, times, changes)
  const after = await sumsOf(ctx, where, wanted.which)
  return {
    changed,
    unchanged: entries.length - changed,
    skipped: await skippedOf(ctx, where),
    ...compared('bill', before, after),
    ...compared('cost', before, after),
  }
}

const isOpen = isOpenTime(raw('t'))

function chosen({ caller }: Context, { from, to, containerIds, crmIds, userIds }: Reprice): Sql {
  const among = (column: string, some: readonly Id[] | undefined) =>
    some ? [sql`t.${raw(column)} = any(${some}::uuid[])`] : []
  return and([
    sql`t.date between ${from}::date and ${to}::date`,
    ...among('container_id', containerIds),
    ...among('crm_id', crmIds),
    ...among('user_id', userIds),
    visibleTimes(caller, raw('t')),
  ])
}

async function refuseTooMany(ctx: Context, where: Sql): Promise<void> {
  const [row] = await ctx.sql<{ count: number }>`select count(*)::int as count from (select 1 from time t
    where t.tenant_id = ${ctx.caller.tenantId} and not t.deleted and ${where} and ${isOpen} limit ${maxEntries + 1}) open`
  if ((row?.count ?? 0) > maxEntries)
    throw new RuleBroken(
      'too-many-records',
      `these are more than ${maxEntries} entries: choose a shorter period, or fewer containers`,
    )
}

async function resolve(ctx: Context, entries: readonly Time[]): Promise<Map<Id, Resolved>> {
  const rows =
    await ctx.sql<Resolved>`select t.id, ${billOfRates}, r.cost::numeric(19,4)::text as "costRate", r.cost_source as "costSource",
      r.cost_multiplier::numeric(6,4)::text as "costMultiplier", coalesce(r.cost_multiplier_id::text, '') as "costMultiplierId"
    from time t ${withPrices}
    where t.tenant_id = ${ctx.caller.tenantId} and t.id = any(${entries.map(({ id }) => id)}::uuid[])`
  return new Map(rows.map(row => [row.id, row]))
}

function newValues({ rateSource }: Time, found: Resolved | undefined, which: Which): Partial<TimeValues> {
  if (!found) return {}
  const { id: _id, costRate, costSource, costMultiplier, costMultiplierId, ...bill } = found
  return {
    ...(which === 'cost' || rateSource === ofEntry ? {} : bill),
    ...(which === 'bill' ? {} : { costRate, costSource, costMultiplier, costMultiplierId }),
  }
}

interface Sum {
  what: 'bill' | 'cost'
  currency: string
  sum: string
}

/** The sums of the open entries by currency. Currencies are never added. */
async function sumsOf(ctx: Context, where: Sql, which: Which): Promise<Sum[]> {
  const open = sql`from time t where t.tenant_id = ${ctx.caller.tenantId} and not t.deleted and ${where} and ${isOpen}`
  const bill =
    await ctx.sql<Sum>`select 'bill' as what, t.currency, coalesce(sum(t.bill_amount), 0)::numeric(30,4)::text as sum ${open} and t.bill_amount is not null group by 2 order by 2`
  const cost =
    await ctx.sql<Sum>`select 'cost' as what, '' as currency, coalesce(sum(t.cost_amount), 0)::numeric(30,4)::text as sum ${open}`
  return [...(which === 'cost' ? [] : bill), ...(which === 'bill' ? [] : cost)]
}

function compared(what: Sum['what'], before: readonly Sum[], after: readonly Sum[]): object {
  const own = (sums: readonly Sum[]) =>
    new Map(sums.filter(each => each.what === what).map(each => [each.currency, each.sum]))
  const [then, now] = [own(before), own(after)]
  const currencies = [...new Set([...then.keys(), ...now.keys()])].sort()
  if (currencies.length === 0) return {}
  const none = '0.0000'
  return {
    [what]: currencies.map(currency => ({
      currency,
      before: then.get(currency) ?? none,
      after: now.get(currency) ?? none,
    })),
  }
}

const reasons = {
  submitted: timeState.submitted,
  approved: timeState.approved,
  invoiced: timeState.invoiced,
  locked: timeState.locked,
}

async function skippedOf(ctx: Context, where: Sql): Promise<Record<string, number>> {
  const rows = await ctx.sql<{
    state: number
    own: boolean
    closed: boolean
    corrected: boolean
    count: number
  }>`select t.state, t.rate_source = 'entry' as own, ${isClosedDay(raw('t'))} as closed, ${isCorrected(raw('t'))} as corrected, count(*)::int as count from time t
    where t.tenant_id = ${ctx.caller.tenantId} and not t.deleted and ${where} group by 1, 2, 3, 4`
  const total = (some: typeof rows) => some.reduce((sum, { count }) => sum + count, 0)
  const byState = Object.entries(reasons).map(
    ([reason, state]) => [reason, total(rows.filter(row => row.state === state))] as const,
  )
  const others = rows.filter(row => !closedStates.includes(row.state))
  const closed = total(others.filter(row => row.closed))
  const corrected = total(others.filter(row => row.corrected && !row.closed))
  const ownPrice = total(others.filter(row => row.own && !row.corrected && !row.closed))
  const all = [...byState, ['closed', closed], ['corrected', corrected], ['ownPrice', ownPrice]] as const
  return Object.fromEntries(all.filter(([, number]) => number > 0))
}

export const routes: Routes = { 'POST /time/reprice': reprice }

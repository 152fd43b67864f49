import { Temporal } from 'temporal-polyfill'
import { absenceKind, dayHalf, leaveState, leaves } from '../../admin/leave/leave.ts'
import { crms } from '../../finance/crm/crm.ts'
import { visibleContainers } from '../../identity/visibility.ts'
import { items } from '../../items/item/item.ts'
import { closedCategories } from '../../items/status.ts'
import { may, maySomewhere } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { ownTenant, raw } from '../../kernel/sql.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { allocationState, allocations } from '../allocation/allocation.ts'
import { allocationUnit } from '../allocation/spread.ts'
import { plannedDates } from '../allocation/subject-days.ts'
import type { CalendarEvent } from './icalendar.ts'

/** The days before and after today that a feed contains. */
const feedDays = { before: 90, after: 400 } as const
/** The most records of each kind. */
const maxEach = 2000
/** How long deleted allocations and cancelled leave stay in a feed, as cancelled, for programs that keep what they have read. */
const cancelledDays = 30

interface Period {
  from: string
  to: string
  /** Cancelled after this moment. */
  since: Date
}

/** What is planned for the caller: allocations, leave and due items, as far as the caller may read them now. */
export async function feedEvents(ctx: Context): Promise<CalendarEvent[]> {
  const { caller, now } = ctx
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(caller.timezone).toPlainDate()
  const period = {
    from: today.subtract({ days: feedDays.before }).toString(),
    to: today.add({ days: feedDays.after }).toString(),
    since: new Date(now.getTime() - cancelledDays * 86_400_000),
  }
  return [
    ...(maySomewhere(caller, allocations.permissions.read) ? await allocationEvents(ctx, period) : []),
    ...(may(caller, leaves.permissions.read) ? await leaveEvents(ctx, period) : []),
    ...(maySomewhere(caller, items.permissions.read) ? await dueEvents(ctx, period) : []),
  ]
}

const uid = (what: string, id: Id) => `${what}-${id}@gantry`

interface AllocationRow {
  id: Id
  version: number
  updated: Date
  deleted: boolean
  from: string
  to: string
  recurrence: string
  unit: number
  amount: number
  note: string
  firm: boolean
  item: ShownItem | null
  name: string | null
}

interface ShownItem {
  entity: 'Item'
  id: Id
  key?: string
  title?: string
}

/** An allocation is always shown to its user; what it is for is named only if the user may see that. */
async function allocationEvents(ctx: Context, { from, to, since }: Period): Promise<CalendarEvent[]> {
  const { caller } = ctx
  const [i, k] = [raw('i'), raw('k')]
  const ofCustomer = may(caller, crms.permissions.read) ? crms.visible(caller, k) : raw('false')
  const rows = await ctx.sql<AllocationRow>`
    select p.id, p.version, p.updated, p.deleted, p."from", p."to", p.recurrence, p.unit, p.amount::float8 as amount, p.note,
      p.state = ${allocationState.approved} and not p.tentative as firm,
      case when i.id is not null then json_build_object('entity', 'Item', 'id', i.id, 'key', i.key, 'title', i.title) end as item,
      coalesce(k.name, n.name, c.name) as name
    from plan p
    left join item i on i.tenant_id = ${ownTenant} and i.id = case when p.owner = ${ownerKind.item} then p.owner_id::uuid end and not i.deleted and ${items.visible(caller, i)}
    left join crm k on k.tenant_id = ${ownTenant} and k.id = case when p.owner = ${ownerKind.crm} then p.owner_id::uuid end and not k.deleted and ${ofCustomer}
    left join non_billable n on n.tenant_id = ${ownTenant} and n.id = p.non_billable
    left join container c on c.tenant_id = ${ownTenant} and c.id = p.container_id and not c.deleted and ${visibleContainers(caller, raw('c.id'))}
    where p.tenant_id = ${caller.tenantId} and p.user_id = ${caller.userId} and p."to" >= ${from}::date and p."from" <= ${to}::date
      and p.state <> ${allocationState.draft} and (not p.deleted or p.updated > ${since}) order by p."from", p.id limit ${maxEach}`
  const shown = await redactedItems(
    ctx,
    rows.flatMap(each => each.item ?? []),
  )
  return rows.flatMap(row => {
    const about = row.item ? labelOf(shown.get(row.item.id)) : ''
    const common = {
      sequence: row.version,
      updated: row.updated,
      summary: about || row.name || 'Planned work',
      description: [amountOf(row), row.note].filter(Boolean).join('\n'),
      ...(row.item ? { url: itemUrl(ctx, row.item.id) } : {}),
      status: row.deleted ? ('CANCELLED' as const) : row.firm ? ('CONFIRMED' as const) : ('TENTATIVE' as const),
      busy: !row.deleted && row.firm,
    }
    return spansOf(row).map((span, n) => ({
      ...common,
      ...span,
      uid: uid('plan', n === 0 ? row.id : `${row.id}-${span.from}`),
    }))
  })
}

/** The days of an allocation, without gaps; one with a recurrence has a span for each stretch of days. */
function spansOf({ from, to, recurrence }: AllocationRow): { from: string; to: string }[] {
  const dates = plannedDates({ from, to, recurrence })
  if (!dates) return [{ from, to }]
  const spans: { from: string; to: string }[] = []
  for (const date of [...dates].sort()) {
    const last = spans.at(-1)
    if (last && Date.parse(date) - Date.parse(last.to) === 86_400_000) last.to = date
    else spans.push({ from: date, to: date })
  }
  return spans
}

function amountOf({ unit, amount }: AllocationRow): string {
  switch (unit) {
    case allocationUnit.minutesPerDay:
      return `${amount} minutes a day`
    case allocationUnit.totalMinutes:
      return `${amount} minutes in total`
    case allocationUnit.percent:
      return `${amount} % of the capacity`
    default:
      // An unknown unit plans nothing.
      return ''
  }
}

interface LeaveRow {
  id: Id
  version: number
  updated: Date
  from: string
  to: string | null
  fromHalf: number
  toHalf: number
  kind: number
  name: string | null
  state: number
  deleted: boolean
}

const leaveNames: Readonly<Record<number, string>> = {
  [absenceKind.holiday]: 'Holiday',
  [absenceKind.illness]: 'Illness',
  [absenceKind.training]: 'Training',
  [absenceKind.other]: 'Absence',
}

async function leaveEvents(ctx: Context, { from, to, since }: Period): Promise<CalendarEvent[]> {
  const { caller } = ctx
  const rows = await ctx.sql<LeaveRow>`
    select l.id, l.version, l.updated, l."from", l."to", l.from_half as "fromHalf", l.to_half as "toHalf", l.kind, n.name, l.state,
      l.deleted or l.state not in (${leaveState.requested}, ${leaveState.approved}) as deleted
    from leave l left join non_billable n on n.tenant_id = ${ownTenant} and n.id = l.non_billable
    where l.tenant_id = ${caller.tenantId} and l.user_id = ${caller.userId} and coalesce(l."to", ${to}::date) >= ${from}::date and l."from" <= ${to}::date
      and (l.updated > ${since} or not l.deleted and l.state in (${leaveState.requested}, ${leaveState.approved})) order by l."from", l.id limit ${maxEach}`
  return rows.map(row => ({
    uid: uid('leave', row.id),
    sequence: row.version,
    updated: row.updated,
    from: row.from,
    to: row.to ?? (row.from > to ? row.from : to),
    summary: `${row.name || (leaveNames[row.kind] ?? 'Absence')}${halvesOf(row)}`,
    status: row.deleted ? 'CANCELLED' : row.state === leaveState.approved ? 'CONFIRMED' : 'TENTATIVE',
    busy: !row.deleted,
    private: true,
  }))
}

/** A calendar of whole days cannot show the hours of half a day, which depend on the contract; the title tells of it. */
function halvesOf({ from, to, fromHalf, toHalf }: LeaveRow): string {
  const names: Readonly<Record<number, string>> = { [dayHalf.morning]: 'morning', [dayHalf.afternoon]: 'afternoon' }
  const [first, last] = [names[fromHalf], names[toHalf]]
  if (from === to) return first ? ` (${first})` : ''
  const parts = [...(first ? [`from the ${first} on`] : []), ...(last ? [`until the ${last}`] : [])]
  return parts.length > 0 ? ` (${parts.join(', ')})` : ''
}

async function dueEvents(ctx: Context, { from, to }: Period): Promise<CalendarEvent[]> {
  const { caller } = ctx
  const rows = await ctx.sql<ShownItem & { version: number; updated: Date; dueDate?: string }>`
    select 'Item' as entity, t.id, t.key, t.title, t.due_date as "dueDate", t.version, t.updated from item t
    where t.tenant_id = ${caller.tenantId} and t.id in (select a.item_id from item_assignee a where a.tenant_id = ${caller.tenantId} and a.user_id = ${caller.userId}) and t.due_date between ${from}::date and ${to}::date
      and t.status_category not in ${closedCategories} and not t.deleted and not t.archived and ${items.visible(caller, raw('t'))}
    order by t.due_date, t.id limit ${maxEach}`
  const shown = await redactedItems(ctx, rows)
  return rows.flatMap(row => {
    const seen = shown.get(row.id)
    if (!seen?.dueDate) return []
    return [
      {
        uid: uid('due', row.id),
        sequence: row.version,
        updated: row.updated,
        from: seen.dueDate,
        to: seen.dueDate,
        summary: `Due: ${labelOf(seen) || 'item'}`,
        url: itemUrl(ctx, row.id),
        status: 'CONFIRMED' as const,
        busy: false,
      },
    ]
  })
}

/** Items without the fields that are hidden from the caller. */
async function redactedItems<I extends ShownItem>(ctx: Context, found: readonly I[]): Promise<Map<Id, Partial<I>>> {
  // The redaction keeps the form of what it is given, less some properties.
  const shown = (await ctx.services.redaction.redact(ctx, found)) as Partial<I>[]
  return new Map(shown.map(each => [each.id ?? '', each]))
}

const labelOf = (item: Partial<ShownItem> | undefined): string => [item?.key, item?.title].filter(Boolean).join(' ')

const itemUrl = (ctx: Context, id: Id) => `${ctx.services.baseUrl}/api/item/${id}`

import { withSystemAuthority } from '../../identity/tenant-caller.ts'
import type { DependentDates } from '../../items/link/link.ts'
import type { ItemChange, ValidationResult } from '../../items/validation/validation.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { fault, RuleBroken } from '../../kernel/refusal.ts'
import { ownTenant, raw, sql } from '../../kernel/sql.ts'
import { firstDay } from './link-days.ts'
import { type Dates, schedule, schedulingMode } from './schedule.ts'
import { refuseScheduleCycle } from './schedule-cycle.ts'
import { type Dependency, dependencyKind } from './schedule-graph.ts'
import { readItems, readLinks, scheduling, withPredecessors } from './schedule-source.ts'
import { dateOf, dayNumber, openDays, type WorkCalendar } from './work-calendar.ts'

/** The maximum numbers of items that one change moves and examines. */
const maxFollowers = 500
const maxReached = 10_000

/** How a change of an item moves those that wait for it, and what it refuses. */
export const dependentDates: DependentDates = {
  async follow(ctx, ids, more) {
    if (!(await isFollowed(ctx, ids))) return
    const reached = await reachedFrom(ctx, ids)
    const found = await readItems(ctx, sql`t.id = any(${reached}::uuid[])`, raw('for update of t'))
    const links = await readLinks(
      ctx,
      found.map(each => each.id),
    )
    const result = schedule(await withPredecessors(ctx, found, links), links)
    if ('circle' in result) throw await refuseScheduleCycle(ctx, result.circle)
    const before = new Map(found.map(each => [each.id, each]))
    const moved = result.items.filter(({ id, dates }) => hasMoved(before.get(id), dates))
    if (moved.length > maxFollowers) throw tooMany()
    if (moved.length === 0) return
    await more(
      withSystemAuthority(ctx),
      moved.map(({ id, dates }) => ({ id, read: { patch: dates, warnings: [] } })),
    )
  },
  async validate(ctx, changes) {
    const moved = changes.filter(mayBeEarly)
    return moved.length === 0 ? [] : await tooEarly(ctx, moved)
  },
}

export function hasMoved(before: Dates | undefined, { startDate, dueDate }: Dates): boolean {
  return before !== undefined && (before.startDate !== startDate || before.dueDate !== dueDate)
}

/** Whether anything waits for these items, or a parent follows them. */
async function isFollowed(ctx: Context, ids: readonly Id[]): Promise<boolean> {
  const { tenantId } = ctx.caller
  const automatic = schedulingMode.automatic
  const [row] = await ctx.sql`select 1 from link l
      where l.tenant_id = ${tenantId} and (l.from_id = any(${ids}::uuid[])) and ${scheduling}
    union all select 1 from item i left join item p on p.tenant_id = ${tenantId} and p.id = i.parent_id
      where i.tenant_id = ${tenantId} and i.id = any(${ids}::uuid[]) and (i.scheduling = ${automatic} or p.scheduling = ${automatic})
    limit 1`
  return row !== undefined
}

/** The items, those that wait for them, and the automatic parents with their children, in turn. */
async function reachedFrom(ctx: Context, ids: readonly Id[]): Promise<Id[]> {
  const automatic = schedulingMode.automatic
  const rows = await ctx.sql<{ id: Id }>`with recursive reached as (
      select unnest(${ids}::uuid[]) as id
      union select x.id from reached r cross join lateral (
        select l.to_id as id from link l where l.tenant_id = ${ownTenant} and l.from_id = r.id and ${scheduling}
        union all select p.id from item i join item p on p.tenant_id = ${ownTenant} and p.id = i.parent_id and p.scheduling = ${automatic} and not p.deleted
          where i.tenant_id = ${ownTenant} and i.id = r.id
        union all select c.id from item p join item c on c.tenant_id = ${ownTenant} and c.parent_id = p.id and not c.deleted
          where p.tenant_id = ${ownTenant} and p.id = r.id and p.scheduling = ${automatic}) x)
    select id from reached limit ${maxReached + 1}`
  if (rows.length > maxReached) throw tooMany()
  return rows.map(row => row.id)
}

function tooMany(): RuleBroken {
  return new RuleBroken(
    'too-many-followers',
    `more than ${maxFollowers} following items would have to move; delete some links, or move the items in parts`,
    [fault(['dueDate'], 'too-many-followers', 'would move too many following items')],
  )
}

/** The first day of an item: its start date, or its due date if it has no start date. */
const beginning = ({ startDate, dueDate }: Dates) => startDate ?? dueDate

/** A fixed item may be anywhere; the schedule reports the conflict. */
function mayBeEarly({ before, after }: ItemChange): boolean {
  if (before === undefined || after.scheduling === schedulingMode.fixed || beginning(after) === null) return false
  return beginning(after) !== beginning(before) || after.dueDate !== before.dueDate
}

type Preceding = Dependency & Dates

async function tooEarly(ctx: Context, moved: readonly ItemChange[]): Promise<ValidationResult[]> {
  const ids = moved.map(({ after }) => after.id)
  const { tenantId } = ctx.caller
  // Closed items are left out: nothing waits for them.
  const rows = await ctx.sql<Preceding>`
    select l.id as "linkId", l.from_id as "fromId", l.to_id as "toId", l.dependency, l.lag_days as "lagDays", t.start_date as "startDate", t.due_date as "dueDate"
    from link l join item t on t.tenant_id = ${tenantId} and t.id = l.from_id
    where l.tenant_id = ${tenantId} and l.to_id = any(${ids}::uuid[]) and ${scheduling} and not t.deleted
      and (t.due_date is not null or t.start_date is not null) and not ${isClosed} order by t.id for share of t`
  if (rows.length === 0) return []
  const followers = await readItems(ctx, sql`t.id = any(${[...new Set(rows.map(each => each.toId))]}::uuid[])`)
  const calendars = new Map(followers.map(each => [each.id, each.calendar]))
  const byFollower = Map.groupBy(rows, each => each.toId)
  return moved.flatMap(change => {
    const calendar = calendars.get(change.after.id)
    return calendar ? refusalOf(change, byFollower.get(change.after.id) ?? [], calendar) : []
  })
}

const isClosed = sql`(t.closed_at is not null or t.merged_into is not null)`

function refusalOf(
  { before, after }: ItemChange,
  preceding: readonly Preceding[],
  calendar: WorkCalendar,
): ValidationResult[] {
  const begins = beginning(after)
  const ends = after.dueDate ?? begins
  if (!begins || !ends || !before) return []
  const isMoved = begins !== beginning(before)
  const length = Math.max(1, openDays(calendar, dayNumber(begins), dayNumber(ends)))
  const earliest = preceding
    .filter(each => (isMoved || tiesEnd(each)) && (each.dueDate !== null || !waitsForEnd(each)))
    .map(each => dateOf(firstDay(each, spanOf(each), calendar, length).first))
    .sort()
    .at(-1)
  if (!earliest || begins >= earliest) return []
  const property = after.startDate ? 'startDate' : 'dueDate'
  const message = `an item that precedes it is due later; the first possible day is ${earliest}`
  const faults = [fault([property], 'starts-too-early', `must not be before ${earliest}`, begins)]
  return [{ id: after.id, refusal: new RuleBroken('starts-too-early', message, faults, { earliest }) }]
}

function spanOf({ startDate, dueDate }: Dates) {
  return { start: dayNumber(startDate ?? dueDate ?? ''), due: dayNumber(dueDate ?? startDate ?? '') }
}

const tiesEnd = ({ dependency }: Dependency) =>
  dependency === dependencyKind.finishFinish || dependency === dependencyKind.startFinish
const waitsForEnd = ({ dependency }: Dependency) =>
  dependency !== dependencyKind.startStart && dependency !== dependencyKind.startFinish

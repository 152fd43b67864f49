import { withSystemAuthority } from '../../identity/tenant-caller.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { fault, RuleBroken } from '../../kernel/refusal.ts'
import { sql } from '../../kernel/sql.ts'
import type { ChangeMore, Consequence } from '../change/change-request.ts'
import { closedCategories } from '../status.ts'
import type { ItemChange, ItemValidator, ValidationResult } from '../validation/item-change.ts'
import { beginning, type Dates, datesThatFollow, firstDayAfter, type Precedence } from './dependent-dates.ts'
import { behaviours } from './link-type.ts'

/** The maximum numbers of items that one change moves and examines. */
const maxFollowers = 500
const maxReached = 10_000

/** A later due date moves the items that follow. */
export const datesFollow: Consequence = async (ctx, accepted, more) => {
  const later = accepted.filter(({ before, after }) => after.dueDate && after.dueDate > (before?.dueDate ?? ''))
  await pushFollowers(
    ctx,
    later.map(({ after }) => after.id),
    more,
  )
}

/** Moves the items that follow these. It needs no permissions, because the change of the caller causes it. */
export async function pushFollowers(ctx: Context, ids: readonly Id[], more: ChangeMore): Promise<void> {
  if (ids.length === 0 || !(await isFollowed(ctx, ids))) return
  const reached = await reachedFrom(ctx, ids)
  const links =
    await ctx.sql<Precedence>`select l.from_id as "fromId", l.to_id as "toId", l.lag_days as "lagDays" from link l
    where l.tenant_id = ${ctx.caller.tenantId} and l.from_id = any(${reached}::uuid[]) and ${scheduling}`
  const moved = datesThatFollow(await openDates(ctx, reached), links)
  if (moved.size > maxFollowers) throw tooMany()
  if (moved.size === 0) return
  const wanted = [...moved].map(([id, patch]) => ({ id, read: { patch, warnings: [] } }))
  await more(withSystemAuthority(ctx), wanted)
}

const scheduling = sql`l.behaviour = ${behaviours.precedes} and l.to_id is not null and not l.deleted`

async function isFollowed(ctx: Context, ids: readonly Id[]): Promise<boolean> {
  const [row] = await ctx.sql`select 1 from link l
    where l.tenant_id = ${ctx.caller.tenantId} and l.from_id = any(${ids}::uuid[]) and ${scheduling} limit 1`
  return row !== undefined
}

async function reachedFrom(ctx: Context, ids: readonly Id[]): Promise<Id[]> {
  const rows = await ctx.sql<{ id: Id }>`with recursive reached as (
      select unnest(${ids}::uuid[]) as id
      union select l.to_id from link l join reached r on l.from_id = r.id where l.tenant_id = ${ctx.caller.tenantId} and ${scheduling})
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

/** The dates of the open items, locked against concurrent changes. */
async function openDates(ctx: Context, ids: readonly Id[]): Promise<Map<Id, Dates>> {
  const rows = await ctx.sql<Dates & { id: Id }>`select id, start_date as "startDate", due_date as "dueDate" from item
    where tenant_id = ${ctx.caller.tenantId} and id = any(${ids}::uuid[]) and not deleted and status_category not in ${closedCategories} and merged_into is null
    order by id for update`
  return new Map(rows.map(({ id, ...dates }) => [id, dates]))
}

/** An item must begin after the open items that precede it are due. */
export const precedenceValidator: ItemValidator = {
  appliesToNew: async () => false,
  async validate(ctx, changes) {
    const moved = changes.filter(beginsElsewhere)
    if (moved.length === 0) return []
    const rows = await ctx.sql<Precedence & { dueDate: string }>`
      select l.from_id as "fromId", l.to_id as "toId", l.lag_days as "lagDays", p.due_date as "dueDate"
      from link l join item p on p.tenant_id = ${ctx.caller.tenantId} and p.id = l.from_id
      where l.tenant_id = ${ctx.caller.tenantId} and l.to_id = any(${moved.map(({ after }) => after.id)}::uuid[]) and ${scheduling}
        and not p.deleted and p.due_date is not null and p.status_category not in ${closedCategories} order by p.id for share of p`
    const byFollower = Map.groupBy(rows, each => each.toId)
    return moved.flatMap(({ after }) => tooEarly(after, byFollower.get(after.id) ?? []))
  },
}

function beginsElsewhere({ before, after }: ItemChange): boolean {
  return before !== undefined && beginning(after) !== null && beginning(after) !== beginning(before)
}

function tooEarly(
  after: Dates & { id: Id },
  preceding: readonly (Precedence & { dueDate: string })[],
): ValidationResult[] {
  const earliest = preceding
    .map(each => firstDayAfter(each.dueDate, each.lagDays))
    .sort()
    .at(-1)
  const begins = beginning(after)
  if (!earliest || !begins || begins >= earliest) return []
  const property = after.startDate ? 'startDate' : 'dueDate'
  const message = `an item that precedes it is due later; the first possible day is ${earliest}`
  const faults = [fault([property], 'starts-too-early', `must not be before ${earliest}`, begins)]
  return [{ id: after.id, refusal: new RuleBroken('starts-too-early', message, faults, { earliest }) }]
}

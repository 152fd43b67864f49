import type { Context } from '../../kernel/context.ts'
import { withSystemAuthority } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { fault, RuleBroken } from '../../kernel/refusal.ts'
import { sql } from '../../kernel/sql.ts'
import type { ChangeMore, Consequence } from '../change/change-request.ts'
import { closedCategories } from '../status.ts'
import type { ItemChange, ItemValidator, ValidationResult } from '../validation/item-change.ts'
import { beginning, type Dates, datesThatFollow, firstDayAfter, type Precedence } from './dependent-dates.ts'
import { behaviours } from './link-type.ts'

/** So many items are moved by one change, and so many are looked at. */
const maxFollowers = 500
const maxReached = 10_000

/** A later due date pushes whatever follows. */
export const datesFollow: Consequence = async (ctx, accepted, more) => {
  const later = accepted.filter(({ before, after }) => after.dueDate && after.dueDate > (before?.dueDate ?? ''))
  await pushFollowers(
    ctx,
    later.map(({ after }) => after.id),
    more,
  )
}

/** Moves what follows these items as far as it must; nobody's rights are asked for, since it follows from theirs. */
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
    `more than ${maxFollowers} items would have to move with it; unlink some, or move them in parts`,
    [fault(['dueDate'], 'too-many-followers', 'moves too many items that follow')],
  )
}

/** The dates of what is still to be done, held, so that nobody moves them at the same moment. */
async function openDates(ctx: Context, ids: readonly Id[]): Promise<Map<Id, Dates>> {
  const rows = await ctx.sql<Dates & { id: Id }>`select id, start_date as "startDate", due_date as "dueDate" from item
    where tenant_id = ${ctx.caller.tenantId} and id = any(${ids}::uuid[]) and not deleted and status_category not in ${closedCategories} and merged_into is null
    order by id for update`
  return new Map(rows.map(({ id, ...dates }) => [id, dates]))
}

/** Nothing begins before what precedes it is due, as long as that is open. */
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
  const message = `what precedes it is not due before; the first day is ${earliest}`
  const faults = [fault([property], 'starts-too-early', `must not lie before ${earliest}`, begins)]
  return [{ id: after.id, refusal: new RuleBroken('starts-too-early', message, faults, { earliest }) }]
}

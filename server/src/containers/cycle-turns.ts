import { Temporal } from 'temporal-polyfill'
import type { Context } from '../kernel/context.ts'
import { appendEvents } from '../kernel/events.ts'
import type { Id } from '../kernel/id.ts'
import type { Expect } from '../kernel/record/record.ts'
import { RuleBroken } from '../kernel/refusal.ts'
import { sql } from '../kernel/sql.ts'
import { type Amount, active, type Cycle, type CycleValues, cycles, done, planned } from './cycle/cycle.ts'
import { lockOwner, nextNumber, sameOwner } from './cycle/cycle-owner.ts'

// Starting, finishing and reopening a cycle. The planned dates stay; the actual times are recorded beside them.

/** Starts a planned cycle and records the committed items. */
export async function startCycle(ctx: Context, cycle: Cycle, committed: Amount, expect: Expect): Promise<Cycle> {
  if (cycle.state !== planned) throw new RuleBroken('cycle-not-planned', 'only a planned cycle can be started')
  await refuseSecondActive(ctx, cycle)
  return await turned(ctx, cycle, 'started', { state: active, startedAt: ctx.now.toISOString(), committed }, expect)
}

/** Refuses a second active cycle of an owner, unless one of the two is `parallel`. */
async function refuseSecondActive(ctx: Context, cycle: Cycle): Promise<void> {
  if (cycle.parallel) return
  await lockOwner(ctx, cycle)
  const [other] = await ctx.sql<{
    name: string
  }>`select c.name from cycle c where ${sameOwner(ctx, cycle)} and not c.deleted and not c.parallel and c.state = ${active} and c.id <> ${cycle.id} limit 1`
  if (other) throw new RuleBroken('cycle-active', `the cycle ${other.name} is active; finish it first`)
}

/** Finishes an active cycle; `snapshot` holds its final figures. */
export async function completeCycle(
  ctx: Context,
  cycle: Cycle,
  completed: Amount,
  snapshot: object,
  expect: Expect,
): Promise<Cycle> {
  const values = { state: done, completedAt: ctx.now.toISOString(), completed }
  return await turned(ctx, cycle, 'completed', values, expect, snapshot)
}

/** Reopens a finished cycle. Items that were rolled over stay in their new cycle. */
export async function reopenCycle(ctx: Context, cycle: Cycle, expect: Expect): Promise<Cycle> {
  if (cycle.state !== done) throw new RuleBroken('cycle-not-done', 'only a finished cycle can be reopened')
  await refuseSecondActive(ctx, cycle)
  return await turned(ctx, cycle, 'reopened', { state: active, completedAt: null, completed: {} }, expect, null)
}

async function turned(
  ctx: Context,
  cycle: Cycle,
  verb: 'started' | 'completed' | 'reopened',
  values: Partial<CycleValues>,
  expect: Expect,
  snapshot?: object | null,
): Promise<Cycle> {
  const own =
    snapshot === undefined
      ? undefined
      : { columns: { snapshot: sql`${snapshot && JSON.stringify(snapshot)}::jsonb` }, changes: {} }
  const turned = await cycles.update(ctx, cycle.id, values, { expect, ...(own ? { own } : {}) })
  await appendEvents(ctx, [
    {
      kind: `cycle.${verb}`,
      entity: cycles.entity,
      recordId: cycle.id,
      changes: { state: { from: cycle.state, to: turned.state } },
    },
  ])
  return turned
}

/** The cycle of the same owner that is planned next. */
export async function nextPlanned(ctx: Context, cycle: Cycle): Promise<Cycle | undefined> {
  const [row] = await ctx.sql<{ id: Id }>`select c.id from cycle c
    where ${sameOwner(ctx, cycle)} and not c.deleted and c.state = ${planned} and c.id <> ${cycle.id}
    order by c.start_date nulls last, c.number limit 1`
  return row && (await cycles.get(ctx, row.id))
}

/** Plans consecutive cycles until there are as many as the cycle asks for. */
export async function planAhead(ctx: Context, cycle: Cycle, atLeast = 0): Promise<void> {
  const { containerId, userGroupId, rollover, autoCreate, capacityMinutes } = cycle
  const { lengthDays = 0, cooldownDays = 0, count = 0 } = autoCreate
  if (lengthDays === 0) return
  await lockOwner(ctx, cycle)
  const [row] = await ctx.sql<{ ahead: number; last: string | null }>`
    select count(*) filter (where c.state = ${planned} and c.id <> ${cycle.id})::int as ahead, max(c.end_date)::text as last
    from cycle c where ${sameOwner(ctx, cycle)} and not c.deleted`
  let last = Temporal.PlainDate.from(row?.last ?? ctx.now.toISOString().slice(0, 10))
  for (let n = row?.ahead ?? 0; n < Math.max(count, atLeast); n++) {
    const start = last.add({ days: 1 + cooldownDays })
    last = start.add({ days: lengthDays - 1 })
    if (last.year > 9999) return // dates in the API have four-digit years
    const number = await nextNumber(ctx, cycle)
    await cycles.create(ctx, {
      ...{ containerId, userGroupId, rollover, autoCreate, capacityMinutes, number },
      name: `Cycle ${number}`,
      startDate: start.toString(),
      endDate: last.toString(),
    })
  }
}

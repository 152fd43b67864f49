import { cancel, enqueue } from '../../../engine/dispatch/dispatch.ts'
import { itemVocabulary } from '../../../items/vocabulary/vocabulary.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Rule } from '../rule-shape.ts'
import { readDuration, readOffset } from './interval.ts'
import { nextDaily, nextOf } from './next-time.ts'

// What rules wait for without an event: set times, dates, silence. For each rule one job waits for its next moment.

const timed = { schedule: 1, dateField: 6, inactivity: 7 } as const

export const runTask = 'rule-run'

/** Not all at the same second: those who chose the same hour. */
const maxJitter = 30_000
const minute = 60_000

/** Owes the rule its next run, or takes it back: whenever the rule is made, changed, switched off or has run. */
export async function planRule(ctx: Context, rule: Rule, after = ctx.now): Promise<void> {
  const next = rule.active && !rule.deleted ? await nextRun(ctx, rule, after) : undefined
  if (!next) {
    await cancel(ctx, runTask, rule.id)
    // What passes while it is off is not made up for.
    await ctx.sql`delete from rule_run where tenant_id = ${ctx.caller.tenantId} and rule_id = ${rule.id}`
    return
  }
  const runAt = new Date(next.getTime() + jitterOf(rule.id))
  await enqueue(ctx, {
    task: runTask,
    payload: { ruleId: rule.id, plannedAt: next.toISOString() },
    runAt,
    key: rule.id,
  })
}

/** Always the same for a rule, so that its runs keep their distance. */
export function jitterOf(id: string): number {
  return Number.parseInt(id.slice(-6), 16) % maxJitter
}

async function nextRun(ctx: Context, rule: Rule, after: Date): Promise<Date | undefined> {
  const { triggerInterval } = rule
  if (rule.trigger === timed.schedule) {
    const timezone = await zoneOf(ctx, rule)
    return nextOf(triggerInterval, { began: new Date(rule.created), after, timezone })
  }
  if (rule.trigger === timed.dateField) {
    const read = readOffset(triggerInterval)
    if (!read) return undefined
    const kind = (await itemVocabulary(ctx)).resolve(read.path)?.kind
    if (kind === 'date') return nextDaily(read.offset, after, await zoneOf(ctx, rule))
    return kind === 'instant' ? new Date(Math.floor(after.getTime() / (5 * minute) + 1) * 5 * minute) : undefined
  }
  const silence = rule.trigger === timed.inactivity ? readDuration(triggerInterval.trim()) : undefined
  if (!silence || silence.sign <= 0) return undefined
  const long = silence.years + silence.months + silence.weeks + silence.days > 0
  const wait = long ? 15 * minute : Math.min(15 * minute, Math.max(minute, silence.total('milliseconds') / 4))
  return new Date(after.getTime() + wait)
}

/** The zone of the rule, else of who answers for it, else of the tenant. */
export async function zoneOf(ctx: Context, { timezone, ownerUser }: Rule): Promise<string> {
  if (timezone) return timezone
  const [row] = await ctx.sql<{
    timezone: string
  }>`select coalesce(nullif(u.timezone, ''), nullif(t.timezone, ''), 'UTC') as timezone
    from tenant t left join "user" u on u.tenant_id = t.tenant_id and u.id = ${ownerUser || null}::uuid where t.tenant_id = ${ctx.caller.tenantId}`
  return row?.timezone ?? 'UTC'
}

import { cancel, enqueue } from '../../../engine/dispatch/dispatch.ts'
import { itemVocabulary } from '../../../items/vocabulary/vocabulary.ts'
import type { Context } from '../../../kernel/context.ts'
import { ownTenant } from '../../../kernel/sql.ts'
import { trigger } from '../rule-codes.ts'
import type { Rule } from '../rule-shape.ts'
import { readDuration, readOffset } from './interval.ts'
import { nextDaily, nextOf } from './next-time.ts'

// Rules that are triggered by time: schedules, dates, inactivity. Each rule has one job for its next run.

export const runTask = 'rule-run'

/** Spreads the runs of rules that are planned for the same time. */
const maxJitter = 30_000
const minute = 60_000

/** Enqueues the next run of a rule, or cancels it. Called whenever the rule is created, updated, deleted, or has run. */
export async function planRule(ctx: Context, rule: Rule, after = ctx.now): Promise<void> {
  const next = rule.active && !rule.deleted ? await nextRun(ctx, rule, after) : undefined
  if (!next) {
    await cancel(ctx, runTask, rule.id)
    // Times that pass while the rule is inactive are not caught up.
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

/** The jitter of a rule is constant, so that the intervals between its runs are exact. */
export function jitterOf(id: string): number {
  return Number.parseInt(id.slice(-6), 16) % maxJitter
}

/** When a rule that depends on time is due next, after a moment. */
export async function nextRun(ctx: Context, rule: Rule, after: Date): Promise<Date | undefined> {
  const { triggerInterval } = rule
  if (rule.trigger === trigger.schedule) {
    const timezone = await zoneOf(ctx, rule)
    return nextOf(triggerInterval, { began: new Date(rule.created), after, timezone })
  }
  if (rule.trigger === trigger.dateField) {
    const read = readOffset(triggerInterval)
    if (!read) return undefined
    const kind = (await itemVocabulary(ctx)).resolve(read.path)?.kind
    if (kind === 'date') return nextDaily(read.offset, after, await zoneOf(ctx, rule))
    return kind === 'instant' ? new Date(Math.floor(after.getTime() / (5 * minute) + 1) * 5 * minute) : undefined
  }
  const silence = rule.trigger === trigger.inactivity ? readDuration(triggerInterval.trim()) : undefined
  if (!silence || silence.sign <= 0) return undefined
  const long = silence.years + silence.months + silence.weeks + silence.days > 0
  const wait = long ? 15 * minute : Math.min(15 * minute, Math.max(minute, silence.total('milliseconds') / 4))
  return new Date(after.getTime() + wait)
}

/** Returns the time zone of the rule, else of its owner, else of the tenant. */
export async function zoneOf(ctx: Context, { timezone, ownerUser }: Rule): Promise<string> {
  if (timezone) return timezone
  const [row] = await ctx.sql<{
    timezone: string
  }>`select coalesce(nullif(u.timezone, ''), nullif(t.timezone, ''), 'UTC') as timezone
    from tenant t left join "user" u on u.tenant_id = ${ownTenant} and u.id = ${ownerUser || null}::uuid where t.tenant_id = ${ctx.caller.tenantId}`
  return row?.timezone ?? 'UTC'
}

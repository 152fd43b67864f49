import { Postponed, type Task, type Work } from '../../../engine/dispatch/dispatch.ts'
import type { Context } from '../../../kernel/context.ts'
import { operatorId } from '../../../kernel/id.ts'
import { liveRules } from '../engine/live-rules.ts'
import { reportFailure } from '../engine/loop-limits.ts'
import { pass } from '../engine/pass.ts'
import { outcome } from '../log/log.ts'
import { trigger } from '../rule-codes.ts'
import type { Rule } from '../rule-shape.ts'
import { batch, type DueItem, dueItems, eventKinds, type RunWindow, timedOccurrence } from './due-items.ts'
import { jitterOf, planRule, runTask } from './schedule.ts'

/** The number of items that are worked on in one transaction. */
const chunk = 50

/**
 * Runs a rule at a planned time. Each planned run is a row: after a crash another node continues behind the last committed
 * item, and a rule acts once for each root. Missed times are caught up by one run, because the next one is planned after now.
 */
export const ruleRunTask: Task = {
  name: runTask,
  retryDelays: [5_000, 60_000, 600_000],
  async run(work) {
    const { payload, service, single, transaction, signal } = work
    const ruleId = String(payload.ruleId)
    const planned = new Date(String(payload.plannedAt))
    const ruleOf = async (ctx: Context) => (await liveRules(ctx)).all.find(each => each.id === ruleId && isTimed(each))
    const rule = await single(service, ruleOf)
    if (!rule) return
    // A job that is enqueued again while it runs is claimed at once, even if its time lies ahead.
    const early = planned.getTime() - Date.now()
    if (early > 0) throw new Postponed(early + jitterOf(ruleId), 'the planned time lies ahead')
    let run = await transaction(service, ctx => begin(ctx, rule, planned))
    while (run) {
      const { from, to, last }: RunWindow = run
      const due = await single(service, ctx => dueItems(ctx, rule, planned, { from, to, last }))
      for (let start = 0; start < due.length; start += chunk) {
        signal.throwIfAborted()
        const some = due.slice(start, start + chunk)
        await transaction(service, async ctx => {
          // A rule that was switched off meanwhile does not act on the remaining items.
          if (await ruleOf(ctx)) await actOnEach(ctx, rule, planned, some)
        })
      }
      const next = due.at(-1)
      run = next && due.length === batch && next.id !== operatorId ? { from, to, last: next.id } : undefined
    }
    await transaction(service, async ctx => {
      await ctx.sql`update rule_run set ended = ${ctx.now} where tenant_id = ${ctx.caller.tenantId} and rule_id = ${ruleId} and planned_at = ${planned}`
      await ctx.sql`delete from rule_run where tenant_id = ${ctx.caller.tenantId} and rule_id = ${ruleId} and planned_at < ${planned} and ended is not null`
      const still = await ruleOf(ctx)
      if (still) await planRule(ctx, still, latest(planned, ctx.now))
    })
  },
  async onGiveUp(work, error) {
    await planOn(work, error instanceof Error ? error.message : 'an internal error occurred')
  },
}

const latest = (a: Date, b: Date) => (a > b ? a : b)

const isTimed = (rule: Rule) => rule.trigger in eventKinds

/** A run that failed for good is not repeated; the next one is planned. */
async function planOn({ payload, service, transaction }: Work, why: string): Promise<void> {
  await transaction(service, async ctx => {
    const rule = (await liveRules(ctx)).all.find(each => each.id === payload.ruleId)
    if (!rule) return
    await reportFailure(ctx, rule, timedOccurrence(rule, ctx.now, { id: '', root: '' }), outcome.failed, why)
    await planRule(ctx, rule, ctx.now)
  })
}

async function begin(ctx: Context, rule: Rule, planned: Date): Promise<RunWindow | undefined> {
  const { tenantId } = ctx.caller
  await ctx.sql`insert into rule_run (tenant_id, rule_id, planned_at, looked_to, began) values (${tenantId}, ${rule.id}, ${planned}, ${latest(planned, ctx.now)}, ${ctx.now}) on conflict do nothing`
  const [row] = await ctx.sql<RunWindow & { ended: Date | null }>`
    select r.looked_to as "to", r.last_item as last, r.ended,
      (select max(p.looked_to) from rule_run p where p.tenant_id = ${tenantId} and p.rule_id = ${rule.id} and p.planned_at < r.planned_at) as "from"
    from rule_run r where r.tenant_id = ${tenantId} and r.rule_id = ${rule.id} and r.planned_at = ${planned}`
  if (!row || row.ended) return undefined
  // The first run considers dates since the last update of the rule, and inactivity of any length.
  const first = rule.trigger === trigger.inactivity ? null : new Date(rule.updated)
  return { to: row.to, last: row.last, from: row.from ?? first }
}

async function actOnEach(ctx: Context, rule: Rule, planned: Date, due: readonly DueItem[]): Promise<void> {
  let acted = 0
  let failed = 0
  for (const each of due) {
    const entries = await pass(ctx, [rule], timedOccurrence(rule, ctx.now, each), { waited: true })
    acted += entries.filter(entry => entry.outcome === outcome.acted).length
    failed += entries.filter(entry => entry.outcome === outcome.failed || entry.outcome === outcome.tripped).length
  }
  await ctx.sql`update rule_run set last_item = ${due.at(-1)?.id ?? null}, seen = seen + ${due.length}, acted = acted + ${acted}, failed = failed + ${failed}
    where tenant_id = ${ctx.caller.tenantId} and rule_id = ${rule.id} and planned_at = ${planned}`
}

import { Postponed, type Task, type Work } from '../../../engine/dispatch/dispatch.ts'
import { itemVocabulary } from '../../../items/vocabulary/vocabulary.ts'
import type { Context } from '../../../kernel/context.ts'
import { type Id, operatorId } from '../../../kernel/id.ts'
import { and, raw, type Sql, sql } from '../../../kernel/sql.ts'
import { withoutAmounts } from '../engine/clock-amounts.ts'
import { compileRule, inUse } from '../engine/evaluate.ts'
import { rowsOf } from '../engine/event-vocabulary.ts'
import { liveRules } from '../engine/live-rules.ts'
import { reportFailure } from '../engine/loop-limits.ts'
import type { Occurrence } from '../engine/occurrence.ts'
import { pass } from '../engine/pass.ts'
import { principalOf } from '../engine/principal.ts'
import { outcome } from '../log/log.ts'
import { trigger } from '../rule-codes.ts'
import type { Rule } from '../rule-shape.ts'
import { readDuration, readOffset } from './interval.ts'
import { lastDayAt, movedBack } from './next-time.ts'
import { jitterOf, planRule, runTask, zoneOf } from './schedule.ts'

/** Items that are looked for at once, and that are worked on in one transaction. */
const batch = 500
const chunk = 50

/** One moment that was planned: how far it has come. */
interface Run {
  /** What came up to then was looked at before; null is nothing. */
  from: Date | null
  to: Date
  last: Id | null
}

/** An item that is due, and what makes this time another than the last. */
interface Due {
  id: Id
  root: string
}

/**
 * A planned moment has come. Whatever was planned is a row; whoever takes over after a crash goes on behind the last item
 * that was committed, and a rule acts once for a root. What was missed comes once: the next moment lies ahead of now.
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
    // Planned anew while it ran, it comes at once.
    const early = planned.getTime() - Date.now()
    if (early > 0) throw new Postponed(early + jitterOf(ruleId), 'its moment has not come')
    let run = await transaction(service, ctx => begin(ctx, rule, planned))
    while (run) {
      const { from, to, last }: Run = run
      const due = await single(service, ctx => dueItems(ctx, rule, planned, { from, to, last }))
      for (let start = 0; start < due.length; start += chunk) {
        signal.throwIfAborted()
        const some = due.slice(start, start + chunk)
        await transaction(service, async ctx => {
          // Switched off meanwhile: what is left of it is not done.
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
    await planOn(work, error instanceof Error ? error.message : 'it could not be done')
  },
}

const latest = (a: Date, b: Date) => (a > b ? a : b)

const isTimed = (rule: Rule) =>
  ([trigger.schedule, trigger.dateField, trigger.inactivity] as number[]).includes(rule.trigger)

/** What could not be done this time is tried at the next. */
async function planOn({ payload, service, transaction }: Work, why: string): Promise<void> {
  await transaction(service, async ctx => {
    const rule = (await liveRules(ctx)).all.find(each => each.id === payload.ruleId)
    if (!rule) return
    await reportFailure(ctx, rule, occurrenceOf(rule, ctx.now, { id: '', root: '' }), outcome.failed, why)
    await planRule(ctx, rule, ctx.now)
  })
}

async function begin(ctx: Context, rule: Rule, planned: Date): Promise<Run | undefined> {
  const { tenantId } = ctx.caller
  await ctx.sql`insert into rule_run (tenant_id, rule_id, planned_at, looked_to, began) values (${tenantId}, ${rule.id}, ${planned}, ${latest(planned, ctx.now)}, ${ctx.now}) on conflict do nothing`
  const [row] = await ctx.sql<Run & { ended: Date | null }>`
    select r.looked_to as "to", r.last_item as last, r.ended,
      (select max(p.looked_to) from rule_run p where p.tenant_id = ${tenantId} and p.rule_id = ${rule.id} and p.planned_at < r.planned_at) as "from"
    from rule_run r where r.tenant_id = ${tenantId} and r.rule_id = ${rule.id} and r.planned_at = ${planned}`
  if (!row || row.ended) return undefined
  // The first time: dates count from when the rule was made, silence however long it has lasted.
  const first = rule.trigger === trigger.inactivity ? null : new Date(rule.updated)
  return { to: row.to, last: row.last, from: row.from ?? first }
}

async function dueItems(ctx: Context, rule: Rule, planned: Date, run: Run): Promise<Due[]> {
  const { to, last } = run
  // Without places and conditions it is about no item: it runs once.
  const root = `run ${planned.toISOString()}`
  if (
    rule.trigger === trigger.schedule &&
    rule.container.length === 0 &&
    rule.conditionGroup.length === 0 &&
    rule.owner === 0
  )
    return [{ id: operatorId, root }]
  const principal = await principalOf(ctx, rule, rule.ownerUser)
  const window = await windowOf(ctx, rule, run)
  if (!principal || !window) return []
  const occurrence = occurrenceOf(rule, to, { id: operatorId, root })
  const rows = await ctx.sql<{
    id: Id
    mark: string
  }>`select t.id, (${window.mark})::text as mark from ${rowsOf([{ ...occurrence, itemId: operatorId }])} cross join item t
    where t.tenant_id = ${ctx.caller.tenantId} and not t.deleted and ${inUse} and (${last}::uuid is null or t.id > ${last}::uuid) and ${and([window.holds, await compileRule(ctx, { rule: withoutAmounts(rule), principal })])}
    order by t.id limit ${batch}`
  return rows.map(({ id, mark }) => ({
    id,
    root: rule.trigger === trigger.schedule ? root : `${rule.triggerInterval} ${mark}`.slice(0, 300),
  }))
}

/** Which items are due in the window, and what their moment is known by. */
async function windowOf(ctx: Context, rule: Rule, { from, to }: Run): Promise<{ holds: Sql; mark: Sql } | undefined> {
  if (rule.trigger === trigger.schedule) return { holds: raw('true'), mark: raw("''") }
  const timezone = await zoneOf(ctx, rule)
  if (rule.trigger === trigger.inactivity) return silentSince(rule, from, to, timezone)
  const read = readOffset(rule.triggerInterval)
  const path = read && (await itemVocabulary(ctx)).resolve(read.path)
  if (!read || !from || !path || (path.kind !== 'date' && path.kind !== 'instant')) return undefined
  const { offset } = read
  const within = (value: Sql) =>
    path.kind === 'date'
      ? sql`${value} > ${lastDayAt(offset, from, timezone)}::date and ${value} <= ${lastDayAt(offset, to, timezone)}::date`
      : sql`${value} > ${movedBack(offset, from, timezone)}::timestamptz and ${value} <= ${movedBack(offset, to, timezone)}::timestamptz`
  return { holds: sql`(${path.among ? path.among(within) : within(path.value)})`, mark: path.value }
}

/** Nothing changed and nobody said anything for so long, and it came to that within the window. */
function silentSince(rule: Rule, from: Date | null, to: Date, timezone: string): { holds: Sql; mark: Sql } | undefined {
  const silence = readDuration(rule.triggerInterval.trim())
  if (!silence) return undefined
  const cut = movedBack(silence, to, timezone)
  const start = from && movedBack(silence, from, timezone)
  const said = (holds: Sql) =>
    sql`(select max(a.created) from annotation a where a.tenant_id = t.tenant_id and a.item_id = t.id and not a.deleted and ${holds})`
  const last = sql`greatest(t.updated, ${said(raw('true'))})`
  const recent = start
    ? sql`(t.updated > ${start}::timestamptz or t.id in (select a.item_id from annotation a where a.tenant_id = t.tenant_id and a.created > ${start}::timestamptz and a.created <= ${cut}::timestamptz and a.item_id is not null))`
    : raw('true')
  return {
    holds: and([sql`t.updated <= ${cut}::timestamptz`, recent, sql`${last} <= ${cut}::timestamptz`]),
    mark: last,
  }
}

async function actOnEach(ctx: Context, rule: Rule, planned: Date, due: readonly Due[]): Promise<void> {
  let acted = 0
  let failed = 0
  for (const each of due) {
    const entries = await pass(ctx, [rule], occurrenceOf(rule, ctx.now, each), { waited: true })
    acted += entries.filter(entry => entry.outcome === outcome.acted).length
    failed += entries.filter(entry => entry.outcome === outcome.failed || entry.outcome === outcome.tripped).length
  }
  await ctx.sql`update rule_run set last_item = ${due.at(-1)?.id ?? null}, seen = seen + ${due.length}, acted = acted + ${acted}, failed = failed + ${failed}
    where tenant_id = ${ctx.caller.tenantId} and rule_id = ${rule.id} and planned_at = ${planned}`
}

const kinds: Readonly<Record<number, string>> = {
  [trigger.schedule]: 'rule.scheduled',
  [trigger.dateField]: 'rule.dateReached',
  [trigger.inactivity]: 'rule.silence',
}

function occurrenceOf(rule: Rule, at: Date, { id, root }: Due): Occurrence {
  const itemId = id === operatorId || id === '' ? null : id
  return {
    ...{
      eventId: null,
      kind: kinds[rule.trigger] ?? '',
      entity: itemId ? 'Item' : 'Rule',
      recordId: itemId,
      itemId,
      actorId: rule.ownerUser,
    },
    ...{ actorKind: 'rule', at, changes: {}, cause: null, root, more: {} },
  }
}

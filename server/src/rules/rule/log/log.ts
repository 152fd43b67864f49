import type { Context } from '../../../kernel/context.ts'
import { type Id, newId } from '../../../kernel/id.ts'
import { nothing, type Sql, sql } from '../../../kernel/sql.ts'
import { codeTableOfCodes } from '../../../records/code-table.ts'
import type { TracedCondition } from '../engine/evaluate.ts'
import type { Occurrence } from '../engine/occurrence.ts'
import type { Rule } from '../rule-shape.ts'

/** The codes of `outcome`: did not match, acted, changed nothing, failed, reached a loop limit, was skipped. */
export const outcome = { missed: 0, acted: 1, unchanged: 2, failed: 3, tripped: 4, skipped: 5 } as const
export const ruleOutcomes = codeTableOfCodes('rule.outcome', outcome)

/** The result of one action. */
export interface ActionResult {
  id: string
  actionType: number
  field?: string
  before?: unknown
  after?: unknown
  /** Why the action changed nothing. */
  note?: string
  /** Why the action chose this member of a group. */
  reason?: string
  deliveryId?: Id
}

export interface LogEntry {
  id?: Id
  rule: Pick<Rule, 'id' | 'trigger'>
  occurrence: Occurrence
  outcome: number
  conditions: readonly TracedCondition[]
  actions?: readonly ActionResult[]
  changeSetId?: Id
  ms?: number
  error?: string
}

/** The number of entries of evaluations that did not match, per rule. */
const maxMissed = 100

/** Writes log entries and updates the counters. `uncounted` leaves the counters out, because they lock rows until the commit. */
export async function writeLog(
  ctx: Context,
  entries: readonly LogEntry[],
  how: 'counted' | 'uncounted' = 'counted',
): Promise<void> {
  if (entries.length === 0) return
  const rows = entries.map(
    ({ id, rule, occurrence: o, outcome, conditions, actions = [], changeSetId, ms = 0, error = '' }) => ({
      ...{
        id: id ?? newId(),
        rule_id: rule.id,
        outcome,
        trigger: rule.trigger,
        event_id: o.eventId,
        event_kind: o.kind,
        entity: o.entity,
      },
      ...{
        record_id: o.recordId,
        item_id: o.itemId,
        change_set_id: changeSetId ?? null,
        root: o.cause?.root ?? o.root,
      },
      ...{ depth: o.cause?.depth ?? 0, ms, conditions, actions, error: error.slice(0, 1000) },
    }),
  )
  const counted = how === 'counted' ? counting(ctx, entries) : undefined
  await ctx.sql`${counted ? sql`with counted as (${counted})` : nothing} insert into rule_log (tenant_id, id, rule_id, at, outcome, "trigger", event_id, event_kind, entity, record_id, item_id, change_set_id, root, depth, ms, conditions, actions, error)
    select ${ctx.caller.tenantId}::uuid, r.id, r.rule_id, ${ctx.now}::timestamptz, r.outcome, r.trigger, r.event_id, r.event_kind, r.entity, r.record_id, r.item_id, r.change_set_id, r.root, r.depth, r.ms, r.conditions, r.actions, r.error
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id uuid, rule_id uuid, outcome int, trigger int, event_id uuid, event_kind text, entity text, record_id uuid,
      item_id uuid, change_set_id uuid, root text, depth int, ms float8, conditions jsonb, actions jsonb, error text) returning 1`
  const missed = [...new Set(entries.filter(each => each.outcome === outcome.missed).map(each => each.rule.id))]
  for (const ruleId of missed)
    await ctx.sql`delete from rule_log where tenant_id = ${ctx.caller.tenantId} and rule_id = ${ruleId} and outcome = ${outcome.missed} and id < (
      select id from rule_log where tenant_id = ${ctx.caller.tenantId} and rule_id = ${ruleId} and outcome = ${outcome.missed} order by id desc offset ${maxMissed - 1} limit 1)`
}

/** Updates the counters of rules. */
export async function countOutcomes(ctx: Context, entries: readonly LogEntry[]): Promise<void> {
  const statement = counting(ctx, entries)
  if (statement) await ctx.sql`${statement}`
}

/** The statement that updates the counters, ordered by id, so that concurrent transactions do not deadlock. */
function counting(ctx: Context, entries: readonly LogEntry[]): Sql | undefined {
  const counted = entries.filter(each => each.outcome !== outcome.missed)
  if (counted.length === 0) return undefined
  const rows = [...Map.groupBy(counted, each => each.rule.id)].map(([rule_id, group]) => {
    const of = (...outcomes: number[]) => group.filter(each => outcomes.includes(each.outcome)).length
    const failed = group.findLast(each => each.outcome === outcome.failed || each.outcome === outcome.tripped)
    return {
      ...{ rule_id, matched: group.length, acted: of(outcome.acted), failed: of(outcome.failed, outcome.tripped) },
      ...{ ms: group.reduce((sum, each) => sum + (each.ms ?? 0), 0), last_error: failed?.error ?? null },
    }
  })
  return sql`insert into rule_stat as s (tenant_id, rule_id, matched, acted, failed, ms, last_run, last_error)
    select ${ctx.caller.tenantId}::uuid, r.rule_id, r.matched, r.acted, r.failed, r.ms, ${ctx.now}::timestamptz, coalesce(left(r.last_error, 1000), '')
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(rule_id uuid, matched int, acted int, failed int, ms float8, last_error text) order by r.rule_id
    on conflict (tenant_id, rule_id) do update set matched = s.matched + excluded.matched, acted = s.acted + excluded.acted, failed = s.failed + excluded.failed,
      ms = s.ms + excluded.ms, last_run = excluded.last_run, last_error = case when excluded.failed > 0 then excluded.last_error when excluded.acted > 0 then '' else s.last_error end
    returning 1`
}

import { inWorkingTime } from '../../../items/vocabulary/vocabulary.ts'
import type { Context } from '../../../kernel/context.ts'
import { appendEvents } from '../../../kernel/events.ts'
import type { Id } from '../../../kernel/id.ts'
import { sql } from '../../../kernel/sql.ts'
import { startOfDay, warn } from '../../../notify/warning/warning.ts'
import { outcome } from '../log/log.ts'
import { type Rule, rules } from '../rule.ts'
import type { Cause, Occurrence } from './occurrence.ts'
import { causeSetting } from './principal.ts'

/** The maximum length of a chain of passes. */
const maxDepth = 10
/** The maximum number of rule runs in the chains that start at one changed record. */
const maxActs = 100
/** A rule that reaches a limit this many times in an hour is deactivated. */
const maxTrips = 5

const hour = 3600_000

/** A chain of rules has reached a limit and ends. */
export class LoopLimitReached extends Error {}

/** Returns the cause of the changes that a rule makes: the chain of the occurrence, extended by the rule. */
export function causeFor({ id }: Rule, { cause, root, itemId, recordId }: Occurrence): Cause {
  return cause
    ? { ruleId: id, root: cause.root, record: cause.record, depth: cause.depth + 1 }
    : { ruleId: id, root, record: itemId ?? recordId ?? id, depth: 1 }
}

/**
 * Returns why a matching rule must not act, or undefined. In that case the run is recorded, if the transaction commits, and
 * events that are written from now on have its cause.
 */
export async function reasonToSkip(ctx: Context, rule: Rule, occurrence: Occurrence): Promise<string | undefined> {
  const { tenantId } = ctx.caller
  const { depth } = causeFor(rule, occurrence)
  const recordId = occurrence.itemId ?? occurrence.recordId ?? rule.id
  if (rule.quietHours && (await isQuiet(ctx, rule.quietHours))) return 'the quiet hours of the rule are in effect'
  if (rule.maxPerHour > 0 && (await countSince(ctx, rule.id, outcome.acted, rule.maxPerHour)) >= rule.maxPerHour)
    return `the rule has acted ${rule.maxPerHour} times within an hour`
  const acts = await claimAct(ctx, rule, occurrence)
  if (acts === undefined) return 'the rule has already acted on this record in this chain'
  if (rule.oncePerRecord) {
    const fresh =
      await ctx.sql`insert into rule_done (tenant_id, rule_id, record_id, at) values (${tenantId}, ${rule.id}, ${recordId}, ${ctx.now})
      on conflict do nothing returning true`
    if (fresh.length === 0) return 'the rule acts once per record, and has acted on this one'
  }
  if (depth > maxDepth) throw new LoopLimitReached(`more than ${maxDepth} rules followed from one another`)
  if (acts > maxActs) throw new LoopLimitReached(`more than ${maxActs} runs of rules followed from one change`)
  return undefined
}

/**
 * Records that a rule acts on a record in a chain, sets the cause of the events that follow, and returns how many acts the
 * chain has; undefined if the rule has acted there before.
 */
export async function claimAct(ctx: Context, rule: Rule, occurrence: Occurrence): Promise<number | undefined> {
  const { tenantId } = ctx.caller
  const cause = causeFor(rule, occurrence)
  const { root, record } = cause
  const recordId = occurrence.itemId ?? occurrence.recordId ?? rule.id
  // The statement does not see its own act.
  const [acts] = await ctx.sql<{ before: number }>`with own as (
      insert into rule_act (tenant_id, root, record_id, rule_id, root_record, at)
      values (${tenantId}, ${root}, ${recordId}, ${rule.id}, ${record}, ${ctx.now}) on conflict do nothing returning true)
    select (select count(*)::int from rule_act a where a.tenant_id = ${tenantId} and a.root = ${root} and a.root_record = ${record}) as before,
      ${causeSetting(cause)} from own`
  return acts && acts.before + 1
}

/** A rule does nothing while the clock of its quiet hours is open. */
async function isQuiet(ctx: Context, clockId: Id): Promise<boolean> {
  const [row] = await ctx.sql<{
    quiet: boolean
  }>`select ${inWorkingTime(ctx.caller.tenantId, sql`${ctx.now}::timestamptz`, sql`${clockId}::uuid`)} as quiet`
  return row?.quiet ?? false
}

/** Counts the log entries of a rule with an outcome in the last hour, up to `max`. */
async function countSince(ctx: Context, ruleId: Id, what: number, max: number): Promise<number> {
  const since = new Date(ctx.now.getTime() - hour)
  const [row] = await ctx.sql<{ count: number }>`select count(*)::int as count from (
    select 1 from rule_log where tenant_id = ${ctx.caller.tenantId} and rule_id = ${ruleId} and outcome = ${what} and id >= ${idAt(since)} and at > ${since} limit ${max}) l`
  return row?.count ?? 0
}

/** Returns the smallest id of a moment. Ids are ordered by time, so the primary key limits the search. */
function idAt(moment: Date): Id {
  const time = Math.max(0, moment.getTime()).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`
}

/** Reports that a rule failed or reached a limit: an event once an hour, a warning once a day. A rule that keeps reaching limits is deactivated. */
export async function reportFailure(
  ctx: Context,
  rule: Rule,
  { itemId }: Occurrence,
  what: number,
  why: string,
): Promise<void> {
  const before = await countSince(ctx, rule.id, what, maxTrips)
  const pauses = what === outcome.tripped && before >= maxTrips - 1
  if (before > 0 && !pauses) return
  const changes = { reason: { to: why }, paused: { to: pauses }, ...(itemId ? { itemId: { to: itemId } } : {}) }
  await appendEvents(ctx, [{ kind: 'rule.failed', entity: rules.entity, recordId: rule.id, changes }])
  if (pauses) await rules.update(ctx, rule.id, { active: false })
  const address = `${ctx.services.baseUrl}/api/rule/${rule.id}`
  await warn(ctx, {
    entity: rules.entity,
    recordId: rule.id,
    ownerId: rule.ownerUser,
    event: pauses ? 'rule.paused' : 'rule.failed',
    since: pauses ? ctx.now : startOfDay(ctx.now),
    headline: `The rule “${rule.name}” ${pauses ? 'is switched off, because it kept reaching its limits' : 'failed'}`,
    details: [
      `Last: ${why}.`,
      `Log: GET ${address}/log`,
      ...(pauses ? [`Switch it on again: PUT ${address} {"active": true}`] : []),
    ],
    ...(itemId ? { itemIds: [itemId] } : {}),
  })
}

import { inWorkingTime } from '../../../items/vocabulary/vocabulary.ts'
import type { Context } from '../../../kernel/context.ts'
import { append } from '../../../kernel/events.ts'
import type { Id } from '../../../kernel/id.ts'
import { sql } from '../../../kernel/sql.ts'
import { startOfDay, warn } from '../../../notify/warning/warning.ts'
import { outcome } from '../log/log.ts'
import { type Rule, rules } from '../rule.ts'
import type { Cause, Occurrence } from './occurrence.ts'

/** The longest chain of passes that follow from one another, and the most acts of rules that follow from one changed record. */
export const maxDepth = 10
const maxActs = 100
/** A rule that reaches a limit so often in an hour is switched off. */
const maxTrips = 5

const hour = 3600_000

/** The chain is too long: it ends here. */
export class LoopLimitReached extends Error {}

/** The chain that a rule goes on with, if it acts upon this. */
export function causeFor({ id }: Rule, { cause, root, itemId, recordId }: Occurrence): Cause {
  return cause
    ? { ruleId: id, root: cause.root, record: cause.record, depth: cause.depth + 1 }
    : { ruleId: id, root, record: itemId ?? recordId ?? id, depth: 1 }
}

/** Why a rule that matches does not act; undefined if it may. From then on it has acted, if the transaction commits. */
export async function reasonToSkip(ctx: Context, rule: Rule, occurrence: Occurrence): Promise<string | undefined> {
  const { tenantId } = ctx.caller
  const { root, record, depth } = causeFor(rule, occurrence)
  const recordId = occurrence.itemId ?? occurrence.recordId ?? rule.id
  if (rule.quietHours && (await isQuiet(ctx, rule.quietHours))) return 'it is quiet at this hour'
  if (rule.maxPerHour > 0 && (await countSince(ctx, rule.id, outcome.acted, rule.maxPerHour)) >= rule.maxPerHour)
    return `it has acted ${rule.maxPerHour} times within an hour`
  if (!(await claimFirstAct(ctx, rule, occurrence))) return 'it has acted on this record in this chain already'
  if (rule.oncePerRecord) {
    const fresh =
      await ctx.sql`insert into rule_done (tenant_id, rule_id, record_id, at) values (${tenantId}, ${rule.id}, ${recordId}, ${ctx.now})
      on conflict do nothing returning true`
    if (fresh.length === 0) return 'it has acted on this record before'
  }
  if (depth > maxDepth) throw new LoopLimitReached(`more than ${maxDepth} rules followed from one another`)
  const [acts] = await ctx.sql<{ count: number }>`select count(*)::int as count from rule_act
    where tenant_id = ${tenantId} and root = ${root} and root_record = ${record}`
  if ((acts?.count ?? 0) > maxActs) throw new LoopLimitReached(`more than ${maxActs} deeds followed from one change`)
  return undefined
}

/** Whether a rule has not acted on this record in this chain before; from then on it has. */
export async function claimFirstAct(ctx: Context, rule: Rule, occurrence: Occurrence): Promise<boolean> {
  const { root, record } = causeFor(rule, occurrence)
  const recordId = occurrence.itemId ?? occurrence.recordId ?? rule.id
  const rows = await ctx.sql`insert into rule_act (tenant_id, root, record_id, rule_id, root_record, at)
    values (${ctx.caller.tenantId}, ${root}, ${recordId}, ${rule.id}, ${record}, ${ctx.now}) on conflict do nothing returning true`
  return rows.length > 0
}

/** The hours of a clock, in which the rule keeps quiet. */
async function isQuiet(ctx: Context, clockId: Id): Promise<boolean> {
  const [row] = await ctx.sql<{
    quiet: boolean
  }>`select ${inWorkingTime(ctx.caller.tenantId, sql`${ctx.now}::timestamptz`, sql`${clockId}::uuid`)} as quiet`
  return row?.quiet ?? false
}

/** How often it came to this within the last hour, counted no further than needed. */
async function countSince(ctx: Context, ruleId: Id, what: number, most: number): Promise<number> {
  const since = new Date(ctx.now.getTime() - hour)
  const [row] = await ctx.sql<{ count: number }>`select count(*)::int as count from (
    select 1 from rule_log where tenant_id = ${ctx.caller.tenantId} and rule_id = ${ruleId} and outcome = ${what} and id >= ${idAt(since)} and at > ${since} limit ${most}) l`
  return row?.count ?? 0
}

/** The first id of a moment: ids are in the order of time. */
export function idAt(moment: Date): Id {
  const time = Math.max(0, moment.getTime()).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`
}

/** Reports that a rule failed or reached a limit: an event once an hour, a warning once a day. A rule that keeps reaching limits is switched off. */
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
  await append(ctx, [{ kind: 'rule.failed', entity: rules.entity, recordId: rule.id, changes }])
  if (pauses) await rules.update(ctx, rule.id, { active: false })
  const address = `${ctx.services.baseUrl}/api/rule/${rule.id}`
  await warn(ctx, {
    entity: rules.entity,
    recordId: rule.id,
    ownerId: rule.ownerUser,
    event: pauses ? 'rule.paused' : 'rule.failed',
    since: pauses ? ctx.now : startOfDay(ctx.now),
    headline: `The rule “${rule.name}” ${pauses ? 'is switched off, because it kept failing' : 'failed'}`,
    details: [
      `Last: ${why}.`,
      `What it did and did not: GET ${address}/log`,
      ...(pauses ? [`Switch it on again: PUT ${address} {"active": true}`] : []),
    ],
    ...(itemId ? { itemIds: [itemId] } : {}),
  })
}

import { actionKind } from '../../../containers/action/action.ts'
import type { LoggedEvent } from '../../../engine/dispatch/dispatch.ts'
import { reversals } from '../../../engine/undo/reversal.ts'
import { withSystemAuthority } from '../../../identity/tenant-caller.ts'
import { undoItems } from '../../../items/undo/undo.ts'
import type { Context } from '../../../kernel/context.ts'
import { type Id, newId } from '../../../kernel/id.ts'
import type { MessageCounts } from '../../../notify/noise/noise.ts'
import { actionsOf } from '../actions/perform.ts'
import { act, withoutPrincipal } from '../engine/act.ts'
import type { TracedCondition } from '../engine/evaluate.ts'
import type { Occurrence } from '../engine/occurrence.ts'
import { pass } from '../engine/pass.ts'
import { principalOf } from '../engine/principal.ts'
import { type LogEntry, outcome } from '../log/log.ts'
import type { Rule } from '../rule-shape.ts'
import { type FollowingRule, followingRules } from './following-rules.ts'
import { messagesOf } from './message-estimate.ts'

/** An occurrence on which a rule is tried. */
export interface ReplayedOccurrence {
  occurrence: Occurrence
  /** The item is put back into its state at this moment; without one it is used as it is. */
  at?: Date
  /** What the conditions found, if it is known that they hold. */
  conditions?: TracedCondition[] | undefined
}

/** What the rule would have done, and what the saved rules would have done in turn. */
export interface DryRunEntry extends LogEntry {
  next: FollowingRule[]
  /** The messages that the rule itself would have sent. */
  messages: MessageCounts
}

/** How many occurrences share the reading of what changed since. */
const batch = 50

/**
 * Runs a rule on occurrences, each within a savepoint that is rolled back: none sees what the others did. `before` are the records
 * on which a rule that acts once per record has acted already.
 */
export async function replay(
  ctx: Context,
  rule: Rule,
  all: readonly ReplayedOccurrence[],
  before: ReadonlySet<Id> = new Set(),
): Promise<DryRunEntry[]> {
  const done = new Set(before)
  const entries: DryRunEntry[] = []
  await ctx.sql`savepoint dry_run`
  for (let start = 0; start < all.length; start += batch) {
    const some = all.slice(start, start + batch)
    const later = await laterUpdates(ctx, some)
    for (const [n, each] of some.entries()) {
      const record = each.occurrence.itemId ?? ''
      if (rule.oncePerRecord && done.has(record)) continue
      const entry = await replayed(ctx, rule, each, later.get(n) ?? [])
      if (entry) entries.push(entry)
      if (entry?.outcome === outcome.acted) done.add(record)
    }
  }
  return entries
}

async function replayed(
  ctx: Context,
  rule: Rule,
  { occurrence, at, conditions }: ReplayedOccurrence,
  later: readonly LaterUpdate[],
): Promise<DryRunEntry | undefined> {
  try {
    const then = withSystemAuthority(ctx).derive({ now: at ?? ctx.now })
    if (later.length > 0) await undoItems(then, reversals(later), { id: newId(), warnings: [] })
    const entry = conditions
      ? await heldOn(then, rule, occurrence, conditions)
      : (await pass(then, [rule], occurrence, { dryRun: true, waited: true }))[0]
    // A rule without a change set did nothing, or failed in a way after which no statement is accepted.
    if (entry?.changeSetId === undefined) return entry && { ...entry, messages: {}, next: [] }
    const messages = maySend(rule) ? await messagesOf(then, rule) : {}
    return { ...entry, messages, next: await followingRules(then, rule, entry) }
  } finally {
    await ctx.sql`rollback to savepoint dry_run`
  }
}

/** Acts on an occurrence whose conditions hold. */
async function heldOn(
  ctx: Context,
  rule: Rule,
  occurrence: Occurrence,
  conditions: TracedCondition[],
): Promise<LogEntry> {
  const principal = await principalOf(ctx, rule, occurrence.actorId)
  return principal ? await act(ctx, { rule, principal }, occurrence, conditions) : withoutPrincipal(rule, occurrence)
}

/** Whether one of the actions may send messages to users; a change of the item's properties does not do so by itself. */
const maySend = (rule: Rule) => actionsOf(rule).some(each => actionKind(each.actionType)?.runs !== 'patch')

type LaterUpdate = Pick<LoggedEvent, 'kind' | 'entity' | 'recordId' | 'changes'>

/** The updates of each occurrence's item since its moment, which are undone to put the item back; by the index of the occurrence. */
async function laterUpdates(ctx: Context, all: readonly ReplayedOccurrence[]): Promise<Map<number, LaterUpdate[]>> {
  const moments = all.flatMap(({ occurrence: { itemId }, at }, n) => (at && itemId ? { n, id: itemId, at } : []))
  if (moments.length === 0) return new Map()
  const rows = await ctx.sql<LaterUpdate & { n: number }>`
    select m.n, e.kind, e.entity, e.record_id as "recordId", e.changes
    from jsonb_to_recordset(${JSON.stringify(moments)}::jsonb) as m(n int, id uuid, at timestamptz)
    join event e on e.tenant_id = ${ctx.caller.tenantId} and e.record_id = m.id and e.entity = 'Item' and e.kind = 'item.updated' and e.at > m.at
    order by e.xact, e.id`
  return Map.groupBy(rows, row => row.n)
}

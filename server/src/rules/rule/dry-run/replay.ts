import type { LoggedEvent } from '../../../engine/dispatch/dispatch.ts'
import { reversals } from '../../../engine/undo/reversal.ts'
import { withSystemAuthority } from '../../../identity/tenant-caller.ts'
import { undoItems } from '../../../items/undo/undo.ts'
import type { Context } from '../../../kernel/context.ts'
import { type Id, newId } from '../../../kernel/id.ts'
import { type ActingRule, matchRules } from '../engine/evaluate.ts'
import { liveRules } from '../engine/live-rules.ts'
import { itemsOf, type Occurrence, occurrenceOf, readEvents } from '../engine/occurrence.ts'
import { pass } from '../engine/pass.ts'
import { principalOf } from '../engine/principal.ts'
import type { LogEntry } from '../log/log.ts'
import type { Rule } from '../rule-shape.ts'

/** An occurrence on which a rule is tried. */
export interface ReplayedOccurrence {
  occurrence: Occurrence
  /** The item is restored to its state after this event; without an event it is used as it is. */
  event?: LoggedEvent
}

/** Runs a rule on an occurrence within a savepoint, and rolls everything back. */
export async function replayOccurrence(
  ctx: Context,
  rule: Rule,
  { occurrence, event }: ReplayedOccurrence,
): Promise<DryRunEntry | undefined> {
  await ctx.sql`savepoint dry_run`
  const then = withSystemAuthority(ctx).derive({ now: event?.at ?? ctx.now })
  if (event && occurrence.itemId) await rewind(then, occurrence.itemId, event)
  const [entry] = await pass(then, [rule], occurrence, { dryRun: true, waited: true })
  const next = entry?.changeSetId ? await triggeredBy(then, entry.changeSetId) : []
  await ctx.sql`rollback to savepoint dry_run`
  return entry && { ...entry, next }
}

/** What the rule would have done, and the saved rules that would follow. */
export interface DryRunEntry extends LogEntry {
  next: Rule[]
}

/** The saved rules whose conditions hold for a change set that is not rolled back yet. */
async function triggeredBy(ctx: Context, changeSetId: Id): Promise<Rule[]> {
  const live = await liveRules(ctx)
  if (!live.listens) return []
  const places = await ctx.sql<{ xact: string; id: Id }>`select xact::text as xact, id from event
    where tenant_id = ${ctx.caller.tenantId} and change_set_id = ${changeSetId}`
  const events = await readEvents(ctx, places)
  const about = await itemsOf(ctx, events)
  const triggered = new Set<Rule>()
  for (const event of events) {
    const actingRules: ActingRule[] = []
    for (const rule of live.caring(event, 'afterCommit')) {
      const principal = await principalOf(ctx, rule, event.actorId)
      if (principal) actingRules.push({ rule, principal })
    }
    const [holds = []] = await matchRules(ctx, actingRules, [occurrenceOf(event, about.get(event.id) ?? null)])
    for (const [n, { rule }] of actingRules.entries()) if (holds[n]) triggered.add(rule)
  }
  return live.all.filter(rule => triggered.has(rule))
}

/** Restores the item to its state after an event, by undoing all later updates. */
async function rewind(ctx: Context, itemId: Id, { xact, id }: LoggedEvent): Promise<void> {
  const later = await ctx.sql<{ kind: string; entity: string; recordId: Id; changes: LoggedEvent['changes'] }>`
    select kind, entity, record_id as "recordId", changes from event
    where tenant_id = ${ctx.caller.tenantId} and record_id = ${itemId} and entity = 'Item' and kind = 'item.updated' and (xact, id) > (${xact}::xid8, ${id}::uuid) order by xact, id`
  if (later.length > 0) await undoItems(ctx, reversals(later), { id: newId(), warnings: [] })
}

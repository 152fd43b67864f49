import type { LoggedEvent } from '../../../engine/dispatch/dispatch.ts'
import { reversals } from '../../../engine/undo/reversal.ts'
import { withSystemAuthority } from '../../../identity/tenant-caller.ts'
import { undoItems } from '../../../items/undo/undo.ts'
import type { Context } from '../../../kernel/context.ts'
import { type Id, newId } from '../../../kernel/id.ts'
import type { Occurrence } from '../engine/occurrence.ts'
import { pass } from '../engine/pass.ts'
import type { LogEntry } from '../log/log.ts'
import type { Rule } from '../rule-shape.ts'
import { type FollowingRule, followingRules } from './following-rules.ts'
import { type MessageCounts, messagesOf } from './message-estimate.ts'

/** An occurrence on which a rule is tried. */
export interface ReplayedOccurrence {
  occurrence: Occurrence
  /** The item is put back into its state at this moment; without one it is used as it is. */
  at?: Date
}

/** What the rule would have done, and what the saved rules would have done in turn. */
export interface DryRunEntry extends LogEntry {
  next: FollowingRule[]
  /** The messages that the rule itself would have sent. */
  messages: MessageCounts
}

/** Runs a rule on an occurrence within a savepoint, and rolls everything back. */
export async function replayOccurrence(
  ctx: Context,
  rule: Rule,
  { occurrence, at }: ReplayedOccurrence,
): Promise<DryRunEntry | undefined> {
  await ctx.sql`savepoint dry_run`
  try {
    const then = withSystemAuthority(ctx).derive({ now: at ?? ctx.now })
    if (at && occurrence.itemId) await rewind(then, occurrence.itemId, at)
    const [entry] = await pass(then, [rule], occurrence, { dryRun: true, waited: true })
    if (!entry) return undefined
    const messages = await messagesOf(then, rule)
    return { ...entry, messages, next: await followingRules(then, rule, entry) }
  } finally {
    await ctx.sql`rollback to savepoint dry_run`
  }
}

/** Puts the item back into its state at a moment, by undoing all later updates. */
async function rewind(ctx: Context, itemId: Id, at: Date): Promise<void> {
  const later = await ctx.sql<{ kind: string; entity: string; recordId: Id; changes: LoggedEvent['changes'] }>`
    select kind, entity, record_id as "recordId", changes from event
    where tenant_id = ${ctx.caller.tenantId} and record_id = ${itemId} and entity = 'Item' and kind = 'item.updated' and at > ${at} order by xact, id`
  if (later.length > 0) await undoItems(ctx, reversals(later), { id: newId(), warnings: [] })
}

import { itemVocabulary } from '../../../items/vocabulary/vocabulary.ts'
import type { Context } from '../../../kernel/context.ts'
import { type Id, operatorId } from '../../../kernel/id.ts'
import { and, ownTenant, raw, type Sql, sql } from '../../../kernel/sql.ts'
import type { Vocabulary } from '../../../language/conditions/conditions.ts'
import { ownerKind } from '../../../records/references/owner.ts'
import { withoutAmounts } from '../engine/clock-amounts.ts'
import { compileRule, inUse } from '../engine/evaluate.ts'
import { rowsOf } from '../engine/event-vocabulary.ts'
import type { Occurrence } from '../engine/occurrence.ts'
import { principalOf } from '../engine/principal.ts'
import { trigger } from '../rule-codes.ts'
import type { Rule } from '../rule-shape.ts'
import { readDuration, readOffset } from './interval.ts'
import { lastDayAt, movedBack } from './next-time.ts'
import { zoneOf } from './schedule.ts'

/** The number of due items that one query returns. */
export const batch = 500

/** The window of a planned run, and its progress. */
export interface RunWindow {
  /** The end of the previous window; null if there is none. */
  from: Date | null
  to: Date
  /** The last item that was committed. */
  last: Id | null
}

/** A due item. A rule acts once for each root, which identifies the moment. */
export interface DueItem {
  id: Id
  root: string
}

/** Returns the next batch of items for which a rule is due. */
export async function dueItems(ctx: Context, rule: Rule, planned: Date, run: RunWindow): Promise<DueItem[]> {
  const { to, last } = run
  const root = `run ${planned.toISOString()}`
  if (!isAboutItems(rule)) return [{ id: operatorId, root }]
  const principal = await principalOf(ctx, rule, rule.ownerUser)
  const window = await windowOf(ctx, rule, run, await itemVocabulary(ctx))
  if (!principal || !window) return []
  const occurrence = timedOccurrence(rule, to, { id: operatorId, root })
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

/** A schedule without a container, an owner and conditions is not about items: it runs once. */
export function isAboutItems({ trigger: code, container, conditionGroup, owner }: Rule): boolean {
  return code !== trigger.schedule || container.length > 0 || conditionGroup.length > 0 || owner !== ownerKind.tenant
}

/** Returns the condition for items that are due in the window, and the value that identifies their moment. */
export async function windowOf(
  ctx: Context,
  rule: Rule,
  { from, to }: Pick<RunWindow, 'from' | 'to'>,
  vocabulary: Pick<Vocabulary, 'resolve'>,
): Promise<{ holds: Sql; mark: Sql } | undefined> {
  if (rule.trigger === trigger.schedule) return { holds: raw('true'), mark: raw("''") }
  const timezone = await zoneOf(ctx, rule)
  if (rule.trigger === trigger.inactivity) return inactiveSince(rule, from, to, timezone)
  const read = readOffset(rule.triggerInterval)
  const path = read && vocabulary.resolve(read.path)
  if (!read || !from || !path || (path.kind !== 'date' && path.kind !== 'instant')) return undefined
  const { offset } = read
  const within = (value: Sql) =>
    path.kind === 'date'
      ? sql`${value} > ${lastDayAt(offset, from, timezone)}::date and ${value} <= ${lastDayAt(offset, to, timezone)}::date`
      : sql`${value} > ${movedBack(offset, from, timezone)}::timestamptz and ${value} <= ${movedBack(offset, to, timezone)}::timestamptz`
  return { holds: sql`(${path.among ? path.among(within) : within(path.value)})`, mark: path.value }
}

/** Matches items whose last change or annotation is older than the duration, and became so within the window. */
function inactiveSince(
  rule: Rule,
  from: Date | null,
  to: Date,
  timezone: string,
): { holds: Sql; mark: Sql } | undefined {
  const silence = readDuration(rule.triggerInterval.trim())
  if (!silence) return undefined
  const cut = movedBack(silence, to, timezone)
  const start = from && movedBack(silence, from, timezone)
  const lastAnnotation = (holds: Sql) =>
    sql`(select max(a.created) from annotation a where a.tenant_id = ${ownTenant} and a.item_id = t.id and not a.deleted and ${holds})`
  const last = sql`greatest(t.updated, ${lastAnnotation(sql`a.created <= ${to}::timestamptz`)})`
  const recent = start
    ? sql`t.id = any(array(select i.id from item i where i.tenant_id = ${ownTenant} and i.updated > ${start}::timestamptz and i.updated <= ${cut}::timestamptz
      union all select a.item_id from annotation a where a.tenant_id = ${ownTenant} and a.created > ${start}::timestamptz and a.created <= ${cut}::timestamptz and a.item_id is not null))`
    : raw('true')
  return {
    holds: and([sql`t.updated <= ${cut}::timestamptz`, recent, sql`${last} <= ${cut}::timestamptz`]),
    mark: last,
  }
}

/** The event kinds of the triggers that depend on time. */
export const eventKinds: Readonly<Record<number, string>> = {
  [trigger.schedule]: 'rule.scheduled',
  [trigger.dateField]: 'rule.dateReached',
  [trigger.inactivity]: 'rule.silence',
}

export function timedOccurrence(rule: Rule, at: Date, { id, root }: DueItem): Occurrence {
  const itemId = id === operatorId || id === '' ? null : id
  return {
    ...{
      eventId: null,
      kind: eventKinds[rule.trigger] ?? '',
      entity: itemId ? 'Item' : 'Rule',
      recordId: itemId,
      itemId,
      actorId: rule.ownerUser,
    },
    ...{ actorKind: 'rule', at, changes: {}, cause: null, root, more: {} },
  }
}

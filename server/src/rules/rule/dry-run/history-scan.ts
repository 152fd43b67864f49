import { items, visibleItems } from '../../../items/item/item.ts'
import { inContainersAt } from '../../../items/past/past.ts'
import type { Context } from '../../../kernel/context.ts'
import { isImported } from '../../../kernel/events.ts'
import { type Id, operatorId } from '../../../kernel/id.ts'
import { and, raw, sql } from '../../../kernel/sql.ts'
import { compile } from '../../../language/conditions/conditions.ts'
import { rowsAt } from '../../../records/history/past.ts'
import { withoutAmounts } from '../engine/clock-amounts.ts'
import { inUse, scopeOf, viewerOf } from '../engine/evaluate.ts'
import { rowsOf } from '../engine/event-vocabulary.ts'
import { indexed } from '../engine/live-rules.ts'
import { itemsOf, mailOf, type Occurrence, occurrenceOf } from '../engine/occurrence.ts'
import { principalOf, runAs } from '../engine/principal.ts'
import { mode, trigger } from '../rule-codes.ts'
import type { Rule } from '../rule-shape.ts'
import { batch, isAboutItems, timedOccurrence, windowOf } from '../triggers/due-items.ts'
import { nextRun } from '../triggers/schedule.ts'
import { eventPage, eventsAfter, type LogPosition, positionAt } from './event-history.ts'
import { matchPast, vocabularyThen } from './past-match.ts'
import type { ReplayedOccurrence } from './replay.ts'

// What would have triggered a rule in a period, page by page: the events of the log, or the items that were due at the planned times.

/** A period, the end excluded. */
export interface Period {
  since: Date
  until: Date
}

/** Where the next page begins: in the log, or at a planned time behind an item. */
export type ScanPosition = LogPosition | PlannedPosition

interface PlannedPosition {
  planned: string
  /** The planned time before, from which on dates and inactivity are considered. */
  from: string
  last: Id | null
}

/** One page of the history of a rule. */
export interface HistoryPage {
  /** How many events or due items were read. */
  read: number
  triggered: number
  matched: ReplayedOccurrence[]
  /** For each condition of the rule, how often it held. */
  held: number[]
  /** Up to when the period is done. */
  reached: Date
  next: ScanPosition | undefined
}

/** Whether a rule can be tried on a period: events and times are known, requests, mails and calls are not. */
export const hasHistory = ({ trigger: code }: Rule) =>
  [trigger.event, trigger.clock, trigger.schedule, trigger.dateField, trigger.inactivity].some(each => each === code)

export async function historyPage(
  ctx: Context,
  rule: Rule,
  period: Period,
  position: ScanPosition | undefined,
): Promise<HistoryPage> {
  const byEvents = rule.trigger === trigger.event || rule.trigger === trigger.clock
  if (byEvents) return await eventsPage(ctx, rule, period, position && 'xact' in position ? position : undefined)
  return await plannedPage(ctx, rule, period, position && 'planned' in position ? position : undefined)
}

async function eventsPage(
  ctx: Context,
  rule: Rule,
  { since, until }: Period,
  position: LogPosition | undefined,
): Promise<HistoryPage> {
  const index = indexed([rule])
  const when = rule.mode === mode.beforeCommit ? 'beforeCommit' : 'afterCommit'
  const rows = await eventsAfter(ctx, position ?? (await positionAt(ctx, since)))
  const within = rows.filter(({ at }) => at >= since && at < until)
  const events = within.filter(each => !isImported(each) && index.caring(each, when).length > 0)
  const about = await itemsOf(ctx, events)
  const occurrences: Occurrence[] = []
  for (const event of events) {
    const occurrence = occurrenceOf(event, about.get(event.id) ?? null)
    occurrences.push({ ...occurrence, more: await mailOf(ctx, occurrence) })
  }
  const { seen, matched, held } = await matchAll(ctx, rule, occurrences)
  const last = rows.at(-1)
  const isOver = !last || rows.length < eventPage || last.at >= until
  return {
    ...{ read: within.length, triggered: seen, matched, held },
    reached: isOver ? until : last.at,
    next: isOver ? undefined : { xact: last.xact, id: last.id },
  }
}

/** The occurrences that match, of those that the caller may see. */
export async function matchAll(
  ctx: Context,
  rule: Rule,
  occurrences: readonly Occurrence[],
): Promise<{ seen: number; matched: ReplayedOccurrence[]; held: number[] }> {
  const matched: ReplayedOccurrence[] = []
  const held: number[] = []
  let seen = 0
  const groups = Map.groupBy(occurrences, each => (rule.runAs === runAs.actor ? each.actorId : ''))
  for (const group of groups.values()) {
    const principal = await principalOf(ctx, rule, group[0]?.actorId ?? '')
    // Without a principal the rule is held back; the replay says so.
    const found = principal ? await matchPast(ctx, { rule, principal }, group) : []
    for (const [n, occurrence] of group.entries()) {
      const match = found[n]
      if (principal && !match) continue
      seen++
      for (const [i, each] of (match?.conditions ?? []).entries()) held[i] = (held[i] ?? 0) + (each.outcome ? 1 : 0)
      if (!principal || match?.holds)
        matched.push({ occurrence, at: occurrence.at, conditions: match?.conditions ?? [] })
    }
  }
  return { seen, matched: matched.sort((a, b) => a.occurrence.at.getTime() - b.occurrence.at.getTime()), held }
}

const hour = 3_600_000

async function plannedPage(
  ctx: Context,
  rule: Rule,
  { since, until }: Period,
  position: PlannedPosition | undefined,
): Promise<HistoryPage> {
  const nothing = { read: 0, triggered: 0, matched: [], held: [] }
  const first = position ? new Date(position.planned) : await plannedAfter(ctx, rule, since)
  if (!first || first >= until) return { ...nothing, reached: until, next: undefined }
  const from = position ? new Date(position.from) : since
  const due = await dueThen(ctx, rule, { planned: first, from, last: position?.last ?? null })
  // Their conditions are evaluated by the replay, which knows the amounts of clocks.
  const matched = due.map(occurrence => ({ occurrence, at: occurrence.at }))
  const last = due.at(-1)?.itemId
  const isFull = matched.length === batch && last !== undefined && last !== null
  const following = isFull ? first : await plannedAfter(ctx, rule, first)
  const next =
    following && following < until
      ? {
          planned: following.toISOString(),
          from: (isFull ? from : first).toISOString(),
          last: isFull ? last : null,
        }
      : undefined
  const found = { read: matched.length, triggered: matched.length, matched, held: [] }
  return { ...found, reached: next ? first : until, next }
}

/** The next planned time. Dates and inactivity are looked at hourly: what was due in between is found at the full step. */
async function plannedAfter(ctx: Context, rule: Rule, after: Date): Promise<Date | undefined> {
  const next = await nextRun(ctx, rule, after)
  if (!next || rule.trigger === trigger.schedule) return next
  return new Date(Math.max(next.getTime(), after.getTime() + hour))
}

/** The items for which the rule was due at a planned time, as they were then, of those that the caller may see. */
async function dueThen(
  ctx: Context,
  rule: Rule,
  { planned, from, last }: { planned: Date; from: Date; last: Id | null },
): Promise<Occurrence[]> {
  const root = `run ${planned.toISOString()}`
  if (!isAboutItems(rule)) return [timedOccurrence(rule, planned, { id: operatorId, root })]
  const principal = await principalOf(ctx, rule, rule.ownerUser)
  if (!principal) return []
  const vocabulary = await vocabularyThen(ctx.derive({ caller: principal }))
  const window = await windowOf(ctx, rule, { from, to: planned }, vocabulary)
  if (!window) return []
  const viewer = viewerOf(ctx.derive({ now: planned }), { rule, principal })
  const holds = and([
    window.holds,
    scopeOf(rule, visibleItems(principal, raw('t'))),
    compile(withoutAmounts(rule).conditionGroup, vocabulary, viewer),
  ])
  const among = and([
    visibleItems(ctx.caller, raw('p')),
    rule.container.length > 0 ? inContainersAt(raw('p'), rule.container, planned) : raw('true'),
    sql`(${last}::uuid is null or p.id > ${last}::uuid)`,
  ])
  const occurrence = { ...timedOccurrence(rule, planned, { id: operatorId, root }), itemId: operatorId }
  const rows = await ctx.sql<{ id: Id; mark: string }>`select t.id, (${window.mark})::text as mark
    from ${rowsOf([occurrence], [{ at: planned.toISOString() }])} cross join lateral (select e.at as at) o
    cross join ${rowsAt(items, planned, among, 'fields')} t
    where not t.deleted and ${inUse} and ${holds} order by t.id limit ${batch}`
  return rows.map(({ id, mark }) =>
    timedOccurrence(rule, planned, {
      id,
      root: rule.trigger === trigger.schedule ? root : `${rule.triggerInterval} ${mark}`.slice(0, 300),
    }),
  )
}

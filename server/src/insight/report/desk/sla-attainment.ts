import { clockState } from '../../../clocks/item-clock/item-clock.ts'
import { ownTenant, raw, type Sql, sql } from '../../../kernel/sql.ts'
import { sources } from '../../query/source.ts'
import { calendar, itemDimensions, reference } from '../item-dimensions.ts'
import { count, ratio } from '../measures.ts'
import { report } from '../report.ts'

const isState = (...states: number[]) => sql`k.state in (${raw(states.join(', '))})`
const hasEnded = sql`k.ended_at is not null`

/** A cycle that runs is breached from its due time on, also before the job that publishes it. */
const breach = (now: Date): Sql =>
  sql`case when k.ended_at is null then coalesce(k.breached_at, case when k.due_at <= ${now}::timestamptz then k.due_at end) end`
const decided = (now: Date) => sql`coalesce(k.ended_at, ${breach(now)})`

/** How many targets of clocks were met. */
export const slaAttainment = report('sla-attainment', {
  about:
    'The cycles of service-level targets that ended in the period, and those that became overdue in it and still run (`breached`). `attainment` is met ÷ (met + met late + breached). Cancelled cycles, and those that ran or were paused at the end and are not overdue, are counted apart.',
  source: sources.Item,
  from: sql`item_clock k join item t on t.tenant_id = ${ownTenant} and t.id = k.item_id`,
  container: raw('t.container_id'),
  during: (
    { from, to },
    { now },
  ) => sql`k.tenant_id = ${ownTenant} and k.state <> ${raw(String(clockState.notStarted))} and (
    (${decided(now)} >= ${from}::timestamptz and ${decided(now)} < ${to}::timestamptz) or (${decided(now)} is null and k.started_at < ${to}::timestamptz))`,
  dimensions: {
    clock: reference('clock', raw('k.clock_id')),
    target: () => ({ kind: 'text', value: raw('k.target_id') }),
    kind: () => ({ kind: 'number', value: raw('k.kind') }),
    ...itemDimensions,
    ...calendar('instant', decided),
  },
  groupBy: ['clock', 'kind'],
  reveals: ['clock'],
  measures: (_period, { now }) => ({
    met: count('Met in time.', isState(clockState.met)),
    metLate: count('Met after the due time.', isState(clockState.metLate)),
    breached: count('Overdue, and not met yet.', sql`${breach(now)} is not null`),
    decided: count(
      'All of these.',
      sql`(${isState(clockState.met, clockState.metLate)} or ${breach(now)} is not null)`,
    ),
    attainment: ratio('Met in time ÷ decided; null without any.', 'met', 'decided'),
    cancelled: count('Cancelled.', sql`${hasEnded} and ${isState(clockState.cancelled)}`),
    running: count('Not overdue yet.', sql`${decided(now)} is null and not ${isState(clockState.paused)}`),
    paused: count('Paused.', sql`${decided(now)} is null and ${isState(clockState.paused)}`),
  }),
})

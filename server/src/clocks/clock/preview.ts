import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { operation } from '../../kernel/operation.ts'
import { refuseUnknown } from '../../kernel/record/references.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { join, sql } from '../../kernel/sql.ts'
import { clockStates } from '../../records/clock-codes.ts'
import { Code } from '../../records/code-table.ts'
import { clockHoursOf } from '../calendar/calendar.ts'
import { type ClockDefinition, clockDefinitions, definitionOf, linkRegions } from '../cycle/clock-definition.ts'
import { clockState, type MeasuredCycle } from '../cycle/measure.ts'
import { replayItems } from '../cycle/replay-items.ts'
import { iso, storedRows } from '../item-clock/item-clock-rows.ts'
import { clocksWithRegion } from '../region/region.ts'
import { regionReferences } from '../region/region-checks.ts'
import { type ClockValues, checkClock, clocks, normalized } from './clock.ts'
import { recalculateModeOf, recalculateQuery, withHolidays } from './clock-change.ts'
import { affected } from './recalculation.ts'

const batchSize = 200
/** The most items that are compared while the caller waits; the result is a sample if there are more. */
const maxItems = 2000
const maxWorst = 10

const change: Schema = {
  type: 'object',
  properties: {
    itemId: { type: 'string' },
    key: { type: 'string' },
    targetId: { type: 'string' },
    stateBefore: Code(clockStates),
    stateAfter: Code(clockStates),
    dueBefore: { type: 'string', format: 'date-time', nullable: true },
    dueAfter: { type: 'string', format: 'date-time', nullable: true },
  },
  required: ['itemId', 'key', 'targetId', 'stateBefore', 'stateAfter', 'dueBefore', 'dueAfter'],
}

const schema: Schema = {
  type: 'object',
  title: 'ClockPreview',
  properties: {
    total: { type: 'integer', description: 'Items that the change may affect.' },
    looked: { type: 'integer', description: 'How many of them were compared.' },
    light: { type: 'integer', description: 'Items whose state would change.' },
    due: { type: 'integer', description: 'Items whose due time would change.' },
    worst: { type: 'array', items: change, description: 'The ten items that get worst.' },
  },
  required: ['total', 'looked', 'light', 'due', 'worst'],
}

/** Computes what a change of a clock would do. */
export const preview = operation<Partial<ClockValues>>({
  permission: clocks.permissions.update,
  mode: 'read',
  summary: 'Preview a change of a clock',
  description:
    'How many items would change their state or their due time if the clock were changed in this way, and the ten that get worst. Nothing is written, and a changed `holidayFeed` is not fetched.',
  query: recalculateQuery,
  body: { schema: clocks.updateSchema, read: clocks.readUpdate, example: { dayEnd: '16:00' } },
  reply: { status: 200, schema, description: 'What would change.' },
  refusals: [404, 422],
  async run(ctx, input) {
    const mode = recalculateModeOf(input)
    const clock = await clocks.get(ctx, input.params.id ?? '')
    const values = Object.fromEntries(
      Object.entries(await withHolidays(ctx, normalized(input.body, clock), clock)).filter(
        ([, value]) => value !== undefined,
      ),
    )
    const after = { ...clock, ...clocks.completed({ ...clock, ...values }), version: clock.version + 1 }
    await refuseUnknown(ctx, regionReferences(after))
    await checkClock(ctx, after, clock)
    const now = await clockDefinitions(ctx)
    const then = linkRegions(now.map(each => (each.clock.id === clock.id ? changed(ctx, each, after, mode) : each)))
    const counting = [clock, ...(await clocksWithRegion(ctx, clock.id))]
    const ofEach = counting.map(each => sql`(${affected(ctx.caller.tenantId, each, mode)})`)
    const found = await ctx.sql<{ id: Id; total: number }>`select i.id, count(*) over ()::int as total
      from (${join(ofEach, ' union ')}) i order by i.id limit ${maxItems}`
    const ids = found.map(each => each.id)
    const differences = await compare(ctx, ids, now, then)
    const worstOnes = differences.toSorted((a, b) => harm(b) - harm(a)).slice(0, maxWorst)
    const keys = await ctx.sql<{ id: Id; key: string }>`select id, key from item
      where tenant_id = ${ctx.caller.tenantId} and id = any(${worstOnes.map(each => each.itemId)}::uuid[])`
    const items = (some: (each: Difference) => boolean) =>
      new Set(differences.filter(some).map(each => each.itemId)).size
    return {
      body: {
        total: found[0]?.total ?? 0,
        looked: ids.length,
        light: items(({ before, after }) => before?.state !== after?.state),
        due: items(({ before, after }) => (before?.dueAt ?? null) !== (after?.dueAt ?? null)),
        worst: worstOnes.map(({ itemId, before, after }) => ({
          itemId,
          key: keys.find(each => each.id === itemId)?.key ?? '',
          targetId: (after ?? before)?.targetId ?? '',
          stateBefore: before?.state ?? clockState.notStarted,
          stateAfter: after?.state ?? clockState.notStarted,
          dueBefore: iso(before?.dueAt ?? null),
          dueAfter: iso(after?.dueAt ?? null),
        })),
      },
    }
  },
})

function changed(
  ctx: Context,
  { clock, versions }: ClockDefinition,
  after: typeof clock,
  mode: number,
): ClockDefinition {
  const since = after.effectiveFrom === clock.effectiveFrom ? null : after.effectiveFrom
  const made = ctx.now.toISOString()
  const own = versions.map(each => ({
    ...each,
    made: new Date(each.made).toISOString(),
    from: new Date(each.from).toISOString(),
  }))
  const next = { version: after.version, made, from: since ?? made, recalculate: mode, calendar: clockHoursOf(after) }
  return definitionOf(after, [...own, next])
}

interface Difference {
  itemId: Id
  before: MeasuredCycle | undefined
  after: MeasuredCycle | undefined
}

async function compare(
  ctx: Context,
  ids: readonly Id[],
  now: readonly ClockDefinition[],
  then: readonly ClockDefinition[],
): Promise<Difference[]> {
  const differences: Difference[] = []
  for (let i = 0; i < ids.length; i += batchSize) {
    const part = ids.slice(i, i + batchSize)
    const kept = await storedRows(ctx, part)
    const before = await replayItems(ctx, part, now, kept)
    const after = await replayItems(ctx, part, then, kept)
    for (const itemId of part) {
      const [old, fresh] = [before.get(itemId)?.rows ?? [], after.get(itemId)?.rows ?? []]
      for (const key of new Set([...old, ...fresh].map(each => `${each.lane} ${each.cycle}`))) {
        const [a, b] = [old, fresh].map(rows => rows.find(each => `${each.lane} ${each.cycle}` === key))
        if (a?.state !== b?.state || (a?.dueAt ?? null) !== (b?.dueAt ?? null))
          differences.push({ itemId, before: a, after: b })
      }
    }
  }
  return differences
}

/** How much worse an item gets: first by its state, then by how much sooner it is due. */
function harm({ before, after }: Difference): number {
  const sooner = (before?.dueAt ?? 0) - (after?.dueAt ?? before?.dueAt ?? 0)
  const severity = (row: MeasuredCycle | undefined) => (row && row.state <= clockState.red ? row.state : 0)
  return (severity(after) - severity(before)) * 1e15 + sooner
}

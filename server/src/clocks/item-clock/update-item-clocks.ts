import type { Context } from '../../kernel/context.ts'
import { append, type Happening } from '../../kernel/events.ts'
import type { Id } from '../../kernel/id.ts'
import { raw, type Sql } from '../../kernel/sql.ts'
import { type Definition, definitions } from '../cycle/clock-definition.ts'
import { type Measured, state } from '../cycle/measure.ts'
import { type Anew, foldItems } from '../cycle/replay-items.ts'
import { iso, type KeptRow, keptRows, writeRows } from './item-clock-rows.ts'
import { leaders } from './primary-cycles.ts'

/**
 * Brings what is kept of the clocks of items up to the moment, and tells what happened: the one way in which lights
 * change, whether an event, a threshold, a hand or a new calendar asks for it. State and events are one transaction,
 * so each crossing is told once. Returns how many items stand otherwise than before.
 */
export async function settle(
  ctx: Context,
  itemIds: readonly Id[],
  more: { all?: readonly Definition[]; anew?: Anew } = {},
): Promise<number> {
  const ids = [...new Set(itemIds)].sort()
  if (ids.length === 0) return 0
  // Two who settle the same item take turns; its writers are not held up.
  await ctx.sql`select pg_advisory_xact_lock(${itemLock}) from (select id from unnest(${ids}::text[]) as id order by id) each`
  const all = more.all ?? (await definitions(ctx))
  const kept = await keptRows(ctx, ids)
  const fresh = await foldItems(ctx, ids, all, kept, more.anew)
  const happenings: Happening[] = []
  const changed: { itemId: Id; rows: (Measured & { told: number; leading: boolean })[] }[] = []
  for (const itemId of ids) {
    const before = kept.get(itemId) ?? []
    const now = fresh.get(itemId) ?? { rows: [], checkpoints: new Map() }
    const frozen = before.filter(
      row => row.endedAt !== null && row.cycle <= (now.checkpoints.get(row.lane)?.cycle ?? 0),
    )
    const rows = now.rows.map(row => {
      const known = before.find(each => each.lane === row.lane && each.cycle === row.cycle)
      const told = toldBy(row, ctx.now.getTime())
      happenings.push(...happened(itemId, row, known, told))
      return { ...row, told, leading: false }
    })
    for (const row of before)
      if (
        !frozen.includes(row) &&
        !rows.some(each => each.lane === row.lane && each.cycle === row.cycle) &&
        row.endedAt === null
      )
        happenings.push(event('cancelled', itemId, row, row.state, state.cancelled))
    const leading = leaders<Measured | KeptRow>([...rows, ...frozen])
    for (const row of rows) row.leading = leading.has(row)
    if (differ(before, frozen, rows)) changed.push({ itemId, rows: [...rows] })
  }
  await writeRows(ctx, changed, fresh)
  await append(ctx, happenings)
  return changed.length
}

/** Who settles an item holds this; `id` is the item. */
export const itemLock: Sql = raw("hashtextextended('clock ' || id, 0)")

/** What has been told of a row, so that a crossing is told once: amber 1, red 2, broken 4. */
const crossing = { amber: 1, red: 2, breached: 4 } as const

function toldBy({ amberAt, redAt, breachedAt, endedAt }: Measured, now: number): number {
  const until = endedAt ?? now
  const passed = (at: number | null) => at !== null && at <= until
  return (
    (passed(amberAt) ? crossing.amber : 0) |
    (passed(redAt) ? crossing.red : 0) |
    (breachedAt !== null ? crossing.breached : 0)
  )
}

/** What somebody who listens is told, in the order in which it happened. */
function happened(itemId: Id, row: Measured, known: KeptRow | undefined, told: number): Happening[] {
  const events: Happening[] = []
  const from = known?.state ?? state.notStarted
  const tell = (verb: string) => events.push(event(verb, itemId, row, from, row.state))
  if (!known) tell('started')
  const before = known?.told ?? 0
  const [paused, resumed] = [counts(known?.pauses ?? []), counts(row.pauses)]
  if (told & ~before & crossing.amber) tell('amber')
  if (told & ~before & crossing.red) tell('red')
  if (told & ~before & crossing.breached) tell('breached')
  for (let i = paused.begun; i < resumed.begun; i++) tell('paused')
  for (let i = paused.over; i < resumed.over; i++) tell('resumed')
  if (row.endedAt !== null && (!known || known.endedAt === null))
    tell(row.state === state.cancelled ? 'cancelled' : 'met')
  return events
}

const counts = (pauses: readonly { to?: unknown }[]) => ({
  begun: pauses.length,
  over: pauses.filter(each => each.to !== undefined && each.to !== null).length,
})

function event(
  verb: string,
  itemId: Id,
  row: Pick<Measured, 'clockId' | 'targetId' | 'kind' | 'cycle' | 'dueAt'>,
  from: number,
  to: number,
): Happening {
  const { clockId, targetId, kind, cycle, dueAt } = row
  return {
    kind: `clock.${verb}`,
    entity: 'Item',
    recordId: itemId,
    changes: {
      clockId: { to: clockId },
      targetId: { to: targetId },
      targetKind: { to: kind },
      cycle: { to: cycle },
      clockState: { from, to },
      dueAt: { to: iso(dueAt) },
    },
  }
}

/** Whether anything is to be written: what only grows with the time that passes is not. */
function differ(
  before: readonly KeptRow[],
  frozen: readonly KeptRow[],
  rows: readonly (Measured & { told: number; leading: boolean })[],
): boolean {
  const open = before.filter(each => !frozen.includes(each))
  if (open.length !== rows.length) return true
  return rows.some(row => {
    const known = open.find(each => each.lane === row.lane && each.cycle === row.cycle)
    return !known || sign(known) !== sign(row) || known.wasLeading !== row.leading
  })
}

function sign(row: Omit<Measured, 'greenAt'> & { told: number }): string {
  const { elapsed: _, remaining: __, breached: ___, memory: ____, ...rest } = row
  return JSON.stringify(
    [
      'clockId',
      'targetId',
      'kind',
      'version',
      'state',
      'startedAt',
      'dueAt',
      'amberAt',
      'redAt',
      'pausedSince',
      'pauses',
      'metAt',
      'breachedAt',
      'endedAt',
      'endedBy',
      'nextAt',
      'told',
    ].map(property => Reflect.get(rest, property) ?? null),
  )
}

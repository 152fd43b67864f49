import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { raw } from '../../kernel/sql.ts'
import { type Clock, clocks, type Target, targetsOf } from '../clock/clock.ts'
import { type Lights, lightsOf } from '../clock/thresholds.ts'
import type { Version } from '../working-time/hours-periods.ts'

export const kindOf = {
  custom: 0,
  firstResponse: 1,
  nextResponse: 2,
  update: 3,
  resolution: 4,
  requesterWait: 5,
  agentWork: 6,
} as const

/** A promise, and the lights that tell how it stands. */
export interface Promised extends Target {
  lights: Lights
}

/** A clock as its engine knows it. */
export interface Definition {
  clock: Clock
  promises: readonly Promised[]
  versions: readonly Version[]
  /** Since when it is there; it does not look at what was before. */
  since: number
  /** When it was taken away. */
  gone: number | undefined
}

/** What a clock with thresholds and without targets promises: that its red light does not come on before the work is done. */
const plainTarget: Target = {
  id: 'clock',
  kind: kindOf.resolution,
  minutes: 0,
  conditionGroup: [],
  calendarTime: false,
}

/** The clocks of the tenant that promise something, in the order in which they are asked. Deleted ones come too: cycles of theirs end. */
export async function definitions(ctx: Context): Promise<Definition[]> {
  const { tenantId } = ctx.caller
  const rows = await ctx.sql<{ json: string; versions: string }>`select ${clocks.json(raw('t'))} as json,
      (select coalesce(json_agg(json_build_object('version', v.version, 'made', v.made, 'from', v.effective_from, 'recalculate', v.recalculate, 'calendar', v.calendar) order by v.version), '[]')::text
        from clock_version v where v.tenant_id = ${tenantId} and v.clock_id = t.id) as versions
    from clock t where t.tenant_id = ${tenantId} and (not t.deleted or exists (
      select 1 from item_clock i where i.tenant_id = ${tenantId} and i.clock_id = t.id and i.ended_at is null))
    order by t."order", t.id`
  return rows.map(row => definitionOf(JSON.parse(row.json), JSON.parse(row.versions)))
}

interface VersionRow {
  version: number
  made: string
  from: string
  recalculate: number
  calendar: Version['calendar']
}

export function definitionOf(clock: Clock, rows: readonly VersionRow[]): Definition {
  const targets = clock.targets.length > 0 ? targetsOf(clock) : [plainTarget]
  const versions = rows.map(each => ({ ...each, made: Date.parse(each.made), from: Date.parse(each.from) }))
  return {
    clock,
    promises: targets.flatMap(each => {
      const lights = each.kind >= 0 && each.kind <= 6 ? lightsOf(clock, each.minutes) : undefined
      return lights ? [{ ...each, lights }] : []
    }),
    versions: versions.length > 0 ? versions : [firstVersion(clock)],
    since: versions[0]?.from ?? Date.parse(clock.created),
    gone: clock.deleted ? Date.parse(clock.updated) : undefined,
  }
}

function firstVersion(clock: Clock): Version {
  const made = Date.parse(clock.created)
  return { version: clock.version, made, from: made, recalculate: 0, calendar: clock }
}

/** Where a promise runs: kinds are held once an item, unless the clock runs beside others or the promise is its own. */
export function laneOf({ clock }: Pick<Definition, 'clock'>, { kind, id }: Pick<Promised, 'kind' | 'id'>): string {
  if (kind === kindOf.custom) return `${clock.id}/${id}`
  return clock.parallel ? `${clock.id}:${kind}` : String(kind)
}

export function definitionById(all: readonly Definition[], clockId: Id): Definition | undefined {
  return all.find(each => each.clock.id === clockId)
}

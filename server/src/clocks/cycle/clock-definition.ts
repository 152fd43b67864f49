import type { Context } from '../../kernel/context.ts'
import { raw, sql } from '../../kernel/sql.ts'
import type { Region } from '../calendar/calendar.ts'
import { type Clock, clocks, type TargetValues, targetsOf } from '../clock/clock.ts'
import { recalculateMode } from '../clock/recalculate-mode.ts'
import { isTargetKind, targetKind } from '../clock/target-kind.ts'
import { type Thresholds, thresholdsOf } from '../clock/thresholds.ts'
import type { HoursVersion } from '../working-time/hours-periods.ts'

/** A target of a clock, with the thresholds of its states. */
export interface ClockTarget extends TargetValues {
  thresholds: Thresholds
}

/** A clock as cycles are measured by it. */
export interface ClockDefinition {
  clock: Clock
  targets: readonly ClockTarget[]
  versions: readonly HoursVersion[]
  /** Since when the clock exists; it ignores earlier moments. */
  since: number
  /** When it was deleted. */
  gone: number | undefined
}

/** The target of a clock that has thresholds and no targets: the item is resolved before the red threshold. */
const plainTarget: TargetValues = {
  id: 'clock',
  kind: targetKind.resolution,
  minutes: 0,
  conditionGroup: [],
  calendarTime: false,
}

/** The clocks of the tenant in the order in which they apply. Deleted clocks with open cycles are included, because these cycles have to end. */
export async function clockDefinitions(ctx: Context): Promise<ClockDefinition[]> {
  const { tenantId } = ctx.caller
  const applies = sql`(not t.deleted or exists (
      select 1 from item_clock i where i.tenant_id = ${tenantId} and i.clock_id = t.id and i.ended_at is null))`
  const rows = await ctx.sql<{
    json: string
    applies: boolean
    versions: string
  }>`select ${clocks.json(raw('t'))} as json, ${applies} as applies,
      (select coalesce(json_agg(json_build_object('version', v.version, 'made', v.made, 'from', v.effective_from, 'recalculate', v.recalculate, 'calendar', v.calendar) order by v.version), '[]')::text
        from clock_version v where v.tenant_id = ${tenantId} and v.clock_id = t.id) as versions
    from clock t where t.tenant_id = ${tenantId} and (${applies} or t.id in (
      select (r ->> 'clockId')::uuid from clock_version v cross join lateral jsonb_array_elements(v.calendar -> 'regions') r where v.tenant_id = ${tenantId}))
    order by t."order", t.id`
  const all = linkRegions(rows.map(row => definitionOf(JSON.parse(row.json), JSON.parse(row.versions))))
  return all.filter((_, i) => rows[i]?.applies)
}

/**
 * Gives each version the hours of its regions. A clock that was a region may be deleted since; its time was counted. Who is responsible
 * in a region is told by the clock as it is now, because a group can be replaced by another one.
 */
export function linkRegions(definitions: readonly ClockDefinition[]): ClockDefinition[] {
  const known = new Map(definitions.map(each => [each.clock.id, each.versions]))
  const linked = (version: HoursVersion, { regions: present }: Clock): HoursVersion => {
    const { regions = [] } = version.calendar
    if (regions.length === 0) return version
    const before = new Map(version.regions?.map(each => [each.region.clockId, each.versions]))
    const versionsOf = ({ clockId = '' }) => known.get(clockId) ?? before.get(clockId) ?? []
    const asNow = (region: Region) => present.find(each => each.clockId === region.clockId) ?? region
    return { ...version, regions: regions.map(each => ({ region: asNow(each), versions: versionsOf(each) })) }
  }
  return definitions.map(each => ({ ...each, versions: each.versions.map(version => linked(version, each.clock)) }))
}

interface VersionRow {
  version: number
  made: string
  from: string
  recalculate: number
  calendar: HoursVersion['calendar']
}

export function definitionOf(clock: Clock, rows: readonly VersionRow[]): ClockDefinition {
  const targets = clock.targets.length > 0 ? targetsOf(clock) : [plainTarget]
  const versions = rows.map(each => ({ ...each, made: Date.parse(each.made), from: Date.parse(each.from) }))
  return {
    clock,
    targets: targets.flatMap(each => {
      const thresholds = isTargetKind(each.kind) ? thresholdsOf(clock, each.minutes) : undefined
      return thresholds ? [{ ...each, thresholds }] : []
    }),
    versions: versions.length > 0 ? versions : [firstVersion(clock)],
    since: versions[0]?.from ?? Date.parse(clock.created),
    gone: clock.deleted ? Date.parse(clock.updated) : undefined,
  }
}

function firstVersion(clock: Clock): HoursVersion {
  const made = Date.parse(clock.created)
  return { version: clock.version, made, from: made, recalculate: recalculateMode.keep, calendar: clock }
}

/** The lane of a target. An item has one lane per kind of target; a parallel clock and a custom target have their own. */
export function laneOf(
  { clock }: Pick<ClockDefinition, 'clock'>,
  { kind, id }: Pick<ClockTarget, 'kind' | 'id'>,
): string {
  if (kind === targetKind.custom) return `${clock.id}/${id}`
  return clock.parallel ? `${clock.id}:${kind}` : String(kind)
}

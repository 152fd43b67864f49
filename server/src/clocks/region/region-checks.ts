import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { kind } from '../../kernel/kinds.ts'
import type { Finding } from '../../kernel/record/record.ts'
import { findUnknown, type Reference } from '../../kernel/record/references.ts'
import { type Fault, fault, RuleBroken } from '../../kernel/refusal.ts'
import { raw } from '../../kernel/sql.ts'
import type { Clock, ClockValues } from '../clock/clock-shape.ts'

type Regions = ClockValues['regions']

/** Two regions with one name could not be told apart, and of two with one clock the second would never be responsible. */
export function regionFaults(regions: Regions): Fault[] {
  return (['name', 'clockId'] as const).flatMap(property => {
    const seen = new Set<string>()
    return regions.flatMap((region, i) => {
      const value = (region[property] ?? '').toLowerCase()
      const known = seen.has(value)
      seen.add(value)
      return known ? [fault(['regions', i, property], 'duplicate', 'another region has it', region[property])] : []
    })
  })
}

/** Refuses regions whose clock has regions itself, and regions for a clock that is a region: hours are found in one step. */
export async function refuseNestedRegions(ctx: Context, regions: Regions, id: Id | undefined): Promise<void> {
  if (regions.length === 0) return
  const { tenantId } = ctx.caller
  const ids = regions.map(each => (each.clockId ?? '').toLowerCase())
  // The locks make a removal of these clocks wait, or show that it was first.
  const rows = await ctx.sql<{ id: Id; nested: boolean }>`select t.id, t.regions <> '[]' as nested from clock t
    where t.tenant_id = ${tenantId} and t.id = any(${ids}::uuid[]) and not t.deleted order by t.id for share`
  const nested = new Set(rows.filter(each => each.nested || each.id === id).map(each => each.id))
  const faults = ids.flatMap((each, i) =>
    nested.has(each)
      ? [fault(['regions', i, 'clockId'], 'clock-nested', 'the clock of a region must not have regions itself', each)]
      : [],
  )
  if (faults.length > 0) throw new RuleBroken('clock-nested', 'the clock of a region must not have regions', faults)
  const users = id === undefined ? [] : await usersOfRegion(ctx, id)
  if (users.length > 0)
    throw new RuleBroken('clock-nested', `the clock is a region of ${namesOf(users)}, so that it must not have regions`)
}

/** Refuses the removal of a clock that is a region of others: their hours would be gone with it. */
export async function refuseUsedRegion(ctx: Context, id: Id): Promise<void> {
  const users = await usersOfRegion(ctx, id)
  if (users.length > 0) throw new RuleBroken('clock-in-use', `the clock is a region of ${namesOf(users)}`)
}

/** The names of the clocks that a clock is a region of; those that the caller does not see are without. */
async function usersOfRegion({ caller, sql }: Context, id: Id): Promise<{ name: string | null }[]> {
  const t = raw('t')
  return await sql<{
    name: string | null
  }>`select case when ${kind('Clock').visible(caller, t)} then t.name end as name from clock t
    where t.tenant_id = ${caller.tenantId} and t.regions @> ${JSON.stringify([{ clockId: id }])}::jsonb and not t.deleted
    order by t.name limit 5`
}

const namesOf = (users: readonly { name: string | null }[]) =>
  [...new Set(users.map(each => each.name ?? 'another clock'))].join(', ')

/** The references to the clocks of the regions. */
export const regionReferences = ({ regions }: Pick<Clock, 'regions'>): Reference[] =>
  regions.map(({ clockId = '' }, i) => ({ entity: 'Clock', id: clockId, path: ['regions', i, 'clockId'] }))

/** The own hours of a clock, which do not count if it has regions. */
const ownHours = [
  'dayStart',
  'dayEnd',
  'weekStart',
  'weekEnd',
  'nonWorkingDay',
  'schedule',
  'exceptions',
  'holidayCountry',
  'holidayFeed',
] as const satisfies readonly (keyof Clock)[]

/** What of the regions has no effect: own hours beside them, and regions in which nobody is responsible. */
export async function regionFindings(ctx: Context, clock: Clock): Promise<Finding[]> {
  const { regions } = clock
  if (regions.length === 0) return []
  const ignored = ownHours.filter(each => clock[each].length > 0)
  const message = 'has no effect, because the hours of the regions count'
  const without = regions.flatMap(({ groupId = '' }, i) => (groupId === '' ? [i] : []))
  const groups = regions.flatMap(({ groupId = '' }, i) =>
    groupId === '' ? [] : [{ entity: 'UserGroup', id: groupId, path: ['regions', i, 'groupId'] }],
  )
  const unknown = await findUnknown(ctx, [...regionReferences(clock), ...groups])
  return [
    ...ignored.map(each => ({ path: `/${each}`, code: 'no-effect', message })),
    ...without.map(i => ({
      path: `/regions/${i}/groupId`,
      code: 'no-group',
      message: 'is empty, so that nobody is responsible in this region',
    })),
    ...unknown.map(({ path, entity }) => ({
      path: `/${path.join('/')}`,
      code: 'unknown-reference',
      message: `there is no such ${entity}`,
    })),
  ]
}

import { Type } from 'typebox'
import { visibleContainers } from '../../identity/visibility.ts'
import { type Caller, managers } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { check, create, get, list, restore, update } from '../../kernel/crud.ts'
import type { Routes } from '../../kernel/operation.ts'
import type { Finding, Stored, Values } from '../../kernel/record/record.ts'
import { type Fault, fault, Invalid, RuleBroken } from '../../kernel/refusal.ts'
import { resource } from '../../kernel/resource.ts'
import { Count, Instant, LocalDate, LongText, Name, Part, Ref } from '../../kernel/schema/values.ts'
import { or, type Sql, sql } from '../../kernel/sql.ts'
import { Code, codeTableOfCodes } from '../../records/code-table.ts'
import { history } from '../../records/history/history.ts'
import { lockOwner, nextNumber, sameOwner } from './cycle-owner.ts'

export type { CycleOwner } from './cycle-owner.ts'

const Amounts = Type.Unsafe<Amount | Record<string, never>>({
  type: 'object',
  properties: { count: { type: 'integer' }, points: { type: 'number' }, minutes: { type: 'number' } },
})

/** The number of items with the sums of their points and estimated minutes. */
export interface Amount {
  count: number
  points: number
  minutes: number
}

/** The states of a cycle: planned until it is started, active until it is finished. */
export const planned = 0
export const active = 1
export const done = 2

/** The codes of `rollover`: where open items move when a cycle is finished. */
export const rollovers = { next: 0, backlog: 1, ask: 2 } as const
export const cycleRollovers = codeTableOfCodes('cycle.rollover', rollovers)

const shape = {
  containerId: Ref('Container'),
  userGroupId: Ref('UserGroup'),
  number: Type.Integer({ minimum: 0 }),
  name: Name(200),
  goal: LongText(10_000),
  startDate: LocalDate,
  endDate: LocalDate,
  state: Code(codeTableOfCodes('cycle.state', { planned, active, done })),
  startedAt: Instant,
  completedAt: Instant,
  capacityMinutes: Count(),
  committed: Amounts,
  completed: Amounts,
  retro: LongText(),
  rollover: Code(cycleRollovers),
  autoCreate: Part({ lengthDays: Count(366), cooldownDays: Count(366), count: Count(20) }),
  parallel: Type.Boolean(),
}

export type Cycle = Stored<typeof shape>
export type CycleValues = Values<typeof shape>

/** A period with a goal, and the items that are planned for it. */
export const cycles = resource('Cycle', {
  about:
    'A period of a container or a group, with a goal and the items that are planned for it. The cycles of one owner do not overlap, unless one is `parallel`. `state` is 0 planned · 1 active · 2 done.',
  shape,
  serverSet: ['number', 'state', 'startedAt', 'completedAt', 'committed', 'completed'],
  may: { create: managers, update: managers, delete: managers },
  place: ({ containerId }) => ({ containerId: containerId || null }),
  visible: whatIsSeen,
  check: checkCycle,
  findings: inertParts,
  order: 'startDate,number',
  example: {
    name: 'Spring cleaning',
    containerId: '01890000-0000-7000-8000-000000000000',
    startDate: '2026-03-02',
    endDate: '2026-03-15',
  },
})

/** Cycles of a container are visible to callers who see the container; cycles of groups are visible to everybody. */
function whatIsSeen(caller: Caller, c: Sql): Sql {
  return or([sql`${c}.container_id is null`, visibleContainers(caller, sql`${c}.container_id`)])
}

function inertParts({ rollover }: Cycle): Finding[] {
  if (Object.values<number>(rollovers).includes(rollover)) return []
  return [
    { path: '/rollover', code: 'unknown-code', message: `${rollover} is not a known code; it works like 2 (ask)` },
  ]
}

async function checkCycle(ctx: Context, cycle: CycleValues, before: Cycle | undefined): Promise<void> {
  const { containerId, userGroupId, startDate, endDate } = cycle
  const faults: Fault[] = []
  if (!startDate !== !endDate)
    faults.push(fault([startDate ? 'endDate' : 'startDate'], 'required', 'is required if the other date is given'))
  if (startDate && endDate && startDate > endDate)
    faults.push(fault(['endDate'], 'range', 'must not be before startDate', endDate))
  if (faults.length > 0) throw new Invalid(faults)
  if ((containerId === '') === (userGroupId === ''))
    throw new RuleBroken('cycle-owner', 'a cycle belongs either to a container or to a group', [
      fault(['containerId'], 'cycle-owner', 'either containerId or userGroupId is required'),
    ])
  if (before && (before.containerId !== containerId || before.userGroupId !== userGroupId))
    throw new RuleBroken('cycle-owner-fixed', 'the owner of a cycle cannot change', [
      fault([containerId === '' ? 'userGroupId' : 'containerId'], 'cycle-owner-fixed', 'cannot be changed'),
    ])
  const stays = before && !before.deleted && overlapping.every(each => before[each] === cycle[each])
  if (!stays && !cycle.parallel && startDate && endDate) await refuseOverlap(ctx, cycle, before)
}

const overlapping = ['startDate', 'endDate', 'parallel'] as const

/** Planning for an owner is serialised, so that concurrent writers see each other's dates. */
async function refuseOverlap(ctx: Context, cycle: CycleValues, before: Cycle | undefined): Promise<void> {
  await lockOwner(ctx, cycle)
  const [other] = await ctx.sql<{ name: string; startDate: string; endDate: string }>`
    select name, start_date as "startDate", end_date as "endDate" from cycle c where ${sameOwner(ctx, cycle)} and not deleted and not parallel
      and start_date <= ${cycle.endDate}::date and end_date >= ${cycle.startDate}::date and id is distinct from ${before?.id ?? null}::uuid
    order by start_date limit 1`
  if (!other) return
  const message = `overlaps the cycle ${other.name}, which is from ${other.startDate} to ${other.endDate}`
  throw new RuleBroken('cycle-overlap', message, [fault(['startDate'], 'cycle-overlap', message, cycle.startDate)])
}

/** Creates a cycle with the next number of its owner. */
async function planCycle(ctx: Context, values: Partial<CycleValues>): Promise<Cycle> {
  const owner = { containerId: values.containerId ?? '', userGroupId: values.userGroupId ?? '' }
  return await cycles.create(ctx, { ...values, number: await nextNumber(ctx, owner) })
}

export const routes: Routes = {
  'GET /cycle': list(cycles),
  'POST /cycle': create(cycles, planCycle),
  'PUT /cycle': update(cycles),
  'GET /cycle/:id': get(cycles),
  'PUT /cycle/:id': update(cycles),
  'PATCH /cycle/:id': update(cycles),
  'POST /cycle/:id/restore': restore(cycles),
  'GET /cycle/:id/history': history(cycles),
  'GET /cycle/:id/check': check(cycles),
}

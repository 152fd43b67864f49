import { admins, type Caller, may, members, permission } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import type { Finding, Stored, Values } from '../../kernel/record/record.ts'
import { Forbidden, fault, Invalid, RuleBroken } from '../../kernel/refusal.ts'
import { resource } from '../../kernel/resource.ts'
import { Instant, LocalDate, Ref, Text } from '../../kernel/schema/values.ts'
import { or, ownTenant, raw, type Sql, sql } from '../../kernel/sql.ts'
import { Code, codeTableOfCodes } from '../../records/code-table.ts'
import { absenceKind, absenceKinds } from '../user/dated-entries.ts'
import { dayHalf, dayHalves, spanFaults } from './leave-span.ts'

/** The codes of `state` of a leave. */
export const leaveState = { requested: 0, approved: 1, rejected: 2, cancelled: 3 } as const

const half = (which: string) =>
  Code(dayHalves, { description: `0 the whole ${which} day · 1 its morning · 2 its afternoon.` })

const shape = {
  userId: Ref('User'),
  nonBillable: Ref('NonBillable', {
    description: 'A code of kind 1 leave, 2 sick, 3 holiday or 4 training; it sets `kind`.',
  }),
  kind: Code(absenceKinds, { description: '0 holiday · 1 illness · 2 training · 3 other.' }),
  from: LocalDate,
  to: LocalDate,
  fromHalf: half('first'),
  toHalf: half('last'),
  note: Text(500),
  state: Code(codeTableOfCodes('leave.state', leaveState), {
    description: '0 requested · 1 approved · 2 rejected · 3 cancelled.',
  }),
  comment: Text(500, { description: 'What the approver wrote.' }),
  decidedBy: Ref('User'),
  decidedAt: Instant,
}

export type Leave = Stored<typeof shape>
export type LeaveValues = Values<typeof shape>

/** Decides on the leave of others, and reads its reasons. The manager of a user does so for them without it. */
export const approveLeave = permission('leave.approve', admins)

/** Days on which a user does not work. */
export const leaves = resource('Leave', {
  about:
    'Days on which a user does not work: requested, and effective when approved. Without `to` it lasts until further notice. It is visible to the user, to their manager (`managerId`) and to those who have `leave.approve`; others see the days of approved leave as `absence` of the user.',
  shape,
  required: ['from'],
  serverSet: ['state', 'comment', 'decidedBy', 'decidedAt'],
  may: { read: members, create: members, update: members, delete: members },
  visible: visibleLeaves,
  check: checkLeave,
  findings: ({ kind }) => inert(kind),
  order: 'from,created',
  example: { from: '2026-08-03', to: '2026-08-14', toHalf: dayHalf.morning, note: 'The sea' },
})

function visibleLeaves(caller: Caller, l: Sql): Sql {
  if (caller.authority.unrestricted || may(caller, approveLeave)) return raw('true')
  const { userId } = caller
  return or([
    sql`${l}.user_id = ${userId}`,
    sql`exists (select 1 from "user" u where u.tenant_id = ${ownTenant} and u.id = ${l}.user_id and u.manager_id = ${userId})`,
  ])
}

function inert(kind: number): Finding[] {
  if (Object.values<number>(absenceKind).includes(kind)) return []
  return [{ path: '/kind', code: 'unknown-code', message: `${kind} is not a known code; it is shown as it is` }]
}

async function checkLeave(ctx: Context, leave: LeaveValues, before: Leave | undefined): Promise<void> {
  const { from, userId } = leave
  if (from === null) throw new Invalid([fault(['from'], 'required', 'is required')])
  const faults = spanFaults({ ...leave, from })
  if (faults.length > 0) throw new Invalid(faults)
  for (const each of new Set([userId, before?.userId ?? userId])) await demandLeave(ctx, each)
  await refuseOverlap(ctx, { ...leave, from }, before?.id)
}

/** Everybody writes their own leave; that of others needs the right to decide on it. */
async function demandLeave(ctx: Context, userId: Id): Promise<void> {
  if (userId !== ctx.caller.userId && !(await decidesOn(ctx, userId)))
    throw new Forbidden(`leave of others needs the permission ${approveLeave.name}`)
}

/** Whether the caller decides on the leave of this user: by the permission, or as their manager. */
export async function decidesOn(ctx: Context, userId: Id): Promise<boolean> {
  const { caller } = ctx
  if (caller.authority.unrestricted || may(caller, approveLeave)) return true
  const [managed] = await ctx.sql`select 1 from "user" u
    where u.tenant_id = ${caller.tenantId} and u.id = ${userId} and u.manager_id = ${caller.userId}`
  return managed !== undefined
}

const openStates: readonly number[] = [leaveState.requested, leaveState.approved]

/** The halves of days since a fixed day: a leave takes those from the first to the last. */
const firstHalf = (l: Sql) =>
  sql`((${l}."from" - date '2000-01-01') * 2 + (${l}.from_half = ${dayHalf.afternoon})::int)`
const lastHalf = (l: Sql) =>
  sql`coalesce((${l}."to" - date '2000-01-01') * 2 + (case when ${l}."to" = ${l}."from" then ${l}.from_half else ${l}.to_half end <> ${dayHalf.morning})::int, 2147483647)`

/** No two leaves of a user that are requested or approved share a half day. */
async function refuseOverlap(ctx: Context, leave: LeaveValues & { from: string }, own: Id | undefined): Promise<void> {
  if (!openStates.includes(leave.state)) return
  const { tenantId } = ctx.caller
  // Two requests for the same user at once would not see each other, so that they are serialized.
  await ctx.sql`select pg_advisory_xact_lock(hashtextextended(${`leave of ${leave.userId}`}, 0))`
  const { from, to, fromHalf, toHalf } = leave
  const [l, w] = [raw('l'), raw('w')]
  const [other] = await ctx.sql<{ from: string; to: string | null }>`select l."from", l."to" from leave l
    cross join (select ${from}::date as "from", ${to}::date as "to", ${fromHalf}::int as from_half, ${toHalf}::int as to_half) w
    where l.tenant_id = ${tenantId} and l.user_id = ${leave.userId} and not l.deleted and l.state = any(${openStates}::int[])
      and l.id is distinct from ${own ?? null}::uuid
      and ${firstHalf(l)} <= ${lastHalf(w)} and ${firstHalf(w)} <= ${lastHalf(l)} limit 1`
  if (!other) return
  const message = `overlaps with leave ${other.to === null ? `from ${other.from} on` : `from ${other.from} to ${other.to}`}`
  throw new RuleBroken('leave-overlap', message, [fault(['from'], 'leave-overlap', message, from)])
}

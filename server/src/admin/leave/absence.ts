import { isDeepStrictEqual } from 'node:util'
import { withSystemAuthority } from '../../identity/tenant-caller.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { Invalid, RuleBroken } from '../../kernel/refusal.ts'
import { ownTenant, raw, type Sql, sql } from '../../kernel/sql.ts'
import { sortedEntries } from '../../records/dated.ts'
import { type Absence, absenceEntry, absenceFaults, absenceKind } from '../user/dated-entries.ts'
import { needsApproval } from './leave-approval.ts'
import { decidesOn, leaveState, leaves } from './leave-record.ts'

// `absence` of a user is their approved leave: reading it lists the leave, and writing it creates, changes and removes leave.

type AbsenceInput = readonly Partial<Absence>[]

const approved = (u: Sql, rows: Sql = raw('leave')) =>
  sql`from ${rows} l where l.tenant_id = ${ownTenant} and l.user_id = ${u}.id and l.state = ${leaveState.approved} and not l.deleted`

// Half days are shown only where there are some.
const halves = sql`case when l.from_half = 0 and l.to_half = 0 then '{}'::jsonb else jsonb_build_object('fromHalf', l.from_half, 'toHalf', l.to_half) end`

/** The absences of a user (`u`), as JSON. */
export const absenceOf = (u: Sql): Sql =>
  sql`coalesce((select jsonb_agg(jsonb_build_object('from', l."from", 'to', l."to", 'kind', l.kind, 'note', l.note) || ${halves} order by l."from", l.from_half) ${approved(u)}), '[]'::jsonb)`

/** The days of the absences without their reasons; `rows` is where leave is read from. */
export const absentDaysOf = (u: Sql, rows?: Sql): Sql =>
  sql`coalesce((select jsonb_agg(jsonb_build_object('from', l."from", 'to', l."to") || ${halves} order by l."from", l.from_half) ${approved(u, rows)}), '[]'::jsonb)`

/**
 * Writes the absences of a user as leave, and returns the old and the new list; undefined if they stay the same. An entry
 * that begins when a leave begins changes it.
 */
export async function writeAbsence(
  ctx: Context,
  userId: Id,
  input: AbsenceInput,
): Promise<{ from: Absence[]; to: Absence[] } | undefined> {
  const faults = absenceFaults(input)
  if (faults.length > 0) throw new Invalid(faults)
  const wanted = sortedEntries(absenceEntry, input)
  const known = await approvedLeave(ctx, userId)
  const before = sortedEntries(absenceEntry, known)
  if (isDeepStrictEqual(before, wanted)) return undefined
  await refuseWithoutApproval(ctx, userId)
  const acting = withSystemAuthority(ctx)
  const beginning = ({ from, fromHalf }: Absence) => `${from} ${fromHalf}`
  const begun = new Set(wanted.map(beginning))
  const kept = new Map(known.map(each => [beginning(each), each.id]))
  for (const each of known) if (!begun.has(beginning(each))) await leaves.remove(acting, each.id)
  for (const entry of wanted) {
    const id = kept.get(beginning(entry))
    if (id) await leaves.update(acting, id, entry)
    else await leaves.create(acting, { ...entry, userId, state: leaveState.approved })
  }
  return { from: before, to: wanted }
}

async function approvedLeave(ctx: Context, userId: Id): Promise<(Absence & { id: Id })[]> {
  return await ctx.sql<
    Absence & { id: Id }
  >`select l.id, l."from", l."to", l.kind, l.note, l.from_half as "fromHalf", l.to_half as "toHalf" from leave l
    where l.tenant_id = ${ctx.caller.tenantId} and l.user_id = ${userId} and l.state = ${leaveState.approved} and not l.deleted`
}

/** Where leave is approved, nobody enters their own absences past the approver. */
async function refuseWithoutApproval(ctx: Context, userId: Id): Promise<void> {
  if (!(await needsApproval(ctx)) || ctx.caller.authority.superAdmin) return
  if (userId === ctx.caller.userId || !(await decidesOn(ctx, userId)))
    throw new RuleBroken('leave-approval', 'leave is approved in this tenant: request it with POST /api/time/leave')
}

/** Removes the leave of a user who is anonymised, and its reasons. */
export async function anonymiseLeave(ctx: Context, userId: Id): Promise<void> {
  await ctx.sql`update leave set deleted = true, kind = ${absenceKind.holiday}, note = '', comment = '', non_billable = null
    where tenant_id = ${ctx.caller.tenantId} and user_id = ${userId}`
}

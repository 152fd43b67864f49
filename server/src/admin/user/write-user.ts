import { userKind } from '../../identity/user-kind.ts'
import { roleCode } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { forgetAfterCommit } from '../../kernel/memory.ts'
import { type Expect, expectVersion, type OwnColumns } from '../../kernel/record/record.ts'
import { Forbidden, Invalid } from '../../kernel/refusal.ts'
import { sortedEntries } from '../../records/dated.ts'
import { withSortedSplit } from '../cost-split.ts'
import { writeAbsence } from '../leave/absence.ts'
import { ratesChanged, readOwnRates, writeOwnRates } from '../rate/own-rates.ts'
import { absenceFaults, capacityEntry, capacityFaults } from './dated-entries.ts'
import { initialsOf } from './initials.ts'
import {
  type AbsenceInput,
  isLocked,
  refuseLastSuperAdmin,
  type User,
  type UserInput,
  type UserValues,
  users,
} from './user.ts'
import { changeUserRates } from './user-rates.ts'

/** Creates a user. Users from outside get the role requester by default, and initials are derived from the name. */
export async function createUser(ctx: Context, { rates, absence, ...values }: UserInput): Promise<User> {
  const faults = absenceFaults(absence ?? [])
  if (faults.length > 0) throw new Invalid([...capacityFaults(values.capacity ?? []), ...faults])
  const role = values.role ?? (values.kind === userKind.requester ? roleCode.requester : undefined)
  const initials = values.initials || initialsOf(values.name ?? '')
  const input = { ...normalized(values), initials, ...(role === undefined ? {} : { role }) }
  const wanted = readOwnRates(rates ?? [])
  const user = await users.create(ctx, input)
  const away = await writeAbsence(ctx, user.id, absence ?? [])
  await writeOwnRates(ctx, { userId: user.id }, wanted)
  return away || wanted.length > 0 ? await users.get(ctx, user.id) : user
}

/** Changes a user. A deactivation or a lock ends the sessions of the user. */
export async function changeUser(
  ctx: Context,
  id: Id,
  { rates, absence, ...values }: UserInput,
  more: { expect?: Expect },
): Promise<User> {
  const before = await users.get(ctx, id, { lock: true })
  expectVersion(before, more.expect)
  const away = absence === undefined ? undefined : await changedAbsence(ctx, before.id, values, absence)
  const rated = rates !== undefined && (await changeUserRates(ctx, before.id, rates))
  const own = withChanges(away, rated ? ratesChanged : undefined)
  const unlocked = values.locked === null ? { passwordLocked: null } : {}
  const patch = { ...normalized(values), ...changedInitials(before, values), ...unlocked }
  const after = await users.update(ctx, id, patch, { ...more, ...(own ? { own } : {}) })
  if ((before.active && !after.active) || (isLocked(after, ctx.now) && !isLocked(before, ctx.now)))
    await endSessions(ctx, id)
  // The invitation was sent to the old address, whose readers must not get access.
  else if (before.email !== after.email) await voidInvitation(ctx, id)
  return after
}

/** Dated entries are stored sorted and complete. */
function normalized(values: Partial<UserValues>): Partial<UserValues> {
  const { capacity } = values
  return withSortedSplit({ ...values, ...(capacity ? { capacity: sortedEntries(capacityEntry, capacity) } : {}) })
}

/** Writes the absences before the user, whose record shows them. All faults of the dated entries are reported at once. */
async function changedAbsence(
  ctx: Context,
  id: Id,
  { capacity }: Partial<UserValues>,
  absence: AbsenceInput,
): Promise<OwnColumns | undefined> {
  const faults = absenceFaults(absence ?? [])
  if (faults.length > 0) throw new Invalid([...capacityFaults(capacity ?? []), ...faults])
  const changed = await writeAbsence(ctx, id, absence ?? [])
  return changed && { columns: {}, changes: { absence: changed } }
}

function withChanges(a: OwnColumns | undefined, b: OwnColumns | undefined): OwnColumns | undefined {
  return a && b ? { columns: { ...a.columns, ...b.columns }, changes: { ...a.changes, ...b.changes } } : (a ?? b)
}

/** Initials that were derived follow a new name; initials that are cleared are derived again. */
function changedInitials(before: User, { name = before.name, initials }: Partial<UserValues>): Partial<UserValues> {
  const chosen = initials === undefined && before.initials !== initialsOf(before.name)
  return initials || chosen ? {} : { initials: initialsOf(name) }
}

/** Changes the profile of the caller. */
export async function changeOwn(
  ctx: Context,
  { absence, ...values }: Omit<UserInput, 'rates'>,
  more: { expect?: Expect },
): Promise<User> {
  const before = await users.get(ctx, ctx.caller.userId, { lock: true })
  expectVersion(before, more.expect)
  const own = absence === undefined ? undefined : await changedAbsence(ctx, before.id, values, absence)
  const patch = { ...normalized(values), ...changedInitials(before, values) }
  return await users.update(ctx, before.id, patch, { ...more, ...(own ? { own } : {}) })
}

/** Invalidates all tokens of the user, and an open invitation. API keys stay valid. */
export async function endSessions(ctx: Context, id: Id): Promise<void> {
  await ctx.sql`update "user" set auth_version = auth_version + 1, invitation = null, invitation_expires = null
    where tenant_id = ${ctx.caller.tenantId} and id = ${id}`
  forgetAfterCommit(ctx)
}

async function voidInvitation(ctx: Context, id: Id): Promise<void> {
  await ctx.sql`update "user" set invitation = null, invitation_expires = null
    where tenant_id = ${ctx.caller.tenantId} and id = ${id} and invitation is not null`
}

export async function removeUser(ctx: Context, id: Id, more: { expect?: Expect }): Promise<User> {
  const user = await users.get(ctx, id)
  if (user.superAdmin) {
    if (!ctx.caller.authority.superAdmin) throw new Forbidden('only a super admin changes a super admin')
    await refuseLastSuperAdmin(ctx, user.id)
  }
  await endSessions(ctx, id)
  return await users.remove(ctx, id, more)
}

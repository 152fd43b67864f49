import { isDeepStrictEqual } from 'node:util'
import { Type } from 'typebox'
import {
  type Caller,
  everyone,
  managers,
  may,
  mayGrant,
  permission,
  roleCodes,
  staff,
  superAdmins,
} from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { forgetLater } from '../../kernel/memory.ts'
import type { Expect, Stored, Values } from '../../kernel/record/record.ts'
import { Forbidden, fault, Invalid, Refusal, RuleBroken } from '../../kernel/refusal.ts'
import { resource } from '../../kernel/resource.ts'
import { Code, Email, Instant, Name, Parts, Ref, Text, Texts, Timezone } from '../../kernel/schema/values.ts'
import { or, raw, type Sql, sql } from '../../kernel/sql.ts'
import { wayUp } from '../../records/tree.ts'
import { enforceQuota } from '../tenant/tenant.ts'
import {
  absenceEntry,
  absenceFaults,
  capacityEntry,
  capacityFaults,
  rateEntry,
  sortedEntries,
} from './dated-entries.ts'
import { initialsOf } from './initials.ts'
import { changedRates, type RateInput, rateColumns } from './rates.ts'

const shape = {
  name: Name(120),
  initials: Text(10),
  email: Email,
  locale: Text(35),
  timezone: Timezone,
  darkMode: Text(20),
  costCenter: Text(120),
  jobRole: Text(120),
  workingHours: Text(200),
  notifications: Type.Boolean(),
  superAdmin: Type.Boolean(),
  active: Type.Boolean({ default: true }),
  locked: Instant,
  kind: Code(),
  role: Code({ default: 3 }),
  phone: Text(60),
  externalId: Text(200),
  lastSeen: Instant,
  login: Text(120),
  avatarFileId: Ref('File'),
  managerId: Ref('User'),
  crmId: Ref('Crm'),
  skills: Texts(100, 100),
  capacity: Parts(capacityEntry, ['from'], 200),
  absence: Parts(absenceEntry, ['from'], 1000),
  invitedAt: Instant,
  anonymised: Type.Boolean(),
}

export type User = Stored<typeof shape>
export type UserValues = Values<typeof shape>
/** What a body says of somebody: rates are kept apart from the rest. */
export type UserInput = Partial<UserValues> & { rates?: RateInput }

/** What somebody costs is for those who plan and bill, and for nobody else: not even for themselves. */
export const readRates = permission('userRate.read', managers)

/** Somebody who works here, asks here, or acts by themselves. */
export const users = resource('User', {
  about: 'Somebody of the tenant: a person, a requester or a service.',
  shape,
  serverSet: ['lastSeen', 'invitedAt', 'anonymised'],
  may: { read: everyone, create: superAdmins },
  visible: visibleUsers,
  historyVisible: visibleHistory,
  check: checkUser,
  derived: {
    groups: {
      schema: {
        type: 'array',
        items: { type: 'string' },
        description: 'The groups that the user is in themselves, not by a group inside. Read only.',
      },
      value: u =>
        sql`array(select m.group_id from user_group_member m where m.tenant_id = ${u}.tenant_id and m.user_id = ${u}.id order by 1)`,
    },
    rates: {
      schema: Parts(rateEntry, ['from'], 200),
      value: u => sql`${u}.rates`,
    },
  },
  notForAll: ['groups', 'capacity', 'absence', 'rates'],
  ofTenant: hiddenProperties,
  remembered: true,
})

/** The codes of somebody from outside, and of what they may do. */
const requesterKind = 1
const requesterRole = 2

const isStaff = ({ authority }: Caller) => authority.superAdmin || staff.some(role => authority.tenant.has(role))

/** Staff see everybody; requesters see themselves and the staff they talk to, not each other. */
function visibleUsers(caller: Caller, u: Sql): Sql {
  return isStaff(caller) ? raw('true') : or([sql`${u}.id = ${caller.userId}`, sql`${u}.kind <> 1`])
}

/** How somebody came to be who they are, and when they were away, is for staff and for themselves. */
function visibleHistory(caller: Caller, u: Sql): Sql {
  return isStaff(caller) ? raw('true') : sql`${u}.id = ${caller.userId}`
}

/** When somebody works and is away is for staff. */
async function hiddenProperties({ caller }: Context): Promise<Record<string, undefined> | undefined> {
  if (!isStaff(caller)) return { groups: undefined, capacity: undefined, absence: undefined, rates: undefined }
  return may(caller, readRates) ? undefined : { rates: undefined }
}

async function checkUser(ctx: Context, user: UserValues, before: User | undefined): Promise<void> {
  const { caller } = ctx
  if (before) refuseAnonymised(before)
  const faults = [...capacityFaults(user.capacity), ...absenceFaults(user.absence)]
  if (faults.length > 0) throw new Invalid(faults)
  const became = <K extends keyof UserValues>(property: K) =>
    before === undefined || before[property] !== user[property]
  if (!caller.authority.superAdmin) {
    if (before?.id === caller.userId && !isDeepStrictEqual(before.capacity ?? [], user.capacity))
      throw new Forbidden('nobody says of themselves what they can do or what they cost')
    if (became('superAdmin') && (user.superAdmin || before))
      throw new Forbidden('only a super admin makes or unmakes a super admin')
    if (before?.superAdmin && before.id !== caller.userId)
      throw new Forbidden('only a super admin changes a super admin')
    const role = roleCodes[user.role]
    const was = before && roleCodes[before.role]
    if (became('role') && ((role && !mayGrant(caller, role)) || (was && !mayGrant(caller, was))))
      throw new Forbidden('nobody hands out a role above their own')
  }
  if (before?.superAdmin && (!user.superAdmin || !user.active || isLocked(user, ctx.now)))
    await refuseLastSuperAdmin(ctx, before.id)
  if (user.managerId !== '' && (became('managerId') || before?.deleted))
    await wayUp(ctx, users, user.managerId, before?.id, 'managerId')
  if (ctx.strict && became('email')) await refuseTakenEmail(ctx, user.email, before?.id)
  if (user.active && (!before?.active || before.deleted)) await enforceQuota(ctx, 'users')
}

/** Who was anonymised is nobody any more, and stays so. */
export function refuseAnonymised({ anonymised }: { anonymised: boolean }): void {
  if (anonymised) throw new RuleBroken('anonymised', 'an anonymised user is nobody any more, and stays so')
}

/** The index refuses it in any case, with 422; a strict caller wants to hear of the conflict. */
async function refuseTakenEmail(ctx: Context, email: string, own: Id | undefined): Promise<void> {
  const [other] =
    await ctx.sql`select 1 from "user" where tenant_id = ${ctx.caller.tenantId} and lower(email) = lower(${email}) and email <> ''
    and id is distinct from ${own ?? null}::uuid and not deleted`
  if (!other) return
  const message = 'another User already has this email'
  throw new Refusal(409, 'already-taken', message, { faults: [fault(['email'], 'already-taken', message, email)] })
}

function isLocked({ locked }: { locked: string | null }, now: Date): boolean {
  return locked !== null && new Date(locked) > now
}

/** The tenant must never lock itself out: somebody who can put everything right stays. */
export async function refuseLastSuperAdmin(ctx: Context, leaving: Id): Promise<void> {
  // All super admins are held, so that two who leave at the same moment see each other.
  const rows = await ctx.sql<{
    id: Id
    active: boolean
  }>`select id, active and (locked is null or locked <= ${ctx.now}) as active from "user"
    where tenant_id = ${ctx.caller.tenantId} and super_admin and not deleted order by id for update`
  if (!rows.some(each => each.active && each.id !== leaving))
    throw new RuleBroken(
      'last-super-admin',
      'the last active super admin cannot be demoted, locked, deactivated or deleted',
    )
}

/** Somebody from outside is a requester, unless another role is given; who has no initials gets those of the name. */
export async function createUser(ctx: Context, { rates, ...values }: UserInput): Promise<User> {
  const role = values.role ?? (values.kind === requesterKind ? requesterRole : undefined)
  const initials = values.initials || initialsOf(values.name ?? '')
  const wish = { ...normalized(values), initials, ...(role === undefined ? {} : { role }) }
  return await users.create(ctx, wish, rates ? { own: rateColumns(rates).columns } : {})
}

/** Whoever is out loses their sessions: the version in every token they hold is no longer theirs. */
export async function changeUser(
  ctx: Context,
  id: Id,
  { rates, ...values }: UserInput,
  more: { expect?: Expect },
): Promise<User> {
  const before = await users.get(ctx, id, { lock: true })
  const own = rates === undefined ? undefined : await changedRates(ctx, before.id, rates)
  const wish = { ...normalized(values), ...changedInitials(before, values) }
  const after = await users.update(ctx, id, wish, { ...more, ...(own ? { own } : {}) })
  if ((before.active && !after.active) || (isLocked(after, ctx.now) && !isLocked(before, ctx.now)))
    await endSessions(ctx, id)
  // Whoever reads the mail of the old address must not come in by it.
  else if (before.email !== after.email) await voidInvitation(ctx, id)
  return after
}

/** Dated entries stand in the order of time, with nothing left out. */
function normalized(values: Partial<UserValues>): Partial<UserValues> {
  const { capacity, absence } = values
  return {
    ...values,
    ...(capacity ? { capacity: sortedEntries(capacityEntry, capacity) } : {}),
    ...(absence ? { absence: sortedEntries(absenceEntry, absence) } : {}),
  }
}

/** Initials that nobody chose follow the name; ones that are cleared are made again. */
export function changedInitials(
  before: User,
  { name = before.name, initials }: Partial<UserValues>,
): Partial<UserValues> {
  const chosen = initials === undefined && before.initials !== initialsOf(before.name)
  return initials || chosen ? {} : { initials: initialsOf(name) }
}

/** What people say of themselves. */
export async function changeOwn(ctx: Context, values: Partial<UserValues>, more: { expect?: Expect }): Promise<User> {
  const before = await users.get(ctx, ctx.caller.userId)
  return await users.update(ctx, before.id, { ...normalized(values), ...changedInitials(before, values) }, more)
}

/** Every token that the user holds is void from here on, and an invitation with them; keys are not sessions, and stay. */
export async function endSessions(ctx: Context, id: Id): Promise<void> {
  await ctx.sql`update "user" set auth_version = auth_version + 1, invitation = null, invitation_expires = null
    where tenant_id = ${ctx.caller.tenantId} and id = ${id}`
  forgetLater(ctx)
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

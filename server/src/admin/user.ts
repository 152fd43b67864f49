import { Type } from 'typebox'
import { type Caller, everyone, mayGrant, permission, roleCodes, staff, superAdmins } from '../kernel/access.ts'
import type { Context } from '../kernel/database.ts'
import type { Id } from '../kernel/id.ts'
import { forgetLater } from '../kernel/memory.ts'
import { type Operation, operation, type Routes } from '../kernel/operation.ts'
import { Forbidden, fault, Refusal, RuleBroken } from '../kernel/refusal.ts'
import { resource, type Stored, type Values } from '../kernel/resource.ts'
import { reader, type Schema } from '../kernel/shape.ts'
import { or, raw, sql } from '../kernel/sql.ts'
import { create, get, history, list, remove, restore, update } from '../kernel/stock.ts'
import { Code, Email, Instant, Name, Text, Timezone } from '../kernel/values.ts'
import { initialsOf } from './initials.ts'

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
}

export type User = Stored<typeof shape>
type UserValues = Values<typeof shape>

/** Somebody who works here, asks here, or acts by themselves. */
export const users = resource('User', {
  about: 'Somebody of the tenant: a person, a requester or a service.',
  shape,
  serverSet: ['lastSeen'],
  may: { read: everyone, create: superAdmins },
  visible: whoIsSeen,
  check: checkUser,
  remembered: true,
})

/** The codes of somebody from outside, and of what they may do. */
const requesterKind = 1
const requesterRole = 2

/** Staff see everybody; requesters see themselves and the staff they talk to, not each other. */
function whoIsSeen(caller: Caller, u: ReturnType<typeof raw>) {
  const { authority, userId } = caller
  if (authority.superAdmin || staff.some(role => authority.tenant.has(role))) return raw('true')
  return or([sql`${u}.id = ${userId}`, sql`${u}.kind <> 1`])
}

async function checkUser(ctx: Context, user: UserValues, before: User | undefined): Promise<void> {
  const { caller } = ctx
  const became = <K extends keyof UserValues>(property: K) =>
    before === undefined || before[property] !== user[property]
  if (!caller.authority.superAdmin) {
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
  if (ctx.strict && became('email')) await refuseTakenEmail(ctx, user.email, before?.id)
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
async function refuseLastSuperAdmin(ctx: Context, leaving: Id): Promise<void> {
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
export async function createUser(ctx: Context, values: Partial<UserValues>): Promise<User> {
  const role = values.role ?? (values.kind === requesterKind ? requesterRole : undefined)
  const initials = values.initials || initialsOf(values.name ?? '')
  return await users.create(ctx, { ...values, initials, ...(role === undefined ? {} : { role }) })
}

/** Whoever is out loses their sessions: the version in every token they hold is no longer theirs. */
async function changeUser(ctx: Context, id: Id, values: Partial<UserValues>, more: object): Promise<User> {
  const before = await users.get(ctx, id)
  const after = await users.update(ctx, id, { ...values, ...changedInitials(before, values) }, more)
  if ((before.active && !after.active) || (isLocked(after, ctx.now) && !isLocked(before, ctx.now)))
    await endSessions(ctx, id)
  return after
}

/** Initials that nobody chose follow the name; ones that are cleared are made again. */
function changedInitials(before: User, { name = before.name, initials }: Partial<UserValues>): Partial<UserValues> {
  const chosen = initials === undefined && before.initials !== initialsOf(before.name)
  return initials || chosen ? {} : { initials: initialsOf(name) }
}

/** Every token that the user holds is void from here on; keys are not sessions, and stay. */
export async function endSessions(ctx: Context, id: Id): Promise<void> {
  await ctx.sql`update "user" set auth_version = auth_version + 1 where tenant_id = ${ctx.caller.tenantId} and id = ${id}`
  forgetLater(ctx)
}

async function removeUser(ctx: Context, id: Id, more: object): Promise<User> {
  const user = await users.get(ctx, id)
  if (user.superAdmin) {
    if (!ctx.caller.authority.superAdmin) throw new Forbidden('only a super admin changes a super admin')
    await refuseLastSuperAdmin(ctx, user.id)
  }
  await endSessions(ctx, id)
  return await users.remove(ctx, id, more)
}

/** A strict caller hears of a taken e-mail address as a conflict. */
const change: Operation = { ...update(users, changeUser), refusals: [404, 409, 412, 422] }

const me = operation({
  permission: users.permissions.read,
  mode: 'read',
  summary: 'The caller',
  description: 'The user whose credential this is.',
  reply: { status: 200, schema: users.schema as Schema, description: 'The user.' },
  async run(ctx) {
    const user = await users.get(ctx, ctx.caller.userId)
    return { body: user, version: user.version }
  },
})

const own = ['name', 'initials', 'locale', 'timezone', 'darkMode', 'workingHours', 'notifications', 'phone'] as const
const profileSchema: Schema = {
  ...users.updateSchema,
  properties: Object.fromEntries(own.map(each => [each, users.updateSchema.properties?.[each] ?? {}])),
}

/** What people say of themselves; who they are and what they may is for others to say. */
const changeMe = operation<Partial<UserValues>>({
  permission: permission('user.self', everyone),
  mode: 'write',
  summary: 'Change one’s own profile',
  description: `Merges ${own.map(each => `\`${each}\``).join(', ')} of the caller. Other properties of a user are changed by admins.`,
  body: {
    schema: profileSchema,
    read: reader(profileSchema),
    example: { timezone: 'Europe/Berlin', darkMode: 'auto' },
  },
  reply: { status: 200, schema: users.schema as Schema, description: 'The user as it is now.' },
  refusals: [412, 422],
  async run(ctx, { body, expect }) {
    const before = await users.get(ctx, ctx.caller.userId)
    const user = await users.update(ctx, before.id, { ...body, ...changedInitials(before, body) }, { expect })
    return { body: user, version: user.version }
  },
})

export const routes: Routes = {
  'GET /user': list(users),
  'POST /user': create(users, createUser),
  'PUT /user': change,
  'GET /user/me': me,
  'PUT /user/me': changeMe,
  'PATCH /user/me': changeMe,
  'GET /user/:id': get(users),
  'PUT /user/:id': change,
  'PATCH /user/:id': change,
  'DELETE /user/:id': remove(users, removeUser),
  'POST /user/:id/restore': restore(users),
  'GET /user/:id/history': history(users),
}

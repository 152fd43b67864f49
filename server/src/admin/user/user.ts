import { isDeepStrictEqual } from 'node:util'
import { Type } from 'typebox'
import { mayGrant } from '../../identity/may-grant.ts'
import { userKind } from '../../identity/user-kind.ts'
import { isStaffSomewhere } from '../../identity/visibility.ts'
import { type Caller, everyone, may, noRole, roleCode, roleCodes, staff, superAdmins } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { columnOf, plainDefault } from '../../kernel/record/columns.ts'
import type { Stored, Values } from '../../kernel/record/record.ts'
import type { PropertyOverrides } from '../../kernel/record/record-json.ts'
import { Forbidden, fault, Invalid, Refusal, RuleBroken } from '../../kernel/refusal.ts'
import { resource } from '../../kernel/resource.ts'
import { Email, Instant, Name, Parts, Ref, Text, Texts, Timezone } from '../../kernel/schema/values.ts'
import { or, ownTenant, raw, type Sql, sql } from '../../kernel/sql.ts'
import { Code, codeTableOfCodes } from '../../records/code-table.ts'
import { shown } from '../../records/page/shown-value.ts'
import { roles } from '../../records/role-table.ts'
import { ancestorsOf } from '../../records/tree.ts'
import { CostSplit, refuseWrongSplit } from '../cost-split.ts'
import { absenceOf, absentDaysOf } from '../leave/absence.ts'
import { approveLeave } from '../leave/leave-record.ts'
import { type OwnRates, ownRates, ownRatesSchema, readRates } from '../rate/own-rates.ts'
import { enforceQuota } from '../tenant/tenant.ts'
import { type Absence, absenceEntry, capacityEntry, capacityFaults } from './dated-entries.ts'

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
  locked: Type.Unsafe<string | null>({
    ...Instant,
    description: 'Until then an administrator has locked the user: sign-in, sessions, API keys and rules stop.',
  }),
  kind: Code(codeTableOfCodes('user.kind', userKind)),
  role: Code(roles, { default: roleCode.member }),
  phone: Text(60),
  externalId: Text(200),
  lastSeen: Instant,
  login: Text(120),
  avatarFileId: Ref('File'),
  managerId: Ref('User'),
  crmId: Ref('Crm'),
  skills: Texts(100, 100),
  capacity: Parts(capacityEntry, ['from'], 200),
  split: CostSplit,
  invitedAt: Instant,
  anonymised: Type.Boolean(),
  passwordLocked: Type.Unsafe<string | null>({
    ...Instant,
    description:
      'Until then wrong passwords have stopped the sign-in by password, and nothing else. Writing null to `locked` ends it, and so does a new password.',
  }),
}

export type AbsenceInput = readonly Partial<Absence>[] | null
export type User = Stored<typeof shape>
export type UserValues = Values<typeof shape>
/** The body of a request. Rates and absences are records of their own. */
export type UserInput = Partial<UserValues> & { rates?: OwnRates; absence?: AbsenceInput }

/** A person who works in the tenant, a requester from outside, or a service account. */
export const users = resource('User', {
  about: 'A user of the tenant: a member of staff, a requester or a service account.',
  shape,
  serverSet: ['lastSeen', 'invitedAt', 'anonymised', 'passwordLocked'],
  may: { read: everyone, create: superAdmins },
  visible: visibleUsers,
  historyVisible: visibleHistory,
  check: checkUser,
  derived: {
    groups: {
      schema: {
        type: 'array',
        items: { type: 'string' },
        description: 'The groups that the user is a direct member of. Read only.',
      },
      value: u =>
        sql`array(select m.group_id from user_group_member m where m.tenant_id = ${ownTenant} and m.user_id = ${u}.id order by 1)`,
    },
    absence: {
      schema: Parts(absenceEntry, ['from'], 1000),
      value: absenceOf,
    },
    rates: {
      schema: ownRatesSchema,
      value: u => ownRates('user_id', sql`${u}.id`),
    },
  },
  notForAll: ['groups', 'capacity', 'split', 'absence', 'rates'],
  ofTenant: hiddenProperties,
  remembered: true,
})

/** Whether the caller is staff of the tenant, and not only at some place. */
export const isStaff = ({ authority }: Caller) => authority.superAdmin || staff.some(role => authority.tenant.has(role))

/**
 * Staff see all users, and those who are staff at one place see themselves and all who are not from outside. Requesters see
 * themselves and those who work on their items: who is assigned, and who has answered publicly.
 */
function visibleUsers(caller: Caller, u: Sql): Sql {
  if (isStaff(caller)) return raw('true')
  const self = sql`${u}.id = ${caller.userId}`
  if (isStaffSomewhere(caller)) return or([self, sql`${u}.kind <> ${userKind.requester}`])
  return or([self, sql`${u}.id in (${worksFor(caller)})`])
}

/** The kinds of annotations that requesters read: replies, messages, resolutions and status updates. */
const publicAnnotations = raw('1, 2, 5, 6')

function worksFor({ tenantId, userId }: Caller): Sql {
  const own = sql`i.tenant_id = ${tenantId} and not i.deleted and (i.requester_id = ${userId} or i.created_by = ${userId})`
  return sql`select a.user_id from item i join item_assignee a on a.tenant_id = ${ownTenant} and a.item_id = i.id where ${own}
    union all
    select n.author_id from item i join annotation n on n.tenant_id = ${ownTenant} and n.item_id = i.id
    where ${own} and not n.deleted and n.author_id is not null and n.kind in (${publicAnnotations}) and n.restricted_to = '{}'`
}

/** The history of a user contains the reasons of absences, so it is visible to those who may read them. */
function visibleHistory(caller: Caller, u: Sql): Sql {
  return mayChangeUsers(caller) ? raw('true') : isPersonal(caller, u)
}

/** Groups, capacity, splits and absences are for staff, without the reasons of absences; rates are for those who may read rates. Requesters read the names of others. */
async function hiddenProperties({ caller }: Context): Promise<PropertyOverrides | undefined> {
  if (!isStaff(caller)) {
    const hidden = { groups: undefined, capacity: undefined, split: undefined, absence: undefined, rates: undefined }
    return isStaffSomewhere(caller) ? hidden : { ...ownValues(caller), ...hidden }
  }
  const overrides: PropertyOverrides = {
    ...(may(caller, readRates) ? {} : { rates: undefined }),
    ...(mayChangeUsers(caller) || may(caller, approveLeave) ? {} : { absence: u => datesUnlessPersonal(caller, u) }),
  }
  return Object.keys(overrides).length > 0 ? overrides : undefined
}

const mayChangeUsers = (caller: Caller) => may(caller, users.permissions.update)

/** The kind and the note of an absence can tell of an illness: colleagues see the days only. */
function datesUnlessPersonal(caller: Caller, u: Sql): Sql {
  return sql`case when ${isPersonal(caller, u)} then ${absenceOf(u)} else ${absentDaysOf(u)} end`
}

/** The caller is the user, or the manager whom the user names. */
function isPersonal({ userId }: Caller, u: Sql): Sql {
  return sql`coalesce(${u}.id = ${userId} or ${u}.manager_id = ${userId}, false)`
}

/** What a requester reads of those who work on their items. */
const publicProperties: readonly string[] = ['name', 'initials', 'avatarFileId', 'active', 'kind', 'anonymised']

/** Shows the other properties of the caller's own record, and their defaults in the records of others. */
function ownValues({ userId }: Caller): PropertyOverrides {
  const columns = Object.entries(shape).map(([property, schema]) => columnOf(property, schema))
  return Object.fromEntries(
    columns
      .filter(({ property }) => !publicProperties.includes(property))
      .map(column => {
        const none = column.type === 'timestamptz' ? null : plainDefault(column)
        const empty = column.type === 'text[]' ? raw("'{}'") : sql`${none}`
        return [
          column.property,
          (u: Sql) => sql`case when ${u}.id = ${userId} then ${shown(column, u)} else ${empty} end`,
        ]
      }),
  )
}

async function checkUser(ctx: Context, user: UserValues, before: User | undefined): Promise<void> {
  const { caller } = ctx
  if (before) refuseAnonymised(before)
  const faults = capacityFaults(user.capacity)
  if (faults.length > 0) throw new Invalid(faults)
  refuseWrongSplit(user.split)
  const became = <K extends keyof UserValues>(property: K) =>
    before === undefined || before[property] !== user[property]
  if (caller.scopes.length > 0) refuseRights(user, before)
  if (!caller.authority.superAdmin) {
    const isSame = (property: 'capacity' | 'split') => isDeepStrictEqual(before?.[property] ?? [], user[property])
    if (before?.id === caller.userId && !(isSame('capacity') && isSame('split')))
      throw new Forbidden('users do not change their own capacity, split or rates')
    if (became('superAdmin') && (user.superAdmin || before))
      throw new Forbidden('only a super admin grants or revokes super admin rights')
    if (before?.superAdmin && before.id !== caller.userId)
      throw new Forbidden('only a super admin changes a super admin')
    const role = roleCodes[user.role]
    const was = before && roleCodes[before.role]
    if (became('role') && ((role && !mayGrant(caller, role)) || (was && !mayGrant(caller, was))))
      throw new Forbidden('the role is above the role of the caller')
  }
  if (before?.superAdmin && (!user.superAdmin || !user.active || isLocked(user, ctx.now)))
    await refuseLastSuperAdmin(ctx, before.id)
  if (user.managerId !== '' && (became('managerId') || before?.deleted))
    await ancestorsOf(ctx, users, user.managerId, before?.id, 'managerId')
  if (ctx.strict && became('email')) await refuseTakenEmail(ctx, user.email, before?.id)
  if (user.active && (!before?.active || before.deleted)) await enforceQuota(ctx, 'users')
}

/** A credential with scopes gives or takes no role: the rights of a user have no scopes. */
function refuseRights({ role, superAdmin }: UserValues, before: User | undefined): void {
  const { role: was, superAdmin: wasSuperAdmin } = before ?? { role: noRole, superAdmin: false }
  if (role !== was || superAdmin !== wasSuperAdmin)
    throw new Forbidden('a credential with scopes gives no role: create the user with role 0')
}

/** An anonymised user cannot be changed, because that would attach new data to it. */
export function refuseAnonymised({ anonymised }: { anonymised: boolean }): void {
  if (anonymised) throw new RuleBroken('anonymised', 'an anonymised user cannot be changed')
}

/** The unique index refuses a taken address with 422; strict requests get 409. */
async function refuseTakenEmail(ctx: Context, email: string, own: Id | undefined): Promise<void> {
  const [other] =
    await ctx.sql`select 1 from "user" where tenant_id = ${ctx.caller.tenantId} and lower(email) = lower(${email}) and email <> ''
    and id is distinct from ${own ?? null}::uuid and not deleted`
  if (!other) return
  const message = 'another User already has this email'
  throw new Refusal(409, 'already-taken', message, { faults: [fault(['email'], 'already-taken', message, email)] })
}

export function isLocked({ locked }: { locked: string | null }, now: Date): boolean {
  return locked !== null && new Date(locked) > now
}

/** A tenant keeps at least one super admin who can sign in, so that it cannot lock itself out. */
export async function refuseLastSuperAdmin(ctx: Context, leaving: Id): Promise<void> {
  // The rows of all super admins are locked, so that two who leave at the same time do not miss each other.
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

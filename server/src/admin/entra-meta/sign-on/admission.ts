import { SignInRefused } from '../../../identity/oauth/oauth.ts'
import { tenantStatus } from '../../../identity/tenant-status.ts'
import { noRole, type Role, roleCode, roleCodes } from '../../../kernel/access.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Id } from '../../../kernel/id.ts'
import { sqlState } from '../../../kernel/postgres/sql-state.ts'
import { users } from '../../user/user.ts'
import { createUser } from '../../user/write-user.ts'
import { userGroups } from '../../user-group/user-group.ts'
import { findIdentity, linkIdentity, type UserIdentity } from '../../user-identity.ts'
import type { EntraMeta } from '../entra-meta.ts'
import type { Person } from './claims.ts'
import { normalizedDomain } from './issuer.ts'

/** The role of a provisioned user until a group mapping gives a higher one. */
const defaultRole = roleCode.requester

/**
 * Signs in a person whom a provider has authenticated: as the linked user, or as a new one. A matching mail address is not
 * enough, because it does not prove that the account is theirs. Groups and role follow the claims of the provider.
 */
export async function admitPerson(
  ctx: Context,
  meta: EntraMeta,
  person: Person,
): Promise<{ userId: Id; authVersion: number }> {
  const { tenantId } = ctx.caller
  // Serializes concurrent first sign-ons of one person, which would otherwise create two users.
  const key = `sign-on ${tenantId} ${person.issuer} ${person.subject}`
  await ctx.sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`
  const identity = (await findIdentity(ctx, person.issuer, person.subject)) ?? (await provisionUser(ctx, meta, person))
  const [user] = await ctx.sql<{ superAdmin: boolean; role: number; authVersion: number }>`
    select u.super_admin as "superAdmin", u.role, u.auth_version as "authVersion"
    from "user" u join tenant t on t.tenant_id = u.tenant_id
    where u.tenant_id = ${tenantId} and u.id = ${identity.userId} and u.active and not u.deleted
      and (u.locked is null or u.locked <= ${ctx.now}) and t.status = ${tenantStatus.active} and not t.deleted`
  if (!user) throw new SignInRefused('Your account is not active or is locked. Ask an admin of your workspace.')
  if (person.groups) {
    await syncGroups(ctx, meta, identity.userId, person.groups)
    await syncRole(ctx, meta, identity, user, person.groups)
  }
  await ctx.sql`update user_identity set last_used = ${ctx.now} where tenant_id = ${tenantId} and id = ${identity.id}`
  await ctx.sql`update "user" set last_seen = ${ctx.now} where tenant_id = ${tenantId} and id = ${identity.userId}`
  await ctx.sql`update entra_meta set last_sign_on = ${ctx.now}, group_overage = ${person.groups ? null : ctx.now}
    where tenant_id = ${tenantId} and id = ${meta.id}`
  return { userId: identity.userId, authVersion: user.authVersion }
}

/** Creates a user if the address is in an allowed domain and not taken. All other cases get the same text, which reveals nothing. */
async function provisionUser(ctx: Context, meta: EntraMeta, person: Person): Promise<UserIdentity> {
  const { email = '', name } = person
  if (!meta.jitProvisioning || !isAllowed(email, meta.allowedDomains)) throw notLinked(meta)
  const [taken] = await ctx.sql`select 1 from "user"
    where tenant_id = ${ctx.caller.tenantId} and lower(email) = lower(${email}) and not deleted`
  if (taken) throw notLinked(meta)
  try {
    const { id: userId } = await createUser(ctx, { name, email, role: defaultRole })
    return await linkIdentity(ctx, { userId, issuer: person.issuer, subject: person.subject })
  } catch (error) {
    // A concurrent request has taken the address since the check.
    if (sqlState(error) === '23505') throw notLinked(meta)
    throw error
  }
}

function isAllowed(email: string, domains: readonly string[]): boolean {
  const domain = normalizedDomain(email.slice(email.lastIndexOf('@') + 1))
  return email.includes('@') && domain !== undefined && domains.includes(domain)
}

function notLinked({ name }: EntraMeta): SignInRefused {
  return new SignInRefused(
    `${name} has confirmed your identity, but no account here is linked with it. If you have an account here, sign in with its password and link it. Otherwise ask an admin of your workspace to link or create an account.`,
  )
}

/** Adds the user to mapped groups and removes them from mapped groups they no longer belong to. Other groups stay as they are. */
async function syncGroups(ctx: Context, meta: EntraMeta, userId: Id, groups: ReadonlySet<string>): Promise<void> {
  const wanted = new Map<Id, boolean>()
  for (const { externalGroupId = '', userGroupId = '' } of meta.groupMappings)
    if (userGroupId) wanted.set(userGroupId, wanted.get(userGroupId) === true || groups.has(externalGroupId))
  // Groups are locked in one order, so that concurrent sign-ons do not deadlock.
  for (const [id, belongs] of [...wanted].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const group = await userGroups.find(ctx, id, { lock: true })
    if (!group || group.members.includes(userId) === belongs) continue
    const others = group.members.filter(each => each !== userId)
    await userGroups.update(ctx, id, { members: belongs ? [...others, userId] : others })
  }
}

/**
 * Sets the highest role that the mapped groups give. If none gives one any more, a role that came from the provider is
 * reset, and a role that was set here stays. A provider never changes super admins.
 */
async function syncRole(
  ctx: Context,
  meta: EntraMeta,
  identity: UserIdentity,
  user: { superAdmin: boolean; role: number },
  groups: ReadonlySet<string>,
): Promise<void> {
  if (user.superAdmin) return
  const given = meta.groupMappings
    .filter(({ externalGroupId = '', role = noRole }) => groups.has(externalGroupId) && roleCodes[role])
    .map(({ role = noRole }) => role)
    .reduce((highest, role) => (rank(role) > rank(highest) ? role : highest), 0)
  const role = given || (identity.directoryRole === user.role ? defaultRole : user.role)
  if (role !== user.role) await users.update(ctx, identity.userId, { role })
  if (given !== identity.directoryRole)
    await ctx.sql`update user_identity set directory_role = ${given}
      where tenant_id = ${ctx.caller.tenantId} and id = ${identity.id}`
}

const ladder: readonly (Role | undefined)[] = [undefined, 'requester', 'readOnly', 'member', 'manager', 'admin']
const rank = (role: number) => ladder.indexOf(roleCodes[role])

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { Type } from 'typebox'
import type { AccountRef } from '../../../identity/oauth/oauth.ts'
import { networkOf, openAttemptLimit } from '../../../identity/oauth/sign-in/attempt-limit.ts'
import { hashPassword } from '../../../identity/password/password.ts'
import { validatePassword } from '../../../identity/password/password-rules.ts'
import { tenantCaller } from '../../../identity/tenant-caller.ts'
import { tenantStatus } from '../../../identity/tenant-status.ts'
import { permission, superAdmins } from '../../../kernel/access.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Database } from '../../../kernel/database.ts'
import { appendEvents } from '../../../kernel/events.ts'
import type { Id } from '../../../kernel/id.ts'
import { operation, type Routes } from '../../../kernel/operation.ts'
import { fault, Invalid, Refusal, RuleBroken } from '../../../kernel/refusal.ts'
import { isEmail } from '../../../kernel/schema/formats.ts'
import type { Schema } from '../../../kernel/schema/shape.ts'
import { sql } from '../../../kernel/sql.ts'
import { setting, settingOf } from '../../../platform/setting.ts'
import { initialsOf } from '../initials.ts'
import { users } from '../user.ts'
import { endSessions } from '../write-user.ts'

/** The path of the invitation page; the token follows it. */
export const invitationPath = '/invitation'

const days = setting('user.invitationDays', {
  security: true,
  schema: Type.Integer({ minimum: 1, maximum: 90 }),
  default: 7,
  scopes: ['tenant'],
  description: 'The number of days that an invitation is valid.',
})

const answer: Schema = {
  type: 'object',
  title: 'Invitation',
  properties: {
    token: { type: 'string', description: 'Valid for one use. Only this response contains it.' },
    url: { type: 'string', description: 'The page where the invited user sets a password.' },
    expiresAt: { type: 'string', format: 'date-time' },
  },
  required: ['token', 'url', 'expiresAt'],
}

/** The token gives access to the account, so only super admins, who may set passwords, create it. */
const invite = operation({
  permission: permission('user.invite', superAdmins, { credential: true }),
  mode: 'write',
  summary: 'Invite a user',
  description:
    'Creates a token with which the user sets their password once. Only this response contains it; the service stores its digest. A new invitation invalidates the previous one, and so does a change of the mail address or the password, a lock or a deactivation. The setting `user.invitationDays` (7) limits its validity. `invitedAt` of the user is the time of the invitation.',
  reply: { status: 200, schema: answer, description: 'The invitation.' },
  refusals: [404, 422],
  unrepeatable: true,
  async run(ctx, { params }) {
    const user = await users.get(ctx, params.id ?? '', { lock: true })
    if (user.email === '') {
      const message = 'the user has no mail address and could not sign in'
      throw new RuleBroken('no-email', message, [fault(['email'], 'required', message)])
    }
    const expiresAt = new Date(ctx.now.getTime() + (await settingOf(ctx, days)) * 86_400_000)
    const token = await storeInvitation(ctx, user.id, expiresAt)
    return {
      body: { token, url: `${ctx.services.baseUrl}${invitationPath}/${token}`, expiresAt: expiresAt.toISOString() },
    }
  },
})

/** Gives a user an invitation, which replaces an open one, and returns its token, which is not stored. */
export async function storeInvitation(ctx: Context, userId: Id, expiresAt: Date): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const columns = { invitation: sql`${digestOf(token)}::bytea`, invitation_expires: sql`${expiresAt}` }
  await users.update(ctx, userId, { invitedAt: ctx.now.toISOString() }, { own: { columns, changes: {} } })
  return token
}

/** The invitation of the first user of an installation, who then chooses name and address, too. */
export async function inviteFirstUser(database: Database, tenantId: Id, userId: Id): Promise<string> {
  return await database.transaction(tenantCaller(tenantId, userId), ctx =>
    storeInvitation(ctx, userId, new Date(ctx.now.getTime() + days.default * 86_400_000)),
  )
}

/** The first user of an installation has no real address yet. */
const isPlaceholder = (email: string) => email.endsWith('@localhost')

const digestOf = (token: string) => createHash('sha256').update(token).digest()

interface Acceptance {
  token: string
  password: string
  ip: string
  /** What the first user of an installation says about themselves. */
  profile?: { name: string; email: string; company: string } | undefined
  /** The language of the browser. */
  locale?: string | undefined
}

/** What the first user of an installation says about its first tenant; the locale is that of their browser. */
export interface FirstWords {
  company: string
  locale: string
}

/** Makes the first tenant that of its first user; the rooms above supply it. */
export type BeginTenant = (ctx: Context, words: FirstWords) => Promise<void>

/** All reasons (wrong, used, expired or replaced token, user who may not sign in) get the same answer, which reveals nothing. */
const invalidInvitation = () =>
  new Refusal(422, 'invitation-not-valid', 'this invitation is not valid or has expired; ask for a new one')

/**
 * Accepts invitations. Valid and invalid tokens take the same time: the password is validated and hashed before the lookup,
 * and the lookup uses the digest of the token.
 */
export function openInvitations(database: Database, perMinute: number, beginTenant: BeginTenant) {
  const attempts = openAttemptLimit(perMinute)

  return async function accept({ token, password, ip, profile, locale }: Acceptance): Promise<AccountRef> {
    if (!attempts.take(networkOf(ip)))
      throw new Refusal(429, 'too-many-requests', 'too many attempts from this network; wait a minute', {
        headers: { 'retry-after': '60' },
      })
    validatePassword(password, profile ?? { email: '', name: '' })
    if (profile) validateProfile(profile)
    const digest = digestOf(token)
    const [hash, invited] = await Promise.all([hashPassword(password), findInvited(database, digest)])
    if (!invited) throw invalidInvitation()
    if (profile && !isPlaceholder(invited.email)) throw invalidInvitation()
    validatePassword(password, profile ?? invited)
    return await database.transaction(tenantCaller(invited.tenantId, invited.id), async ctx => {
      // The row is locked and checked again, so that of two requests with the same token one succeeds.
      const [row] = await ctx.sql<{ locale: string }>`select locale from "user"
        where tenant_id = ${invited.tenantId} and id = ${invited.id} and invitation = ${digest}::bytea and invitation_expires > ${ctx.now}
          and not deleted and not anonymised for update`
      if (!row) throw invalidInvitation()
      await users.update(
        ctx,
        invited.id,
        {
          active: true,
          passwordLocked: null,
          ...(profile ? { name: profile.name, email: profile.email, initials: initialsOf(profile.name) } : {}),
          ...(locale && row.locale === '' ? { locale } : {}),
        },
        { own: { columns: { password: sql`${hash}`, failures: sql`0`, failing_since: sql`null` }, changes: {} } },
      )
      await appendEvents(ctx, [{ kind: 'user.invitationAccepted', entity: 'User', recordId: invited.id, changes: {} }])
      if (profile) await beginTenant(ctx, { company: profile.company, locale: locale ?? '' })
      await endSessions(ctx, invited.id)
      const [{ authVersion } = { authVersion: 0 }] = await ctx.sql<{ authVersion: number }>`
        select auth_version as "authVersion" from "user" where tenant_id = ${invited.tenantId} and id = ${invited.id}`
      return { tenantId: invited.tenantId, userId: invited.id, authVersion }
    })
  }
}

function validateProfile({ name, email, company }: NonNullable<Acceptance['profile']>): void {
  const faults = [
    ...(company.length > 120 ? [fault(['company'], 'length', 'must have at most 120 characters', company)] : []),
    ...(name.trim() === '' || name.length > 120
      ? [fault(['name'], 'length', 'must have 1 to 120 characters', name)]
      : []),
    ...(isEmail(email) && !isPlaceholder(email) ? [] : [fault(['email'], 'email', 'must be an e-mail address', email)]),
  ]
  if (faults.length > 0) throw new Invalid(faults)
}

interface Invited {
  tenantId: Id
  id: Id
  email: string
  name: string
  invitation: Buffer
}

async function findInvited({ crossTenantSql }: Database, digest: Buffer): Promise<Invited | undefined> {
  const [user] = await crossTenantSql<Invited>`
    select u.tenant_id as "tenantId", u.id, u.email, u.name, u.invitation from "user" u join tenant t on t.tenant_id = u.tenant_id
    where u.invitation = ${digest}::bytea and u.invitation_expires > now() and not u.deleted
      and (u.locked is null or u.locked <= now()) and t.status = ${tenantStatus.active} and not t.deleted`
  return user && timingSafeEqual(user.invitation, digest) ? user : undefined
}

export const routes: Routes = {
  'POST /user/:id/invite': invite,
}

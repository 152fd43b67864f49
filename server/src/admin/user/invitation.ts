import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { Type } from 'typebox'
import { networkOf, openAttemptLimit } from '../../identity/oauth/sign-in/attempt-limit.ts'
import { hashPassword, passwordFault } from '../../identity/password.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { permission, superAdmins } from '../../kernel/access.ts'
import type { Database } from '../../kernel/database.ts'
import { append } from '../../kernel/events.ts'
import type { Id } from '../../kernel/id.ts'
import { operation, type Routes } from '../../kernel/operation.ts'
import { fault, Invalid, Refusal, RuleBroken } from '../../kernel/refusal.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { sql } from '../../kernel/sql.ts'
import { setting, settingOf } from '../../platform/setting.ts'
import { endSessions, users } from './user.ts'

/** Where people accept an invitation; the token follows. */
export const invitationPath = '/invitation'

const days = setting('user.invitationDays', {
  schema: Type.Integer({ minimum: 1, maximum: 90 }),
  default: 7,
  scopes: ['tenant'],
  description: 'How many days an invitation holds.',
})

const answer: Schema = {
  type: 'object',
  title: 'Invitation',
  properties: {
    token: { type: 'string', description: 'Opens the account once. It is shown here and never again.' },
    url: { type: 'string', description: 'Where the invited person sets a password.' },
    expiresAt: { type: 'string', format: 'date-time' },
  },
  required: ['token', 'url', 'expiresAt'],
}

/** Whoever holds the token becomes this user, so it is given out by those alone who could set the password as well. */
const invite = operation({
  permission: permission('user.invite', superAdmins),
  mode: 'write',
  summary: 'Invite a user',
  description:
    'Makes a token by which the user sets their password and comes in, once. It is in this answer and cannot be had again; only its digest is kept. A new invitation voids the one before, and so does another mail address, a password, a lock or a deactivation. It holds as many days as the setting `user.invitationDays` says (7). `invitedAt` of the user tells when.',
  reply: { status: 200, schema: answer, description: 'The invitation.' },
  refusals: [404, 422],
  unrepeatable: true,
  async run(ctx, { params }) {
    const user = await users.get(ctx, params.id ?? '', { lock: true })
    if (user.email === '') {
      const message = 'the user has no mail address, and could not sign in'
      throw new RuleBroken('no-email', message, [fault(['email'], 'required', message)])
    }
    const token = randomBytes(32).toString('base64url')
    const expiresAt = new Date(ctx.now.getTime() + (await settingOf(ctx, days)) * 86_400_000)
    await users.update(
      ctx,
      user.id,
      { invitedAt: ctx.now.toISOString() },
      {
        own: {
          columns: { invitation: sql`${digestOf(token)}::bytea`, invitation_expires: sql`${expiresAt}` },
          changes: {},
        },
      },
    )
    return {
      body: { token, url: `${ctx.services.baseUrl}${invitationPath}/${token}`, expiresAt: expiresAt.toISOString() },
    }
  },
})

const digestOf = (token: string) => createHash('sha256').update(token).digest()

export interface Acceptance {
  token: string
  password: string
  ip: string
}

/** One answer for a token that is wrong, used, too old, replaced, or of somebody who is out. */
const invalidInvitation = () =>
  new Refusal(422, 'invitation-not-valid', 'this invitation does not hold, or not any more; ask for a new one')

/**
 * Takes invitations. Each costs the same whether the token holds or not: the password is judged and hashed before anybody
 * looks for the token, and what is looked for is its digest.
 */
export function openInvitations(database: Database, perMinute: number) {
  const attempts = openAttemptLimit(perMinute)

  return async function accept({ token, password, ip }: Acceptance): Promise<void> {
    if (!attempts.take(networkOf(ip)))
      throw new Refusal(429, 'too-many-requests', 'too much has been tried from here; wait a minute', {
        headers: { 'retry-after': '60' },
      })
    validatePassword(password, '')
    const digest = digestOf(token)
    const [hash, invited] = await Promise.all([hashPassword(password), findInvited(database, digest)])
    if (!invited) throw invalidInvitation()
    validatePassword(password, invited.email)
    await database.transaction(tenantCaller(invited.tenantId, invited.id), async ctx => {
      // Held and asked once more: of two who come with the same token, one gets in.
      const [row] = await ctx.sql<{ active: boolean }>`select active from "user"
        where tenant_id = ${invited.tenantId} and id = ${invited.id} and invitation = ${digest}::bytea and invitation_expires > ${ctx.now}
          and not deleted and not anonymised for update`
      if (!row) throw invalidInvitation()
      await users.update(
        ctx,
        invited.id,
        { active: true },
        { own: { columns: { password: sql`${hash}` }, changes: {} } },
      )
      await append(ctx, [{ kind: 'user.invitationAccepted', entity: 'User', recordId: invited.id, changes: {} }])
      await endSessions(ctx, invited.id)
    })
  }
}

function validatePassword(password: string, email: string): void {
  const wrong = passwordFault(password, email)
  if (wrong) throw new Invalid([fault(['password'], 'password', wrong)])
}

interface Invited {
  tenantId: Id
  id: Id
  email: string
  invitation: Buffer
}

async function findInvited({ crossTenantSql }: Database, digest: Buffer): Promise<Invited | undefined> {
  const [user] = await crossTenantSql<Invited>`
    select u.tenant_id as "tenantId", u.id, u.email, u.invitation from "user" u join tenant t on t.tenant_id = u.tenant_id
    where u.invitation = ${digest}::bytea and u.invitation_expires > now() and not u.deleted
      and (u.locked is null or u.locked <= now()) and t.status = 0 and not t.deleted`
  return user && timingSafeEqual(user.invitation, digest) ? user : undefined
}

export const routes: Routes = {
  'POST /user/:id/invite': invite,
}

import { type Caller, everyone, superAdmins } from '../kernel/access.ts'
import type { Context } from '../kernel/context.ts'
import { create, get, list, remove } from '../kernel/crud.ts'
import type { Id } from '../kernel/id.ts'
import { operation, type Routes } from '../kernel/operation.ts'
import type { Expect, Stored, Values } from '../kernel/record/record.ts'
import { RuleBroken } from '../kernel/refusal.ts'
import { resource } from '../kernel/resource.ts'
import { reader, type Schema } from '../kernel/schema/shape.ts'
import { Instant, Ref, Text, Url } from '../kernel/schema/values.ts'
import { raw, type Sql, sql } from '../kernel/sql.ts'
import { Code } from '../records/code-table.ts'
import { history } from '../records/history/history.ts'
import { roles } from '../records/role-table.ts'
import { normalizedIssuer } from './entra-meta/sign-on/issuer.ts'
import { refuseAnonymised, users } from './user/user.ts'
import { endSessions } from './user/write-user.ts'

const shape = {
  userId: Ref('User', { minLength: 1 }),
  issuer: { ...Url, minLength: 1 },
  subject: Text(255, { minLength: 1 }),
  directoryRole: Code(roles),
  lastUsed: Instant,
}

export type UserIdentity = Stored<typeof shape>
type IdentityValues = Values<typeof shape>

const exampleIdentity = {
  issuer: 'https://login.microsoftonline.com/72f988bf-86f1-41af-91ab-2d7cd011db47/v2.0',
  subject: '9f8e7d6c-0000-4000-8000-0123456789ab',
}

/** The identity of a user at an external provider. It is not the mail address, because addresses change and are reassigned. */
const userIdentities = resource('UserIdentity', {
  about:
    'The identity of a user at an external provider: the issuer and the subject of its tokens (for Entra the object id). A sign-on with this identity signs in this user. Users see their own identities, super admins all.',
  shape,
  required: ['userId', 'issuer', 'subject'],
  serverSet: ['directoryRole', 'lastUsed'],
  credential: true,
  // Linking an identity gives access to the account, as setting a password does.
  may: { read: everyone, create: superAdmins, update: superAdmins, delete: everyone },
  visible: ownIdentities,
  // A removed identity ends its sessions, also the streams at other nodes, which cache users.
  remembered: true,
  example: { userId: '01890000-0000-7000-8000-000000000000', ...exampleIdentity },
})

function ownIdentities({ authority, userId }: Caller, identity: Sql): Sql {
  return authority.superAdmin ? raw('true') : sql`${identity}.user_id = ${userId}`
}

const maxPerUser = 100

/** Links a subject of an issuer with a user. Linking the same pair again changes nothing. */
export async function linkIdentity(
  ctx: Context,
  { userId = '', issuer = '', subject = '' }: Partial<IdentityValues>,
): Promise<UserIdentity> {
  const known = await findIdentity(ctx, issuer, subject)
  if (known?.userId === userId.toLowerCase()) return known
  const user = await users.find(ctx, userId)
  if (user) refuseAnonymised(user)
  const [row] = await ctx.sql<{ count: number }>`select count(*)::int as count from user_identity
    where tenant_id = ${ctx.caller.tenantId} and user_id::text = ${userId.toLowerCase()} and not deleted`
  if ((row?.count ?? 0) >= maxPerUser)
    throw new RuleBroken('too-many-identities', `a user has at most ${maxPerUser} identities`)
  return await userIdentities.create(ctx, { userId, issuer: normalizedIssuer(issuer), subject })
}

export async function findIdentity(ctx: Context, issuer: string, subject: string): Promise<UserIdentity | undefined> {
  const t = raw('t')
  const [row] = await ctx.sql<{ json: string }>`select ${userIdentities.json(t)} as json from user_identity t
    where t.tenant_id = ${ctx.caller.tenantId} and t.issuer = ${normalizedIssuer(issuer)} and t.subject = ${subject} and not t.deleted`
  return row && JSON.parse(row.json)
}

/** Removes the link and ends the sessions of the user, who may have signed in through it. */
async function unlink(ctx: Context, id: Id, more: { expect?: Expect }): Promise<UserIdentity> {
  const identity = await userIdentities.remove(ctx, id, more)
  await endSessions(ctx, identity.userId)
  return identity
}

/** Removes the external identities of an anonymised user, including their subjects. */
export async function anonymiseIdentities(ctx: Context, userId: Id): Promise<void> {
  await ctx.sql`update user_identity set subject = id::text, deleted = true, last_used = null,
      updated = ${ctx.now}, updated_by = ${ctx.caller.userId}, version = version + 1
    where tenant_id = ${ctx.caller.tenantId} and user_id = ${userId}`
}

const inputSchema: Schema = {
  type: 'object',
  properties: {
    issuer: userIdentities.createSchema.properties?.issuer ?? {},
    subject: userIdentities.createSchema.properties?.subject ?? {},
  },
  required: ['issuer', 'subject'],
  additionalProperties: false,
}

const linkUser = operation<{ issuer: string; subject: string }>({
  permission: userIdentities.permissions.create,
  mode: 'write',
  summary: 'Link a user with an external identity',
  description:
    'A sign-on as this subject at this issuer then signs in this user. A subject belongs to one user only (422 `already-taken`).',
  body: {
    schema: inputSchema,
    read: reader(inputSchema),
    example: exampleIdentity,
  },
  reply: { status: 200, schema: userIdentities.schema, description: 'The identity.' },
  refusals: [404, 422],
  async run(ctx, { params, body }) {
    const user = await users.get(ctx, params.id ?? '', { lock: true })
    const identity = await linkIdentity(ctx, { userId: user.id, ...body })
    return { body: identity, version: identity.version }
  },
})

export const routes: Routes = {
  'GET /user-identity': list(userIdentities),
  'POST /user-identity': create(userIdentities, linkIdentity),
  'GET /user-identity/:id': get(userIdentities),
  'DELETE /user-identity/:id': remove(userIdentities, unlink),
  'GET /user-identity/:id/history': history(userIdentities),
  'PUT /user/:id/identity': linkUser,
}

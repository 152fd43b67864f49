import { hashPassword } from '../../../identity/password/password.ts'
import { type PasswordOwner, validatePassword } from '../../../identity/password/password-rules.ts'
import { requirePassword } from '../../../identity/second-factor/proof.ts'
import { endOtherSessions } from '../../../identity/session/session.ts'
import { everyone, permission } from '../../../kernel/access.ts'
import type { Context } from '../../../kernel/context.ts'
import { appendEvents } from '../../../kernel/events.ts'
import type { Id } from '../../../kernel/id.ts'
import { operation, type Routes } from '../../../kernel/operation.ts'
import { Forbidden } from '../../../kernel/refusal.ts'
import { reader, type Schema } from '../../../kernel/schema/shape.ts'
import { refuseAnonymised, users } from '../user.ts'

const passwordSchema: Schema = {
  type: 'object',
  properties: {
    current: {
      type: 'string',
      maxLength: 200,
      writeOnly: true,
      description: 'The current password. Super admins need not give it.',
    },
    password: { type: 'string', maxLength: 200, writeOnly: true },
  },
  required: ['password'],
  additionalProperties: false,
}

const setPassword = operation<{ current?: string; password: string }>({
  permission: permission('user.password', everyone, { credential: true }),
  mode: 'write',
  summary: 'Set a password',
  description:
    'Users set their own password and give the current one; super admins set the password of any user. A password has 12 to 200 characters; it is none of the common ones, no common word that is repeated or has digits added, no simple sequence, and not the name or the address of the user. Ends all sessions of that user, except the session of this request.',
  body: {
    schema: passwordSchema,
    read: reader(passwordSchema),
    example: { current: 'the current password', password: 'a long new password' },
  },
  reply: { status: 204, description: 'The password is set.' },
  refusals: [404, 422],
  unrepeatable: true,
  async run(ctx, { params, body }) {
    const id = params.id === 'me' ? ctx.caller.userId : (params.id ?? '')
    const user = await users.get(ctx, id)
    const own = user.id === ctx.caller.userId
    if (!own && !ctx.caller.authority.superAdmin)
      throw new Forbidden('only a super admin sets the password of another user')
    if (own && !ctx.caller.authority.superAdmin && (await hasPassword(ctx, user.id)))
      await requirePassword(ctx, user.id, body.current ?? '', 'current')
    refuseAnonymised(await users.get(ctx, id, { lock: true }))
    await storePassword(ctx, user, body.password)
    return {}
  },
})

export async function hasPassword({ sql, caller }: Context, id: Id): Promise<boolean> {
  const [row] =
    await sql`select 1 from "user" where tenant_id = ${caller.tenantId} and id = ${id} and password is not null`
  return row !== undefined
}

/**
 * Stores the hash of a password that follows the rules, and ends the other sessions of the user. The event does not contain the
 * password.
 */
export async function storePassword(ctx: Context, user: PasswordOwner & { id: Id }, password: string): Promise<void> {
  validatePassword(password, user)
  const { id } = user
  await ctx.sql`update "user" set password = ${await hashPassword(password)}, password_locked = null, failures = 0, failing_since = null where tenant_id = ${ctx.caller.tenantId} and id = ${id}`
  await appendEvents(ctx, [{ kind: 'user.passwordChanged', entity: 'User', recordId: id, changes: {} }])
  await endOtherSessions(ctx, id)
}

export const routes: Routes = {
  'POST /user/:id/password': setPassword,
}

import { may } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { Forbidden } from '../../kernel/refusal.ts'
import { type User, users } from './user.ts'

/** Returns the caller (`me`), or another user whose sign-in the caller may manage. */
export async function managedUser(ctx: Context, id: Id): Promise<User> {
  const user = await users.get(ctx, id === 'me' ? ctx.caller.userId : id)
  if (user.id === ctx.caller.userId) return user
  if (!may(ctx.caller, users.permissions.update)) throw new Forbidden('only admins do this for another user')
  if (user.superAdmin && !ctx.caller.authority.superAdmin)
    throw new Forbidden('only a super admin changes a super admin')
  return user
}

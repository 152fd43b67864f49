import type { Context } from '../kernel/context.ts'
import type { Id } from '../kernel/id.ts'
import { operation, type Routes } from '../kernel/operation.ts'
import { revokeKeysOf } from './api-key.ts'
import { changeUser, type User, users } from './user/user.ts'

/** Somebody leaves: they stay in everything they have done, and come in no more, neither in person nor by a key. */
export async function deactivate(ctx: Context, id: Id): Promise<User> {
  const user = await changeUser(ctx, id, { active: false }, {})
  await revokeKeysOf(ctx, user.id)
  return user
}

const reactivate = operation({
  permission: users.permissions.update,
  mode: 'write',
  summary: 'Let a user in again',
  description:
    'Somebody who was deactivated may sign in again. Keys that went with them do not come back; an active user stays as they are.',
  reply: { status: 200, schema: users.schema, description: 'The user as it is now.' },
  refusals: [404, 422],
  async run(ctx, { params }) {
    const user = await changeUser(ctx, params.id ?? '', { active: true }, {})
    return { body: user, version: user.version }
  },
})

export const routes: Routes = {
  'POST /user/:id/reactivate': reactivate,
}

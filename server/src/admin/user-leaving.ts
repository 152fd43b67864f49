import { revokeFeedsOf } from '../identity/calendar-feed/calendar-feed.ts'
import type { Context } from '../kernel/context.ts'
import type { Id } from '../kernel/id.ts'
import { operation, type Routes } from '../kernel/operation.ts'
import { revokeKeysOf } from './api-key.ts'
import { type User, users } from './user/user.ts'
import { changeUser } from './user/write-user.ts'

/** Deactivates a user and revokes their keys and calendar feeds. Their records stay as they are. */
export async function deactivate(ctx: Context, id: Id): Promise<User> {
  const user = await changeUser(ctx, id, { active: false }, {})
  await revokeKeysOf(ctx, user.id)
  await revokeFeedsOf(ctx, user.id)
  return user
}

const reactivate = operation({
  permission: users.permissions.update,
  mode: 'write',
  summary: 'Reactivate a user',
  description:
    'The user may sign in again. Keys and calendar feeds that the deactivation revoked stay revoked. An active user is not changed.',
  reply: { status: 200, schema: users.schema, description: 'The user after the change.' },
  refusals: [404, 422],
  async run(ctx, { params }) {
    const user = await changeUser(ctx, params.id ?? '', { active: true }, {})
    return { body: user, version: user.version }
  },
})

export const routes: Routes = {
  'POST /user/:id/reactivate': reactivate,
}

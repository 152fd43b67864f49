import { Type } from 'typebox'
import type { Caller } from '../kernel/access.ts'
import type { Context } from '../kernel/context.ts'
import type { Id } from '../kernel/id.ts'
import { findUnknown, type Reference, unknownReferences } from '../kernel/record/references.ts'
import { type Sql, sql } from '../kernel/sql.ts'

// Records that a person has for themselves and shares with users and groups.

/** The users and groups with whom the owner of a record shares it. */
export const Shared = Type.Array(Type.String({ minLength: 1, maxLength: 36, 'x-mentions': 'UserGroup' }), {
  maxItems: 200,
  'x-column': 'uuid[]',
  description: 'The users and groups with whom its owner shares it.',
})

/** Whether a record is shared with the caller, or with a group that the caller is in. */
export function isSharedWith({ userId, authority }: Caller, shared: Sql): Sql {
  return sql`${shared} && ${[userId, ...authority.groups]}::uuid[]`
}

/** Refuses new entries that are neither a user nor a group that the caller sees. */
export async function refuseUnknownSharers(
  ctx: Context,
  shared: readonly Id[],
  before: readonly Id[] = [],
): Promise<void> {
  const fresh = references(shared).filter(each => !before.includes(each.id))
  const unknown = await unknownAmong(ctx, fresh)
  if (unknown.length > 0) throw unknownReferences(unknown)
}

/** The entries that are neither a user nor a group, or no longer. */
export async function unknownSharers(ctx: Context, shared: readonly Id[]): Promise<Reference[]> {
  return await unknownAmong(ctx, references(shared))
}

function references(shared: readonly Id[]): Reference[] {
  return shared.map((id, i) => ({ entity: 'User', id, path: ['shared', i] }))
}

async function unknownAmong(ctx: Context, some: readonly Reference[]): Promise<Reference[]> {
  const users = await findUnknown(ctx, some)
  return await findUnknown(
    ctx,
    users.map(each => ({ ...each, entity: 'UserGroup' })),
  )
}

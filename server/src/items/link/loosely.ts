import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { makeLink } from './link.ts'
import { typeCalled } from './link-type.ts'

/** Says that two items have to do with each other, if the tenant has a type of link for that. */
export async function linkLoosely(ctx: Context, fromId: Id, toId: Id): Promise<void> {
  const type = await typeCalled(ctx, '')
  if (type) await makeLink(ctx, { fromId, toId, type: type.id })
}

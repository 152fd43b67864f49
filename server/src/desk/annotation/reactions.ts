import type { Context } from '../../kernel/context.ts'
import { append } from '../../kernel/events.ts'
import type { Id } from '../../kernel/id.ts'
import { operation } from '../../kernel/operation.ts'
import { fault, Invalid, RuleBroken } from '../../kernel/refusal.ts'
import { annotations } from './annotation.ts'

/** So many different reactions of one person to one annotation. */
const most = 20

/** The emoji that a path names. */
export function emojiOf(params: Record<string, string>): string {
  const emoji = (params.emoji ?? '').normalize()
  if (emoji.length > 32 || !/^[^\p{C}\s]/u.test(emoji) || !emoji.isWellFormed() || /[\s\p{Cc}]/u.test(emoji))
    throw new Invalid([fault(['emoji'], 'emoji', 'must be an emoji or a short word without spaces', emoji)])
  return emoji
}

export const react = operation({
  permission: annotations.permissions.create,
  placed: true,
  mode: 'write',
  summary: 'React to an annotation',
  description: 'The caller reacts with an emoji; doing it again changes nothing.',
  reply: { status: 200, schema: annotations.schema, description: 'The annotation with all reactions.' },
  refusals: [404, 422],
  async run(ctx, { params }) {
    const emoji = emojiOf(params)
    const { id } = await annotations.get(ctx, params.id ?? '', { lock: true })
    const added = await ctx.sql`insert into annotation_reaction (tenant_id, annotation_id, emoji, user_id, at)
      values (${ctx.caller.tenantId}, ${id}, ${emoji}, ${ctx.caller.userId}, ${ctx.now}) on conflict do nothing returning 1`
    if (added.length > 0) {
      await refuseTooMany(ctx, id)
      await append(ctx, [
        { kind: 'annotation.reacted', entity: 'Annotation', recordId: id, changes: { reaction: { to: emoji } } },
      ])
    }
    const annotation = await annotations.get(ctx, id)
    return { body: annotation, version: annotation.version }
  },
})

async function refuseTooMany(ctx: Context, id: Id): Promise<void> {
  const [row] = await ctx.sql<{ count: number }>`select count(*)::int as count from annotation_reaction
    where tenant_id = ${ctx.caller.tenantId} and annotation_id = ${id} and user_id = ${ctx.caller.userId}`
  if ((row?.count ?? 0) > most)
    throw new RuleBroken('too-many-reactions', `one person reacts to one annotation in at most ${most} ways`)
}

export const unreact = operation({
  permission: annotations.permissions.create,
  placed: true,
  mode: 'write',
  summary: 'Take a reaction back',
  description: 'The caller’s reaction with this emoji is gone; it need not have been there.',
  reply: { status: 204, description: 'There is no such reaction of the caller.' },
  refusals: [404],
  async run(ctx, { params }) {
    const emoji = emojiOf(params)
    const { id } = await annotations.get(ctx, params.id ?? '')
    const gone = await ctx.sql`delete from annotation_reaction
      where tenant_id = ${ctx.caller.tenantId} and annotation_id = ${id} and emoji = ${emoji} and user_id = ${ctx.caller.userId} returning 1`
    if (gone.length > 0)
      await append(ctx, [
        { kind: 'annotation.unreacted', entity: 'Annotation', recordId: id, changes: { reaction: { from: emoji } } },
      ])
    return {}
  },
})

import { momentCodes, momentFor } from '../../containers/screen/screen.ts'
import { resolvedSchema } from '../../containers/screen-resolution/screen-resolution.ts'
import { may, narrowedTo, staff } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Reply } from '../../kernel/operation.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { imagesFor, imagesQuery, safeHtml } from '../../language/markup.ts'
import { type Item, items } from '../item/item.ts'
import { screenOf } from '../item-screen.ts'
import { storedClocks, storedClocksSchema } from './stored-clocks.ts'

/** What a read of a single item can include. */
export const extraQuery: Record<string, Schema> = {
  render: {
    type: 'string',
    enum: ['html'],
    description: 'Adds `descriptionHtml`, the description as sanitised HTML.',
  },
  images: imagesQuery,
  include: {
    type: 'string',
    description: '`screen` adds the screen on which the caller views the item, `clock` the state of its clocks.',
  },
}

export const extraProperties: Record<string, Schema> = {
  descriptionHtml: { type: 'string', description: 'The description as sanitised HTML, with `render=html`.' },
  screen: { ...resolvedSchema, description: 'With `include=screen`.' },
  clock: storedClocksSchema,
}

/** What was promised to a requester is known to staff only. */
const readClocks = narrowedTo(staff, items.permissions.read)

/**
 * Adds the requested extras to a reply. A screen or a clock may change without the item, so such a reply has no
 * version.
 */
export async function withExtras(
  ctx: Context,
  query: Record<string, unknown>,
  reply: Reply & { text: string },
): Promise<Reply> {
  const included = String(query.include ?? '')
    .split(',')
    .map(each => each.trim().toLowerCase())
  const [screen, clock] = [included.includes('screen'), included.includes('clock')]
  const html = query.render === 'html'
  if (!screen && !clock && !html) return reply
  const { version, ...rest } = reply
  const item: Item = JSON.parse(reply.text)
  const extras = {
    ...(html ? { descriptionHtml: imagesFor(query, safeHtml(item.description)) } : {}),
    ...(screen ? { screen: await screenOf(ctx, item, momentFor(ctx.caller, item, {}, momentCodes.view)) } : {}),
    ...(clock && may(ctx.caller, readClocks, item) ? { clock: await storedClocks(ctx, item.id) } : {}),
  }
  if (Object.keys(extras).length === 0) return reply
  const text = `${reply.text.slice(0, -1)},${JSON.stringify(extras).slice(1)}`
  return { ...rest, text, ...(screen || clock || version === undefined ? {} : { version }) }
}

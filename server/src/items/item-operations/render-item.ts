import type { Reply } from '../../kernel/operation.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { imagesFor, imagesQuery, safeHtml } from '../../language/markup.ts'
import type { Item } from '../item/item.ts'

/** How a read of a single item can be rendered. */
export const renderQuery: Record<string, Schema> = {
  render: {
    type: 'string',
    enum: ['html'],
    description: 'Adds `descriptionHtml`, the description as sanitised HTML.',
  },
  images: imagesQuery,
}

export const renderedProperties: Record<string, Schema> = {
  descriptionHtml: { type: 'string', description: 'The description as sanitised HTML, with `render=html`.' },
}

/** Adds the description as HTML, if it is asked for. */
export function rendered(query: Record<string, unknown>, reply: Reply & { text: string }): Reply {
  if (query.render !== 'html') return reply
  const { description }: Item = JSON.parse(reply.text)
  const html = { descriptionHtml: imagesFor(query, safeHtml(description)) }
  return { ...reply, text: `${reply.text.slice(0, -1)},${JSON.stringify(html).slice(1)}` }
}

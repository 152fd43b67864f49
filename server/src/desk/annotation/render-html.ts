import type { Reply } from '../../kernel/operation.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { cleanHtml, escapedHtml, imagesFor, imagesQuery, safeHtml } from '../../language/markup.ts'

export const renderQuery: Record<string, Schema> = {
  render: {
    type: 'string',
    enum: ['html'],
    description: 'Adds `bodyHtml`: the text as sanitized HTML.',
  },
  images: imagesQuery,
}

interface TextRecord {
  body?: string
  bodyFormat?: string
  bodyHtml?: string
}

/** The text as HTML that is safe to show, whoever wrote it. */
export function htmlOf({ body = '', bodyFormat }: TextRecord): string {
  if (bodyFormat === 'html') return cleanHtml(body)
  if (bodyFormat === 'text') return `<p>${escapedHtml(body).replaceAll('\n', '<br />')}</p>`
  return safeHtml(body)
}

/** Adds `bodyHtml` to every record of a reply, if the query asks for it. */
export function rendered(reply: Reply, query: Record<string, unknown>): Reply {
  if (query.render !== 'html') return reply
  const { stream, text } = reply
  const withHtml = (record: TextRecord): TextRecord =>
    record.body === undefined ? record : { ...record, bodyHtml: imagesFor(query, htmlOf(record)) }
  if (stream) return { ...reply, stream: reopen => renderedParts(stream(reopen), withHtml) }
  if (text === undefined) return reply
  const value: TextRecord | TextRecord[] = JSON.parse(text)
  return { ...reply, text: JSON.stringify(Array.isArray(value) ? value.map(withHtml) : withHtml(value)) }
}

/** A streamed array arrives in chunks, each of which holds whole records after a bracket or a comma. */
async function* renderedParts(
  parts: AsyncIterable<string>,
  withHtml: (record: TextRecord) => TextRecord,
): AsyncGenerator<string> {
  for await (const part of parts) {
    const records: TextRecord[] = part.length < 3 ? [] : JSON.parse(`[${part.slice(1)}]`)
    yield records.length === 0 ? part : part[0] + records.map(each => JSON.stringify(withHtml(each))).join(',')
  }
}

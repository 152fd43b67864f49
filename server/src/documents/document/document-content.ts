import { Type } from 'typebox'
import { members, permission, staff } from '../kernel/access.ts'
import type { Context } from '../kernel/context.ts'
import { get, update } from '../kernel/crud.ts'
import type { Id } from '../kernel/id.ts'
import type { Operation, Routes } from '../kernel/operation.ts'
import type { Values } from '../kernel/record/record.ts'
import { fault, Invalid } from '../kernel/refusal.ts'
import { resource } from '../kernel/resource.ts'
import { LongText, Text } from '../kernel/schema/values.ts'
import { raw, sql } from '../kernel/sql.ts'
import { history } from '../records/history.ts'
import { indexDocument } from './document-index.ts'
import { visibleDocument } from './visibility.ts'

/** In bytes, as stored. */
const maxBodyBytes = 1024 * 1024

const shape = {
  body: LongText(maxBodyBytes),
  format: Text(40, { default: 'markdown', pattern: '^[a-z][a-z0-9.+/-]*$' }),
}

/**
 * The text of a document is a separate record, so that lists of documents stay small and writing it does not touch the
 * permissions.
 */
const contents = resource('DocumentContent', {
  about: 'The text of a document. It has the id of its document and is visible to whoever sees the document.',
  shape,
  derived: {
    docId: {
      schema: Type.Unsafe<Id>({ type: 'string', format: 'uuid', description: 'The document; the same as `id`.' }),
      value: content => sql`${content}.id`,
    },
  },
  visible: (caller, content) => {
    const document = raw('d')
    return sql`exists (select 1 from document d where d.tenant_id = ${caller.tenantId} and d.id = ${content}.id and ${visibleDocument(caller, document)})`
  },
  check: checkContent,
  example: { body: '# What to do when the printer is down', format: 'markdown' },
})

function checkContent(_ctx: Context, { body }: Values<typeof shape>): void {
  if (Buffer.byteLength(body) > maxBodyBytes) {
    throw new Invalid([fault(['body'], 'maxBytes', `must have at most ${maxBodyBytes} bytes as UTF-8`)])
  }
}

// The content is created, deleted and restored together with its document.

export async function addContent(ctx: Context, docId: Id): Promise<void> {
  await contents.create(ctx, {}, { id: docId })
}

export async function removeContent(ctx: Context, docId: Id): Promise<void> {
  await contents.remove(ctx, docId)
}

export async function restoreContent(ctx: Context, docId: Id): Promise<void> {
  await contents.restore(ctx, docId)
}

/** The permissions of the document apply to its content. */
const may = { read: permission('document.read', staff), write: permission('document.update', members) }

function ofDocument(operation: Operation, right: Operation['permission']): Operation {
  return {
    ...operation,
    permission: right,
    run: (ctx, input) => operation.run(ctx, { ...input, params: { id: input.params.docId ?? '' } }),
  }
}

const write: Operation = {
  ...ofDocument(
    update(contents, async (ctx, id, values, more) => {
      const content = await contents.update(ctx, id, values, more)
      await indexDocument(ctx, content.id)
      return content
    }),
    may.write,
  ),
  summary: 'Write the content of a document',
  description: `The text of a document, up to ${maxBodyBytes} bytes. \`If-Match\` must contain the ETag with which the content was read, so that nobody overwrites an unseen change: 428 without it, 412 with \`current\` if the content was changed in between. Every version is kept in the history.`,
  mustMatch: true,
}

export const routes: Routes = {
  'GET /docs/content/:docId': ofDocument(get(contents), may.read),
  'PUT /docs/content/:docId': write,
  'PATCH /docs/content/:docId': write,
  'GET /docs/content/:docId/history': ofDocument(history(contents), may.read),
}

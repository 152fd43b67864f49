import { Type } from 'typebox'
import { type Caller, demand } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { get, update } from '../../kernel/crud.ts'
import type { Id } from '../../kernel/id.ts'
import type { Operation, Routes } from '../../kernel/operation.ts'
import type { Stored, Values } from '../../kernel/record/record.ts'
import { fault, Invalid, RuleBroken } from '../../kernel/refusal.ts'
import { resource } from '../../kernel/resource.ts'
import { LongText, Text } from '../../kernel/schema/values.ts'
import { raw, type Sql, sql } from '../../kernel/sql.ts'
import { history } from '../../records/history/history.ts'
import { documentState } from '../document-state.ts'
import { documentPermissions, visibleDocument, visibleHistory } from '../visibility.ts'
import { followContent } from './content-changes.ts'

/** In bytes, as stored. */
const maxBodyBytes = 1024 * 1024

const shape = {
  body: LongText(maxBodyBytes),
  format: Text(40, { default: 'markdown', pattern: '^[a-z][a-z0-9.+/-]*$' }),
}

export type ContentInput = Partial<Values<typeof shape>>

/**
 * The text of a document is a separate record, so that lists of documents stay small and writing it does not touch the
 * permissions.
 */
export const contents = resource('DocumentContent', {
  about: 'The text of a document. It has the id of its document and is visible to whoever sees the document.',
  shape,
  derived: {
    docId: {
      schema: Type.Unsafe<Id>({ type: 'string', format: 'uuid', description: 'The document; the same as `id`.' }),
      value: content => sql`${content}.id`,
    },
  },
  visible: (caller, content) => ofVisible(caller, content, visibleDocument),
  historyVisible: (caller, content) => ofVisible(caller, content, visibleHistory),
  check: checkContent,
  example: { body: '# What to do when the printer is down', format: 'markdown' },
})

function ofVisible(caller: Caller, content: Sql, visible: typeof visibleDocument): Sql {
  return sql`exists (select 1 from document d where d.tenant_id = ${caller.tenantId} and d.id = ${content}.id and ${visible(caller, raw('d'))})`
}

async function checkContent(
  ctx: Context,
  { body }: Values<typeof shape>,
  before: Stored<typeof shape> | undefined,
): Promise<void> {
  if (before && !before.deleted) await refuseUnwritable(ctx, before.id)
  if (Buffer.byteLength(body) > maxBodyBytes) {
    throw new Invalid([fault(['body'], 'maxBytes', `must have at most ${maxBodyBytes} bytes as UTF-8`)])
  }
}

/** An archived document keeps its text; the text of a public one is changed by those who may publish it. */
async function refuseUnwritable(ctx: Context, id: Id): Promise<void> {
  const [document] = await ctx.sql<{ state: number; archived: boolean }>`select state, archived from document
    where tenant_id = ${ctx.caller.tenantId} and id = ${id}`
  if (document?.archived) throw new RuleBroken('document-archived', 'the document is archived, so its text stays')
  if (document?.state === documentState.public) demand(ctx.caller, documentPermissions.publish)
}

// The content is created, deleted and restored together with its document.

export async function addContent(ctx: Context, docId: Id, text: ContentInput): Promise<void> {
  await followContent(ctx, await contents.create(ctx, text, { id: docId }))
}

export async function removeContent(ctx: Context, docId: Id): Promise<void> {
  await contents.remove(ctx, docId)
}

export async function restoreContent(ctx: Context, docId: Id): Promise<void> {
  await contents.restore(ctx, docId)
}

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
      await followContent(ctx, content)
      return content
    }),
    documentPermissions.update,
  ),
  summary: 'Write the content of a document',
  description: `The text of a document, up to ${maxBodyBytes} bytes. \`If-Match\` must contain the ETag with which the content was read, so that nobody overwrites an unseen change: 428 without it, 412 with \`current\` if the content was changed in between. Every version is kept in the history.`,
  mustMatch: true,
}

export const routes: Routes = {
  'GET /docs/content/:docId': ofDocument(get(contents), documentPermissions.read),
  'PUT /docs/content/:docId': write,
  'PATCH /docs/content/:docId': write,
  'GET /docs/content/:docId/history': ofDocument(history(contents), documentPermissions.read),
}

import { Type } from 'typebox'
import { isAgent } from '../../identity/agent.ts'
import { demand, everyone, members } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { create, get, list, remove, restore, update } from '../../kernel/crud.ts'
import type { Id } from '../../kernel/id.ts'
import type { Input, Operation, Routes } from '../../kernel/operation.ts'
import type { Expect, Stored, Values } from '../../kernel/record/record.ts'
import { type Fault, fault, Refusal, RuleBroken } from '../../kernel/refusal.ts'
import { resource } from '../../kernel/resource.ts'
import { Name, Parts, Ref, Refs, Text } from '../../kernel/schema/values.ts'
import { and, raw, type Sql, sql } from '../../kernel/sql.ts'
import { byParts } from '../../language/search/name-parts.ts'
import { Code } from '../../records/code-table.ts'
import { history } from '../../records/history/history.ts'
import { complete } from '../../records/input/entries.ts'
import { ownerKind, owners, refuseUnknownOwner } from '../../records/references/owner.ts'
import { documentState, documentStates } from '../document-state.ts'
import { lockFolder } from '../folder.ts'
import { documentPermissions, refuseLockOut, visibleDocument, visibleHistory } from '../visibility.ts'
import { addContent, type ContentInput, removeContent, restoreContent } from './document-content.ts'
import { indexDocument } from './document-index.ts'
import { linksTo } from './document-links.ts'

export { versionAt } from './version/version-store.ts'

export const belonging = { owner: Code(owners), ownerId: Text(100) }

const shape = {
  folderId: Ref('Folder'),
  name: Name(200),
  author: Text(200),
  context: Parts(belonging, [], 100),
  restrictedTo: Refs('UserGroup', 100),
  state: Code(documentStates, {
    default: documentState.internal,
    description:
      '0 draft: for its author and those who may write documents · 1 internal: for staff · 2 public: for requesters, too. `restrictedTo` and `context` apply in every state.',
  }),
  aiAccess: Type.Boolean({ description: 'Assistants may read it; otherwise it does not exist for them.' }),
  archived: Type.Boolean(),
  template: Type.Boolean({ description: 'Others are made of it, by `POST /docs/doc/{id}/copy`.' }),
}

type Document = Stored<typeof shape>
type DocumentValues = Values<typeof shape>

/** A document: where it belongs and who may read it. Its text is a separate record, its content. */
export const documents = resource('Document', {
  about:
    'A document: `context` lists the records it belongs to, `restrictedTo` the user groups that may read it (if empty, whoever sees one of the records). Its text is under `/api/docs/content/{docId}`.',
  shape,
  may: { read: everyone, create: members, update: members, delete: members },
  visible: visibleDocument,
  historyVisible: visibleHistory,
  check: checkDocument,
  archives: true,
})

async function checkDocument(ctx: Context, document: DocumentValues, before: Document | undefined): Promise<void> {
  await refuseUnknownContexts(ctx, document, before)
  refuseLockOut(ctx, document.restrictedTo, before)
  refuseAgentLockOut(ctx, document)
  if (document.state === documentState.public || before?.state === documentState.public)
    demand(ctx.caller, documentPermissions.publish)
  const moves = !before || before.deleted || before.folderId !== document.folderId
  if (moves && document.folderId !== '' && !(await lockFolder(ctx, document.folderId))) {
    throw new RuleBroken('folder-deleted', 'the folder of the document is deleted; restore it first', [
      fault(['folderId'], 'folder-deleted', 'is the id of a deleted folder', document.folderId),
    ])
  }
}

/** An agent closes no document to itself, which it could neither read nor open again. */
function refuseAgentLockOut({ caller }: Context, { aiAccess }: DocumentValues): void {
  if (aiAccess || !isAgent(caller)) return
  throw new RuleBroken('lock-out', 'the change would lock you out', [
    fault(['aiAccess'], 'lock-out', 'must be true, because an agent reads no other document'),
  ])
}

/** Reports all unknown references, not only the first. */
async function refuseUnknownContexts(
  ctx: Context,
  { context }: DocumentValues,
  before: Document | undefined,
): Promise<void> {
  const known = new Set(before?.context.map(each => `${each.owner ?? 0} ${each.ownerId ?? ''}`))
  const faults: Fault[] = []
  for (const [i, { owner = 0, ownerId = '' }] of context.entries()) {
    if (known.has(`${owner} ${ownerId}`)) continue
    await refuseUnknownOwner(ctx, { owner, ownerId }, undefined, ['context', i]).catch(error => {
      if (!(error instanceof Refusal)) throw error
      faults.push(...error.faults)
    })
  }
  if (faults.length > 0)
    throw new RuleBroken('unknown-reference', 'the record refers to something that does not exist', faults)
}

/** `author` is a free text for display; `createdBy` is the actual user. */
export async function createDocument(
  ctx: Context,
  values: Partial<DocumentValues>,
  text: ContentInput = {},
): Promise<Document> {
  const { author = '', aiAccess = isAgent(ctx.caller) } = values
  const document = await documents.create(ctx, { ...whole(values), author: author || ctx.caller.name, aiAccess })
  await addContent(ctx, document.id, text)
  return document
}

async function changeDocument(
  ctx: Context,
  id: Id,
  values: Partial<DocumentValues>,
  more: { expect?: Expect },
): Promise<Document> {
  const document = await documents.update(ctx, id, whole(values), more)
  if ('name' in values || 'author' in values) await indexDocument(ctx, document.id)
  return document
}

function whole(values: Partial<DocumentValues>): Partial<DocumentValues> {
  return values.context ? { ...values, context: complete(belonging, values.context) } : values
}

async function removeDocument(ctx: Context, id: Id, more: { expect?: Expect }): Promise<Document> {
  const document = await documents.remove(ctx, id, more)
  await removeContent(ctx, document.id)
  return document
}

async function restoreDocument(ctx: Context, id: Id): Promise<Document> {
  const document = await documents.restore(ctx, id)
  await restoreContent(ctx, document.id)
  return document
}

const everyDocument = list(documents, {
  where: (ctx, input) => and([ofContainer(input), ofTarget(ctx, input)]),
  known: ['containerId', 'linksTo'],
  ...byParts('document'),
})

const listDocuments: Operation = {
  ...everyDocument,
  query: {
    ...everyDocument.query,
    containerId: { type: 'string', maxLength: 36, description: 'Only documents whose `context` names this container.' },
    linksTo: {
      type: 'string',
      maxLength: 40,
      description: 'Only documents whose text refers to this item (its key or id) or document (its id).',
    },
  },
}

/** The documents that belong to a container, which is one of the entries of their `context`. */
function ofContainer({ query }: Input): Sql {
  if (query.containerId === undefined) return raw('true')
  const entry = [{ owner: ownerKind.container, ownerId: String(query.containerId).toLowerCase() }]
  return sql`t.context @> ${JSON.stringify(entry)}::jsonb`
}

function ofTarget(ctx: Context, { query }: Input): Sql {
  return query.linksTo === undefined ? raw('true') : linksTo(ctx, String(query.linksTo))
}

export const routes: Routes = {
  'GET /docs/doc': listDocuments,
  'POST /docs/doc': create(documents, (ctx, values) => createDocument(ctx, values)),
  'PUT /docs/doc': update(documents, changeDocument),
  'GET /docs/doc/:id': get(documents),
  'PUT /docs/doc/:id': update(documents, changeDocument),
  'PATCH /docs/doc/:id': update(documents, changeDocument),
  'DELETE /docs/doc/:id': remove(documents, removeDocument),
  'POST /docs/doc/:id/restore': restore(documents, restoreDocument),
  'GET /docs/doc/:id/history': history(documents),
}

import type { Context } from '../kernel/context.ts'
import { appendEvents } from '../kernel/events.ts'
import type { Id } from '../kernel/id.ts'
import { indexDocument } from './document/document-index.ts'

/**
 * Replaces the author’s name in the documents of a user, and in those of others unless somebody else has the same name.
 * The event does not contain the name, because the log is kept.
 */
export async function renameAuthor(ctx: Context, userId: Id, names: readonly string[], to: string): Promise<void> {
  const { tenantId, userId: by } = ctx.caller
  const rows = await ctx.sql<{
    id: Id
  }>`update document set author = ${to}, updated = ${ctx.now}, updated_by = ${by}, version = version + 1
    where tenant_id = ${tenantId} and (created_by = ${userId} and author = any(${names}::text[])
      or lower(btrim(author)) = any(unshared_names(${userId}::uuid, ${names}::text[]))) returning id`
  for (const { id } of rows) await indexDocument(ctx, id)
  await appendEvents(
    ctx,
    rows.map(({ id }) => ({ kind: 'document.updated', entity: 'Document', recordId: id, changes: { author: {} } })),
  )
}

import type { Context } from '../../kernel/context.ts'
import { indexDocument } from './document-index.ts'
import { storeLinks } from './document-links.ts'
import { type StoredText, storeVersion } from './version/version-store.ts'

/**
 * Brings in line what follows from a text: its words, its links and its versions. Whoever writes a text calls this in the same
 * transaction.
 */
export async function followContent(ctx: Context, content: StoredText, restoredFrom?: number): Promise<void> {
  await indexDocument(ctx, content.id)
  await storeLinks(ctx, content)
  await storeVersion(ctx, content, restoredFrom)
}

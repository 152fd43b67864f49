import type { OngoingUndo, Reversal, UndoConflict } from '../../engine/undo/reversal.ts'
import { undoRecords } from '../../engine/undo/undo-records.ts'
import type { Context } from '../../kernel/context.ts'
import { followContent } from './content-changes.ts'
import { contents } from './document-content.ts'
import { indexDocument } from './document-index.ts'

/** Undoes changes of documents; the search finds them by their former names again. */
export async function undoDocuments(
  ctx: Context,
  given: readonly Reversal[],
  undo: OngoingUndo,
): Promise<UndoConflict[]> {
  return await undoRecords(ctx, given, undo, async id => await indexDocument(ctx, id))
}

/** Undoes changes of texts. The former text is a new version, like any other that is written. */
export async function undoContents(
  ctx: Context,
  given: readonly Reversal[],
  undo: OngoingUndo,
): Promise<UndoConflict[]> {
  return await undoRecords(ctx, given, undo, async id => {
    const content = await contents.find(ctx, id)
    if (content) await followContent(ctx, content)
  })
}

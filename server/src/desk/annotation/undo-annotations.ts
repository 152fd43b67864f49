import { type Undoer, undoRecords } from '../../engine/undo/undo.ts'
import { annotations } from './annotation.ts'
import { demandAuthorOrManager, followText } from './create-annotation.ts'

/** Undoes what was said: by its author or a manager, like its deletion. */
export const undoAnnotations: Undoer = async (ctx, given, undo) => {
  for (const { recordId, created, deleted } of given) {
    const annotation = await annotations.find(ctx, recordId, { deleted: true, lock: true })
    const verb = created || deleted !== undefined ? 'delete' : 'update'
    if (annotation) await demandAuthorOrManager(ctx, verb, annotation)
  }
  return await undoRecords(ctx, given, undo, async (id, { properties }) => {
    const annotation = properties.has('body') ? await annotations.find(ctx, id) : undefined
    if (annotation) await followText(ctx, annotation)
  })
}

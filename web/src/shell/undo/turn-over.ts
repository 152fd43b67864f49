import { call, dryRun, isProblem, type SkippedRecord } from '@gantry/sdk'
import { reasonOf } from '../../kernel/data/attempt.ts'
import { gantry } from '../../kernel/data/client.ts'
import { notify, remember } from '../../kernel/data/undo.ts'
import type { Standing } from './changes.ts'
import { say } from './messages.ts'

/** What an undo would do. */
export interface Preview {
  /** The number of records that would be undone. */
  records: number
  /** Those that would stay as they are, with the reason. */
  skipped: readonly SkippedRecord[]
  /** Why nothing can be undone. */
  refusal?: string
}

/** Asks what undoing a change set would do, and does nothing. */
export async function previewUndo(id: string): Promise<Preview> {
  try {
    const { would } = await dryRun(gantry, 'POST /change/{id}/undo', { path: { id }, query: { conflicts: 'skip' } })
    return { records: would.records, skipped: would.skipped }
  } catch (error) {
    if (!isProblem(error)) throw error
    if (error.code === 'too-many-records') return { records: 0, skipped: [] } // it is tried when it is undone
    return { records: 0, skipped: skippedOf(error.body.conflicts), refusal: error.message }
  }
}

/** The records of conflicts, as an undo that leaves them out would name them. */
function skippedOf(conflicts: unknown): SkippedRecord[] {
  if (!Array.isArray(conflicts)) return []
  const all = conflicts as { entity: string; recordId: string; property: string }[] // as `conflicts` is documented
  return [...Map.groupBy(all, ({ recordId }) => recordId)].flatMap(([recordId, own]) => {
    const [first] = own
    if (!first) return []
    const { entity, property } = first
    return { entity, recordId, reason: whySkipped(property), conflicts: own }
  })
}

function whySkipped(property: string): SkippedRecord['reason'] {
  if (property === 'id') return 'not-found'
  return property === 'usedBy' ? 'used' : 'changed'
}

/** Undoes or redoes a change; with `rest` without the records that are in the way. Returns whether it was done. */
export async function turnOver({ target, isUndone }: Standing, summary: string, rest: boolean): Promise<boolean> {
  try {
    const { answer, changeSet } = await call(gantry, 'POST /change/{id}/undo', {
      path: { id: target },
      query: { conflicts: rest ? 'skip' : 'refuse' },
    }).withResponse()
    if (answer.undoing) {
      notify(say.undoingLater(answer.undoing.records))
      return true
    }
    const text = isUndone ? say.didRedo(summary) : say.didUndo(summary)
    const left = answer.skippedRecords > 0 ? [say.leftOut(answer.skippedRecords)] : []
    remember(changeSet, [text, ...left, ...answer.warnings].join(' · '))
    return true
  } catch (error) {
    notify(reasonOf(error))
    return false
  }
}

import { codes, type ListedChange } from '@gantry/sdk'
import { wallClock } from '../../kernel/dates/moments.ts'

/** Whether a change counts now, and what is to be undone so that it does not, or does again. */
export interface Standing {
  isUndone: boolean
  /** The last change set of undo, redo, undo …: undoing it turns the change over once more. */
  target: string
  /** The number of records that the last undo or redo changed; undefined if it is not known here. */
  records: number | undefined
  /** Whether the person may turn it over. */
  may: boolean
  /** The last undo in the background, if it was begun for a large change. */
  undoing: Undoing | undefined
}

type Undoing = NonNullable<ListedChange['undoing']>

type Listed = Pick<ListedChange, 'id' | 'undoneBy' | 'undoing' | 'records' | 'undoable'>

/** Whether an undo in the background has not come to its end. */
export const isGoingOn = (undoing: Undoing | null | undefined) => undoing?.state === codes.undoState.running

/** Follows a change through everything that undid and redid it. */
export function standingOf(change: Listed, byId: ReadonlyMap<string, Listed>): Standing {
  let last = change
  let isUndone = false
  while (last.undoneBy) {
    isUndone = !isUndone
    const next = byId.get(last.undoneBy)
    if (!next) return { isUndone, target: last.undoneBy, records: undefined, may: true, undoing: undefined }
    last = next
  }
  const { id, records, undoable, undoing } = last
  return { isUndone, target: id, records, may: undoable, undoing: undoing ?? undefined }
}

/** The changes without those that only undo another one that is shown: that one is marked. */
export function withoutUndos<C extends Pick<ListedChange, 'id' | 'undoes'>>(
  changes: readonly C[],
  byId: ReadonlyMap<string, unknown>,
): C[] {
  return changes.filter(({ undoes }) => !(undoes && byId.has(undoes)))
}

/** The changes by the day on which they were made, where the person is. */
export function byDay<C extends Pick<ListedChange, 'at'>>(changes: readonly C[], timezone: string): [string, C[]][] {
  return [...Map.groupBy(changes, ({ at }) => wallClock(at, timezone).day)]
}

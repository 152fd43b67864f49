import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { kindNamed } from '../../kernel/kinds.ts'
import { type ChangeSetEvent, type OngoingUndo, type Reversal, reversals, type UndoConflict } from './reversal.ts'
import { undoRecords } from './undo-records.ts'

/** Undoes the changes to records of one kind, or returns the conflicts that prevent it. */
export type Undoer = (ctx: Context, given: readonly Reversal[], undo: OngoingUndo) => Promise<UndoConflict[]>

/**
 * Undoes a whole change set if it is of a kind that has its own way of undoing, or returns the conflicts that prevent it;
 * undefined if it is of another kind.
 */
type ChangeSetUndoer = (
  ctx: Context,
  events: readonly ChangeSetEvent[],
  undo: OngoingUndo,
) => Promise<UndoConflict[] | undefined>

export interface Undoers {
  /** The kinds that are stored in more than one row. */
  byKind: Readonly<Record<string, Undoer>>
  /** The change sets that cannot be undone record by record. */
  whole: readonly ChangeSetUndoer[]
}

/** What an undo did: the records, the conflicts that were left out, and what could not be taken back. */
interface UndoOutcome {
  records: number
  conflicts: UndoConflict[]
  warnings: string[]
  /** Whether it was undone as a whole, so that no part of it can be left out. */
  isWhole: boolean
}

/** Returns what a change set did to each record, the last one first. */
export function undoableRecords(events: readonly ChangeSetEvent[]): Reversal[] {
  return reversals(events).filter(each => kindNamed(each.entity) !== undefined)
}

/** Undoes everything, or returns the conflicts; then the transaction must be rolled back. */
export async function undoAll(
  ctx: Context,
  undoers: Undoers,
  { id, events, without = new Set() }: { id: Id; events: readonly ChangeSetEvent[]; without?: ReadonlySet<Id> },
): Promise<UndoOutcome> {
  const ongoing: OngoingUndo = { id, warnings: [] }
  const all = undoableRecords(events)
  const some = all.filter(each => !without.has(each.recordId))
  const atOnce = await undoneAtOnce(ctx, undoers.whole, events, ongoing)
  const conflicts = atOnce ?? (await undoneByKind(ctx, undoers.byKind, some, ongoing))
  const records = atOnce ? all.length : some.length
  return { records, conflicts, warnings: ongoing.warnings, isWhole: atOnce !== undefined }
}

/**
 * Undoes the records that have no conflict. A record that is left out may be why another one has a conflict, such as a child that
 * was changed and its parent, so that it is tried until nothing is in the way.
 */
export async function undoRest(
  ctx: Context,
  undoers: Undoers,
  set: { id: Id; events: readonly ChangeSetEvent[] },
): Promise<UndoOutcome> {
  const skipped: UndoConflict[] = []
  for (;;) {
    await ctx.sql`savepoint attempt`
    const without = new Set(skipped.map(each => each.recordId))
    const outcome = await undoAll(ctx, undoers, { ...set, without })
    const { conflicts, records, isWhole } = outcome
    if (conflicts.length === 0) return { ...outcome, conflicts: skipped }
    if (isWhole || records === 0) return { ...outcome, conflicts: [...skipped, ...conflicts] }
    await ctx.sql`rollback to savepoint attempt`
    skipped.push(...conflicts)
  }
}

/** The conflicts of the first of these that is responsible for the whole change set. */
async function undoneAtOnce(
  ctx: Context,
  whole: readonly ChangeSetUndoer[],
  events: readonly ChangeSetEvent[],
  ongoing: OngoingUndo,
): Promise<UndoConflict[] | undefined> {
  for (const undo of whole) {
    const conflicts = await undo(ctx, events, ongoing)
    if (conflicts) return conflicts
  }
  return undefined
}

async function undoneByKind(
  ctx: Context,
  undoers: Undoers['byKind'],
  all: readonly Reversal[],
  ongoing: OngoingUndo,
): Promise<UndoConflict[]> {
  const conflicts: UndoConflict[] = []
  for (const [entity, group] of Map.groupBy(all, each => each.entity))
    conflicts.push(...(await (undoers[entity] ?? undoRecords)(ctx, group, ongoing)))
  return conflicts
}

import type { Context } from '../../kernel/context.ts'
import { appendEvents } from '../../kernel/events.ts'
import { kindNamed } from '../../kernel/kinds.ts'
import { operation, type Routes } from '../../kernel/operation.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { changeSetEntity } from '../event-visibility.ts'
import { listChangeSets } from './change-list.ts'
import { changeSetOf, maxRecords, undoChange, undone, undoneBy } from './change-set.ts'
import { readChangeSet } from './read-change-set.ts'
import { type ChangeSetEvent, type OngoingUndo, type Reversal, reversals, type UndoConflict } from './reversal.ts'
import { undoRecords } from './undo-records.ts'

export { undoRecords } from './undo-records.ts'

/** Undoes the changes to records of one kind, or returns the conflicts that prevent it. */
export type Undoer = (ctx: Context, given: readonly Reversal[], undo: OngoingUndo) => Promise<UndoConflict[]>

const answerSchema: Schema = {
  type: 'object',
  title: 'Undone',
  properties: {
    undone: { type: 'string', description: 'The change set that was undone.' },
    records: { type: 'integer' },
    warnings: {
      type: 'array',
      items: { type: 'string' },
      description: 'What could not be taken back, such as a mail that was sent.',
    },
  },
  required: ['undone', 'records', 'warnings'],
}

/**
 * Undoes a whole change set if it is of a kind that has its own way of undoing, or returns the conflicts that prevent it;
 * undefined if it is of another kind.
 */
type ChangeSetUndoer = (
  ctx: Context,
  events: readonly ChangeSetEvent[],
  undo: OngoingUndo,
) => Promise<UndoConflict[] | undefined>

const maxConflicts = 100

/**
 * The operations on change sets. `undoers` covers the kinds that are stored in more than one row; `whole` covers the
 * change sets that cannot be undone record by record.
 */
export function changeRoutes(undoers: Readonly<Record<string, Undoer>>, whole: readonly ChangeSetUndoer[]): Routes {
  const undo = operation({
    permission: undoChange,
    mode: 'write',
    summary: 'Undo a change set',
    description:
      'Reverses a creation, an update, a bulk change, a deletion, a move, a merge, a split, a reply or a macro: all of it or nothing. A mail that is still queued is cancelled; one that was sent stays sent, and `warnings` says so. If somebody changed the same property since, or refers to a record that the set created (`usedBy`), the answer is 409 with the list of `conflicts`. The caller needs the right to change each record. The undo is a change set itself, and can be undone.',
    reply: { status: 200, schema: answerSchema, description: 'The undone change set.' },
    refusals: [404, 409, 422],
    async run(ctx, { params }) {
      const { id, events } = await changeSetOf(ctx, params.id ?? '')
      // The lock serialises concurrent undos of one change set, so the second one finds it undone.
      await ctx.sql`select pg_advisory_xact_lock(hashtextextended(${`undo ${id}`}, 0))`
      if ((await undoneBy(ctx, id)) !== null)
        throw new Refusal(409, 'already-undone', 'the change set has already been undone')
      const all = reversals(events).filter(each => kindNamed(each.entity) !== undefined)
      if (all.length > maxRecords)
        throw new Refusal(
          422,
          'too-many-records',
          `the change set has ${all.length} records, and at most ${maxRecords} can be undone at once`,
        )
      const ongoing: OngoingUndo = { id, warnings: [] }
      const conflicts =
        (await undoneAtOnce(ctx, whole, events, ongoing)) ?? (await undoneByKind(ctx, undoers, all, ongoing))
      if (conflicts.length > 0)
        throw new Refusal(409, 'undo-conflict', `the change set cannot be undone: ${reasonsOf(conflicts)}`, {
          extra: { conflicts: conflicts.slice(0, maxConflicts) },
        })
      await appendEvents(ctx, [{ kind: undone, entity: changeSetEntity, recordId: id, changes: {} }])
      return { body: { undone: id, records: all.length, warnings: ongoing.warnings } }
    },
  })
  return { 'GET /change': listChangeSets, 'GET /change/:id': readChangeSet, 'POST /change/:id/undo': undo }
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
  undoers: Readonly<Record<string, Undoer>>,
  all: readonly Reversal[],
  ongoing: OngoingUndo,
): Promise<UndoConflict[]> {
  const conflicts: UndoConflict[] = []
  for (const [entity, group] of Map.groupBy(all, each => each.entity))
    conflicts.push(...(await (undoers[entity] ?? undoRecords)(ctx, group, ongoing)))
  return conflicts
}

/** Names the reasons of the conflicts; the list of conflicts names the records. */
function reasonsOf(conflicts: readonly UndoConflict[]): string {
  const reasons = conflicts.map(({ property }) =>
    property === 'id'
      ? 'a record no longer exists or is not visible to the caller'
      : property === 'usedBy'
        ? 'other records refer to a record that it created'
        : 'a record was changed afterwards',
  )
  return [...new Set(reasons)].join('; ')
}

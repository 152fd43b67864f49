import type { Context } from '../../kernel/context.ts'
import { appendEvents } from '../../kernel/events.ts'
import type { Id } from '../../kernel/id.ts'
import { operation, type Reply, type Routes } from '../../kernel/operation.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { changeSetEntity } from '../event-visibility.ts'
import { listChangeSets } from './change-list.ts'
import { changeSetOf, eventsOf, maxEvents, maxRecords, undoChange, undone, undoneBy } from './change-set.ts'
import { readChangeSet } from './read-change-set.ts'
import type { UndoConflict } from './reversal.ts'
import { beginUndoRun, isBeingUndone, undoRunSchema } from './run/undo-run.ts'
import { type Undoers, undoAll, undoableRecords, undoRest } from './undo-change-set.ts'

export type { Undoer } from './undo-change-set.ts'
export { undoRecords } from './undo-records.ts'

const maxConflicts = 100

const skippedSchema: Schema = {
  type: 'object',
  title: 'SkippedRecord',
  properties: {
    entity: { type: 'string' },
    recordId: { type: 'string' },
    reason: {
      type: 'string',
      enum: ['changed', 'used', 'not-found'],
      description: 'The record was changed since, others refer to it, or the caller does not see it.',
    },
    conflicts: {
      type: 'array',
      items: { type: 'object' },
      description: 'The properties: `{property, expected, current}`.',
    },
  },
  required: ['entity', 'recordId', 'reason', 'conflicts'],
}

const answerSchema: Schema = {
  type: 'object',
  title: 'Undone',
  properties: {
    undone: { type: 'string', description: 'The change set that was undone.' },
    records: { type: 'integer', description: 'The number of records that were undone.' },
    skipped: {
      type: 'array',
      items: skippedSchema,
      description: `The first ${maxConflicts} records that were left out, with \`conflicts=skip\`.`,
    },
    skippedRecords: { type: 'integer', description: 'The number of all records that were left out.' },
    warnings: {
      type: 'array',
      items: { type: 'string' },
      description: 'What could not be taken back, such as a mail that was sent.',
    },
    undoing: undoRunSchema,
  },
  required: ['undone', 'records', 'skipped', 'skippedRecords', 'warnings', 'undoing'],
}

/** The operations on change sets. */
export function changeRoutes(undoers: Undoers): Routes {
  const undo = operation({
    permission: undoChange,
    mode: 'write',
    summary: 'Undo a change set',
    description:
      'Reverses a creation, an update, a bulk change, a deletion, a move, a merge, a split, a reply or a macro: all of it or nothing. A mail that is still queued is cancelled; one that was sent stays sent, and `warnings` says so. If somebody changed the same property since, or refers to a record that the set created (`usedBy`), the answer is 409 with the list of `conflicts`; with `conflicts=skip` the other records are undone, and `skipped` names those that were left out. If nothing is left to undo, or the change can only be undone as a whole (a merge), it is 409 in any case. With `dryRun=true` the same answers come without an effect. The caller needs the right to change each record. The undo is a change set itself, and can be undone. A change set of more than ' +
      `${maxRecords} records is undone in the background (202), in the same way; \`undoing\` of the change set tells the outcome. It acts for the caller, with their rights at that time and the scopes of this credential. A dry run of it is 422, another undo meanwhile 409 \`undo-running\`.`,
    query: {
      conflicts: {
        type: 'string',
        enum: ['refuse', 'skip'],
        description:
          'What happens to records with conflicts: nothing is undone (`refuse`, the default), or they are left out.',
      },
    },
    reply: { status: 200, schema: answerSchema, description: 'The undone change set.' },
    also: { 202: 'The undo has begun.' },
    refusals: [404, 409, 422],
    async run(ctx, { params, query }) {
      const { id, events } = await changeSetOf(ctx, params.id ?? '')
      // The lock serialises concurrent undos of one change set, so the second one finds it undone.
      await ctx.sql`select pg_advisory_xact_lock(hashtextextended(${`undo ${id}`}, 0))`
      if ((await undoneBy(ctx, id)) !== null)
        throw new Refusal(409, 'already-undone', 'the change set has already been undone')
      const isSkipping = query.conflicts === 'skip'
      if (events.length >= maxEvents || undoableRecords(events).length > maxRecords)
        return await undoLater(ctx, { id, isSkipping, isDryRun: query.dryRun === 'true' })
      const outcome = await (isSkipping ? undoRest : undoAll)(ctx, undoers, { id, events })
      const { records, conflicts, warnings, isWhole } = outcome
      if (conflicts.length > 0 && (!isSkipping || isWhole || records === 0))
        throw new Refusal(409, 'undo-conflict', `the change set cannot be undone: ${reasonsOf(conflicts)}`, {
          extra: { conflicts: conflicts.slice(0, maxConflicts) },
        })
      await appendEvents(ctx, [{ kind: undone, entity: changeSetEntity, recordId: id, changes: {} }])
      const skipped = skippedRecords(conflicts)
      const shown = skipped.slice(0, maxConflicts)
      return { body: { undone: id, records, skipped: shown, skippedRecords: skipped.length, warnings, undoing: null } }
    },
  })
  return { 'GET /change': listChangeSets, 'GET /change/:id': readChangeSet, 'POST /change/:id/undo': undo }
}

/** Lets a large change set be undone in the background. */
async function undoLater(
  ctx: Context,
  { id, isSkipping, isDryRun }: { id: Id; isSkipping: boolean; isDryRun: boolean },
): Promise<Reply> {
  if (isDryRun) {
    const message = `a change set of more than ${maxRecords} records is tried when it is undone`
    throw new Refusal(422, 'too-many-records', message)
  }
  if (await isBeingUndone(ctx, id)) throw new Refusal(409, 'undo-running', 'the change set is being undone')
  const records = undoableRecords(await eventsOf(ctx, id)).length
  const { changeSetId, userId, actorKind, scopes, skips, ...undoing } = await beginUndoRun(ctx, {
    changeSetId: id,
    records,
    skips: isSkipping,
  })
  const body = { undone: id, records: 0, skipped: [], skippedRecords: 0, warnings: [], undoing }
  return { status: 202, body }
}

function skippedRecords(conflicts: readonly UndoConflict[]): object[] {
  return [...Map.groupBy(conflicts, ({ entity, recordId }) => `${entity} ${recordId}`).values()].flatMap(own => {
    const [first] = own
    if (!first) return []
    const { entity, recordId, property } = first
    return [{ entity, recordId, reason: reasonOf(property), conflicts: own }]
  })
}

type Reason = 'changed' | 'used' | 'not-found'

function reasonOf(property: string): Reason {
  return property === 'id' ? 'not-found' : property === 'usedBy' ? 'used' : 'changed'
}

const explained: Readonly<Record<Reason, string>> = {
  'not-found': 'a record no longer exists or is not visible to the caller',
  used: 'other records refer to a record that it created',
  changed: 'a record was changed afterwards',
}

/** Names the reasons of the conflicts; the list of conflicts names the records. */
function reasonsOf(conflicts: readonly UndoConflict[]): string {
  return [...new Set(conflicts.map(({ property }) => explained[reasonOf(property)]))].join('; ')
}

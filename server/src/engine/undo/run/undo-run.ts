import type { Caller } from '../../../kernel/access.ts'
import type { Context } from '../../../kernel/context.ts'
import { type Id, newId } from '../../../kernel/id.ts'
import type { Schema } from '../../../kernel/schema/shape.ts'
import { Code, codeTableOfCodes } from '../../../records/code-table.ts'
import { enqueue } from '../../dispatch/enqueue.ts'
import type { UndoConflict } from '../reversal.ts'

// The undo of a change set with so many records that no request can wait for it.

export const undoRunTaskName = 'undo-run'

/** The codes of a run's `state`. */
export const undoRunState = { running: 0, done: 1, refused: 2, failed: 3 } as const

/** The number of conflicts that are kept. */
const maxConflicts = 100

export const undoRunSchema: Schema = {
  type: ['object', 'null'],
  title: 'UndoRun',
  description: 'The undo of a large change set: the one that was begun last, or null.',
  properties: {
    id: { type: 'string', description: 'The change set of the undo.' },
    state: Code(codeTableOfCodes('undo.state', undoRunState), {
      description:
        '0 running · 1 done · 2 refused because of conflicts · 3 failed. Nothing was undone unless it is done.',
    }),
    records: { type: 'integer', description: 'The records of the change set.' },
    skippedRecords: { type: 'integer', description: 'How many of them were left out, or are in the way.' },
    conflicts: {
      type: 'array',
      items: { type: 'object' },
      description: `The first ${maxConflicts} conflicts: \`{entity, recordId, property}\`.`,
    },
    error: { type: 'string', description: 'Why it failed.' },
  },
  required: ['id', 'state', 'records', 'skippedRecords', 'conflicts', 'error'],
}

/** A run as it is stored; it acts for who began it, within the scopes of the credential that began it. */
export interface UndoRun {
  id: Id
  changeSetId: Id
  userId: Id
  actorKind: Caller['kind']
  scopes: string[]
  skips: boolean
  state: number
  records: number
  skippedRecords: number
  conflicts: UndoConflict[]
  error: string
}

/** Begins the undo of a change set in the background. Its own change set is named by the id of the run. */
export async function beginUndoRun(
  ctx: Context,
  { changeSetId, records, skips }: { changeSetId: Id; records: number; skips: boolean },
): Promise<UndoRun> {
  const { tenantId, userId, kind, scopes } = ctx.caller
  const id = newId()
  const state = undoRunState.running
  await ctx.sql`insert into undo_run (tenant_id, id, change_set_id, user_id, actor_kind, scopes, skips, state, records)
    values (${tenantId}, ${id}, ${changeSetId}, ${userId}, ${kind}, ${[...scopes]}, ${skips}, ${state}, ${records})`
  await enqueue(ctx, { task: undoRunTaskName, payload: { id }, key: id })
  const begun = { id, changeSetId, userId, actorKind: kind, scopes: [...scopes], skips, state, records }
  return { ...begun, skippedRecords: 0, conflicts: [], error: '' }
}

export async function readUndoRun(ctx: Context, id: Id): Promise<UndoRun | undefined> {
  const [run] =
    await ctx.sql<UndoRun>`select id, change_set_id as "changeSetId", user_id as "userId", actor_kind as "actorKind", scopes, skips,
      state, records, skipped_records as "skippedRecords", conflicts, error
    from undo_run where tenant_id = ${ctx.caller.tenantId} and id = ${id}`
  return run
}

/** The last run of each of these change sets, as answers show it. */
export async function shownUndoRuns(ctx: Context, changeSetIds: readonly Id[]): Promise<ReadonlyMap<Id, object>> {
  const rows = await ctx.sql<{
    changeSetId: Id
    run: object
  }>`select distinct on (change_set_id) change_set_id as "changeSetId",
      json_build_object('id', id, 'state', state, 'records', records, 'skippedRecords', skipped_records, 'conflicts', conflicts, 'error', error) as run
    from undo_run where tenant_id = ${ctx.caller.tenantId} and change_set_id = any(${changeSetIds}::uuid[]) order by change_set_id, id desc`
  return new Map(rows.map(row => [row.changeSetId, row.run]))
}

/** Whether an undo of this change set is still going on. */
export async function isBeingUndone(ctx: Context, changeSetId: Id): Promise<boolean> {
  const rows = await ctx.sql`select 1 from undo_run
    where tenant_id = ${ctx.caller.tenantId} and change_set_id = ${changeSetId} and state = ${undoRunState.running} limit 1`
  return rows.length > 0
}

/** Ends a run that is not ended yet. */
export async function endUndoRun(
  ctx: Context,
  { id }: Pick<UndoRun, 'id'>,
  { state, conflicts, error = '' }: { state: number; conflicts: readonly UndoConflict[]; error?: string },
): Promise<void> {
  const skipped = new Set(conflicts.map(each => each.recordId)).size
  // Without the values, because a reader of the run may not see them.
  const named = conflicts
    .slice(0, maxConflicts)
    .map(({ entity, recordId, property }) => ({ entity, recordId, property }))
  await ctx.sql`update undo_run set state = ${state}, error = ${error}, skipped_records = ${skipped}, conflicts = ${JSON.stringify(named)}::jsonb
    where tenant_id = ${ctx.caller.tenantId} and id = ${id} and state = ${undoRunState.running}`
}

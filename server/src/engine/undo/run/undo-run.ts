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
export const undoRunState = { checking: 0, undoing: 1, done: 2, refused: 3, failed: 4 } as const

const ended: readonly number[] = [undoRunState.done, undoRunState.refused, undoRunState.failed]
export const hasEnded = ({ state }: Pick<UndoRun, 'state'>) => ended.includes(state)

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
        '0 looking for conflicts · 1 undoing · 2 done · 3 refused because of conflicts, nothing was undone · 4 failed; what was undone until then can be undone by the change set `id`.',
    }),
    records: { type: 'integer', description: 'The records of the change set.' },
    done: { type: 'integer', description: 'How many of them were looked at in this state.' },
    skippedRecords: { type: 'integer', description: 'How many of them were left out.' },
    conflicts: {
      type: 'array',
      items: { type: 'object' },
      description: `The first ${maxConflicts} conflicts: \`{entity, recordId, property}\`.`,
    },
    error: { type: 'string', description: 'Why it failed.' },
  },
  required: ['id', 'state', 'records', 'done', 'skippedRecords', 'conflicts', 'error'],
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
  done: number
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
  const state = skips ? undoRunState.undoing : undoRunState.checking
  await ctx.sql`insert into undo_run (tenant_id, id, change_set_id, user_id, actor_kind, scopes, skips, state, records)
    values (${tenantId}, ${id}, ${changeSetId}, ${userId}, ${kind}, ${[...scopes]}, ${skips}, ${state}, ${records})`
  await enqueue(ctx, { task: undoRunTaskName, payload: { id }, key: id })
  const begun = { id, changeSetId, userId, actorKind: kind, scopes: [...scopes], skips, state, records }
  return { ...begun, done: 0, skippedRecords: 0, conflicts: [], error: '' }
}

export async function readUndoRun(ctx: Context, id: Id): Promise<UndoRun | undefined> {
  const [run] =
    await ctx.sql<UndoRun>`select id, change_set_id as "changeSetId", user_id as "userId", actor_kind as "actorKind", scopes, skips,
      state, records, done, skipped_records as "skippedRecords", conflicts, error
    from undo_run where tenant_id = ${ctx.caller.tenantId} and id = ${id}`
  return run
}

/** The last run of each of these change sets, as answers show it. */
export async function shownUndoRuns(ctx: Context, changeSetIds: readonly Id[]): Promise<ReadonlyMap<Id, object>> {
  const rows = await ctx.sql<{
    changeSetId: Id
    run: object
  }>`select distinct on (change_set_id) change_set_id as "changeSetId",
      json_build_object('id', id, 'state', state, 'records', records, 'done', done, 'skippedRecords', skipped_records, 'conflicts', conflicts, 'error', error) as run
    from undo_run where tenant_id = ${ctx.caller.tenantId} and change_set_id = any(${changeSetIds}::uuid[]) order by change_set_id, id desc`
  return new Map(rows.map(row => [row.changeSetId, row.run]))
}

/** Whether an undo of this change set is still going on. */
export async function isBeingUndone(ctx: Context, changeSetId: Id): Promise<boolean> {
  const rows = await ctx.sql`select 1 from undo_run
    where tenant_id = ${ctx.caller.tenantId} and change_set_id = ${changeSetId} and state <> all(${ended}::int[]) limit 1`
  return rows.length > 0
}

/** Stores how far a run has come, unless it was there already: a task may be repeated. */
export async function advance(
  ctx: Context,
  { id, state, done }: UndoRun,
  step: { done: number; conflicts: readonly UndoConflict[] },
): Promise<boolean> {
  const skipped = new Set(step.conflicts.map(each => each.recordId)).size
  // The values stay where they are: whoever reads the run may not see them.
  const named = step.conflicts
    .slice(0, maxConflicts)
    .map(({ entity, recordId, property }) => ({ entity, recordId, property }))
  const rows = await ctx.sql`update undo_run set done = ${step.done}, skipped_records = skipped_records + ${skipped},
      conflicts = jsonb_path_query_array(conflicts || ${JSON.stringify(named)}::jsonb, ${`$[0 to ${maxConflicts - 1}]`})
    where tenant_id = ${ctx.caller.tenantId} and id = ${id} and state = ${state} and done = ${done} returning 1`
  return rows.length > 0
}

/** Begins the next state of a run. */
export async function turnTo(ctx: Context, id: Id, state: number, error = ''): Promise<void> {
  const keeps = ended.includes(state)
  await ctx.sql`update undo_run set state = ${state}, error = ${error}, done = case when ${keeps} then done else 0 end,
      skipped_records = case when ${keeps} then skipped_records else 0 end
    where tenant_id = ${ctx.caller.tenantId} and id = ${id} and state <> all(${ended}::int[])`
}

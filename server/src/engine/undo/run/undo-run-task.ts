import { callerInContext } from '../../../identity/authority.ts'
import { type Caller, demand } from '../../../kernel/access.ts'
import { appendEvents } from '../../../kernel/events.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import { PermanentFailure, type Task, type Work } from '../../dispatch/task.ts'
import { changeSetEntity } from '../../event-visibility.ts'
import { eventsOf, undoChange, undone } from '../change-set.ts'
import type { UndoConflict } from '../reversal.ts'
import { type Undoers, undoAll, undoRest } from '../undo-change-set.ts'
import { endUndoRun, readUndoRun, type UndoRun, undoRunState, undoRunTaskName } from './undo-run.ts'

/**
 * Undoes a large change set in one transaction, as the operation does with a smaller one: all of it or nothing, also when the service
 * is stopped in the middle.
 */
export function undoRunTask(undoers: Undoers): Task {
  return {
    name: undoRunTaskName,
    retryDelays: [1000, 10_000, 60_000],
    async run(work) {
      const run = await work.single(work.service, ctx => readUndoRun(ctx, idOf(work)))
      if (run?.state !== undoRunState.running) return
      try {
        await attempt(work, run, undoers)
      } catch (error) {
        if (error instanceof InTheWay)
          return await work.single(work.service, ctx =>
            endUndoRun(ctx, run, { state: undoRunState.refused, conflicts: error.conflicts }),
          )
        throw error instanceof Refusal ? new PermanentFailure(error.message) : error
      }
    },
    async onGiveUp(work, error) {
      const message = error instanceof PermanentFailure ? error.message : 'it was interrupted'
      const failed = { state: undoRunState.failed, conflicts: [], error: message.slice(0, 500) }
      await work.single(work.service, ctx => endUndoRun(ctx, { id: idOf(work) }, failed))
    },
  }
}

const idOf = ({ payload }: Work) => String(payload.id)

/** Rolls the undo back. */
class InTheWay extends Error {
  readonly conflicts: readonly UndoConflict[]
  constructor(conflicts: readonly UndoConflict[]) {
    super('conflicts')
    this.conflicts = conflicts
  }
}

async function attempt(work: Work, run: UndoRun, undoers: Undoers): Promise<void> {
  const { id, changeSetId, skips } = run
  const caller = await callerOf(work, run)
  // The events are read before the transaction begins, because other events wait in the log until it has ended.
  const events = await work.single(caller, ctx => eventsOf(ctx, changeSetId))
  await work.transaction(
    caller,
    async ctx => {
      const outcome = await (skips ? undoRest : undoAll)(ctx, undoers, { id: changeSetId, events })
      const { conflicts, records, isWhole } = outcome
      if (conflicts.length > 0 && (!skips || isWhole || records === 0)) throw new InTheWay(conflicts)
      await appendEvents(ctx, [{ kind: undone, entity: changeSetEntity, recordId: changeSetId, changes: {} }])
      await endUndoRun(ctx, run, { state: undoRunState.done, conflicts })
    },
    id,
  )
}

/** Who began the run, with their present rights within the scopes of the credential that they used. */
async function callerOf(work: Work, { userId, scopes, actorKind }: UndoRun): Promise<Caller> {
  const found = await work.single(work.service, ctx => callerInContext(ctx, userId, scopes))
  if (!found) throw new PermanentFailure('who began it may no longer sign in')
  const caller: Caller = { ...found, kind: actorKind }
  demand(caller, undoChange)
  return caller
}

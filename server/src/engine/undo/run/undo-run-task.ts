import { callerInContext } from '../../../identity/authority.ts'
import { type Caller, demand } from '../../../kernel/access.ts'
import type { Context } from '../../../kernel/context.ts'
import { appendEvents } from '../../../kernel/events.ts'
import type { Id } from '../../../kernel/id.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import { PermanentFailure, type Task, type Work } from '../../dispatch/task.ts'
import { changeSetEntity } from '../../event-visibility.ts'
import { eventsOf, undoChange, undone } from '../change-set.ts'
import type { ChangeSetEvent, UndoConflict } from '../reversal.ts'
import { type Undoers, undoAll, undoableRecords, undoneAtOnce, undoRest } from '../undo-change-set.ts'
import { advance, hasEnded, readUndoRun, turnTo, type UndoRun, undoRunState, undoRunTaskName } from './undo-run.ts'

/** The records of one transaction: few enough that others do not wait for it. */
const chunkSize = 500

/**
 * Undoes a large change set, some records at a time. First all of them are tried without an effect, and any conflict refuses the
 * undo; then they are undone. What somebody changes in between is left out. How far it has come is stored in each transaction, so
 * that another attempt goes on there.
 */
export function undoRunTask(undoers: Undoers): Task {
  return {
    name: undoRunTaskName,
    retryDelays: [1000, 10_000, 60_000],
    async run(work) {
      try {
        await attempt(work, undoers)
      } catch (error) {
        throw error instanceof Refusal ? new PermanentFailure(error.message) : error
      }
    },
    async onGiveUp(work, error) {
      const message = error instanceof PermanentFailure ? error.message : 'it was interrupted'
      await work.single(work.service, ctx => turnTo(ctx, idOf(work), undoRunState.failed, message.slice(0, 500)))
    },
  }
}

/** Goes on with a run. */
async function attempt(work: Work, undoers: Undoers): Promise<void> {
  const run = await stored(work)
  if (!run || hasEnded(run)) return
  const caller = await callerOf(work, run)
  const events = await work.single(caller, ctx => eventsOf(ctx, run.changeSetId))
  if (await isUndoneAtOnce(work, caller, undoers.whole, run, events)) return
  const given: UndoWork = { work, caller, undoers: { ...undoers, whole: [] }, run, chunks: chunksOf(events) }
  if (run.state === undoRunState.checking && !(await isFree(given))) return
  const checked = run.state === undoRunState.checking
  await undoChunks(checked ? { ...given, run: { ...run, state: undoRunState.undoing, done: 0 } } : given)
}

/** One attempt of a run. */
interface UndoWork {
  work: Work
  caller: Caller
  undoers: Undoers
  run: UndoRun
  chunks: Chunk[]
}

/** The next attempt goes on where the other one is. */
const overtaken = 'another attempt has gone on'

const idOf = ({ payload }: Work) => String(payload.id)
const stored = (work: Work) => work.single(work.service, ctx => readUndoRun(ctx, idOf(work)))

/** Who began the run, with their present rights within the scopes of the credential that they used. */
async function callerOf(work: Work, { userId, scopes, actorKind }: UndoRun): Promise<Caller> {
  const found = await work.single(work.service, ctx => callerInContext(ctx, userId, scopes))
  if (!found) throw new PermanentFailure('who began it may no longer sign in')
  const caller: Caller = { ...found, kind: actorKind }
  demand(caller, undoChange)
  return caller
}

/** A part of a change set: the events of some records of one kind. */
interface Chunk {
  /** How many records of the change set are undone with it and before it. */
  end: number
  events: ChangeSetEvent[]
}

/** Cuts a change set in the order in which it is undone at once: kind by kind, the last records first. */
function chunksOf(events: readonly ChangeSetEvent[]): Chunk[] {
  const keyOf = ({ entity, recordId }: Pick<ChangeSetEvent, 'entity' | 'recordId'>) => `${entity} ${recordId}`
  const byRecord = Map.groupBy(events, keyOf)
  const chunks: Chunk[] = []
  let end = 0
  for (const group of Map.groupBy(undoableRecords(events), each => each.entity).values())
    for (let i = 0; i < group.length; i += chunkSize) {
      const some = group.slice(i, i + chunkSize)
      end += some.length
      chunks.push({ end, events: some.reverse().flatMap(each => byRecord.get(keyOf(each)) ?? []) })
    }
  return chunks
}

/** Rolls a trial back. */
class Tried extends Error {
  readonly conflicts: readonly UndoConflict[]
  constructor(conflicts: readonly UndoConflict[]) {
    super('tried without an effect')
    this.conflicts = conflicts
  }
}

/** Undoes a change set, such as a merge, that cannot be undone in parts. Its conflicts end the run. */
async function isUndoneAtOnce(
  work: Work,
  caller: Caller,
  whole: Undoers['whole'],
  run: UndoRun,
  events: readonly ChangeSetEvent[],
): Promise<boolean> {
  try {
    return await work.transaction(
      caller,
      async ctx => {
        const conflicts = await undoneAtOnce(ctx, whole, events, { id: run.changeSetId, warnings: [] })
        if (!conflicts) return false
        if (conflicts.length > 0) throw new Tried(conflicts)
        if (!(await advance(ctx, run, { done: run.records, conflicts }))) throw new Error(overtaken)
        await finish(ctx, run)
        return true
      },
      run.id,
    )
  } catch (error) {
    if (!(error instanceof Tried)) throw error
    const { conflicts } = error
    await work.single(work.service, ctx => advance(ctx, run, { done: run.records, conflicts }))
    await work.single(work.service, ctx => turnTo(ctx, run.id, undoRunState.refused))
    return true
  }
}

async function finish(ctx: Context, { id, changeSetId }: UndoRun): Promise<void> {
  await appendEvents(ctx, [{ kind: undone, entity: changeSetEntity, recordId: changeSetId, changes: {} }])
  await turnTo(ctx, id, undoRunState.done)
}

/** Tries all records without an effect. Conflicts end the run. */
async function isFree({ work, caller, undoers, run, chunks }: UndoWork): Promise<boolean> {
  let at = run
  for (const { end, events } of chunks.filter(each => each.end > run.done)) {
    work.signal.throwIfAborted()
    const conflicts = await conflictsIn(work, caller, undoers, { id: run.changeSetId, events })
    const step = { done: end, conflicts }
    if (!(await work.single(work.service, ctx => advance(ctx, at, step)))) throw new Error(overtaken)
    at = { ...at, done: end }
  }
  const { skippedRecords = 0 } = (await stored(work)) ?? {}
  const next = skippedRecords > 0 ? undoRunState.refused : undoRunState.undoing
  await work.single(work.service, ctx => turnTo(ctx, run.id, next))
  return next === undoRunState.undoing
}

async function conflictsIn(
  work: Work,
  caller: Caller,
  undoers: Undoers,
  part: { id: Id; events: readonly ChangeSetEvent[] },
): Promise<readonly UndoConflict[]> {
  try {
    return await work.transaction(caller, async ctx => {
      throw new Tried((await undoAll(ctx, undoers, part)).conflicts)
    })
  } catch (error) {
    if (error instanceof Tried) return error.conflicts
    throw error
  }
}

/** Undoes the records that are left, all of them in the change set of the run. */
async function undoChunks({ work, caller, undoers, run, chunks }: UndoWork): Promise<void> {
  let at = run
  for (const { end, events } of chunks.filter(each => each.end > run.done)) {
    work.signal.throwIfAborted()
    const going = await work.transaction(
      caller,
      async ctx => {
        const { conflicts } = await undoRest(ctx, undoers, { id: run.changeSetId, events })
        if (!(await advance(ctx, at, { done: end, conflicts }))) throw new Error(overtaken)
        if (end < run.records) return true
        await finish(ctx, run)
        return false
      },
      run.id,
    )
    if (!going) return
    at = { ...at, done: end }
  }
}

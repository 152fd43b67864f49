import { call, isProblem } from '@gantry/sdk'
import { create } from 'zustand'
import { say } from '../connection/messages.ts'
import { gantry, soon } from './client.ts'
import { newId } from './records/ids.ts'

/** Something that was done and can be undone. */
interface Step {
  id: string
  /** The change sets, in their order: most have one. */
  changeSets: readonly string[]
  text: string
  /** Resolves when it is through, as long as it is on its way. */
  through?: Promise<void>
}

export interface Notice {
  text: string
  /** What the notice offers to undo. */
  step?: Step
  /** The number of records that somebody has changed since, so that the change could not be undone. */
  conflicts?: number
}

interface Undo {
  /** In the order in which a person did it, whenever the service answered. */
  done: readonly Step[]
  undone: readonly Step[]
  notice: Notice | undefined
}

export const useUndo = create<Undo>(() => ({ done: [], undone: [], notice: undefined }))

const keptSteps = 100

/** Says something that passes. */
export const notify = (text: string): void => useUndo.setState({ notice: { text } })
export const dismiss = (): void => useUndo.setState({ notice: undefined })

/** Keeps the place of something that a person did now, until `remember` is called with its id or it has come to nothing. */
export function begin(id: string, sent: Promise<unknown>): void {
  const leave = () => useUndo.setState(({ done }) => ({ done: done.filter(step => step.id !== id || !step.through) }))
  add({ id, changeSets: [], text: '', through: sent.then(leave, leave) })
}

const add = (step: Step): void =>
  useUndo.setState(({ done }) => ({ done: [...done.slice(1 - keptSteps), step], undone: [] }))

/** Remembers what was done in this tab, for `Mod+Z`, and says it. A call that changed nothing has no change set. */
export function remember(changed: string | readonly string[] | undefined, text: string, id = newId()): void {
  const changeSets = typeof changed === 'string' ? [changed] : (changed ?? [])
  if (changeSets.length === 0) return
  const step = { id, changeSets, text }
  const { done } = useUndo.getState()
  const at = done.findIndex(each => each.id === id)
  if (at === -1) add(step)
  else useUndo.setState({ done: done.with(at, step) })
  // What was done later, and is through, was said already.
  const isLast = at === -1 || done.slice(at + 1).every(({ through }) => through)
  if (isLast) useUndo.setState({ notice: { text, step } })
}

let turn = Promise.resolve()
/** Two keys take back two steps, and not the same one twice. */
function inTurn(act: () => Promise<void>): Promise<void> {
  const mine = turn.then(act)
  turn = mine.catch(() => undefined)
  return mine
}

/** Takes back the last change of this tab, also one that is still on its way. */
export const undoLast = (): Promise<void> =>
  inTurn(async () => {
    const last = useUndo.getState().done.at(-1)
    if (last) await takeBack(last)
  })

/** Takes back what a notice tells. */
export const undoStep = (step: Step): Promise<void> => inTurn(() => takeBack(step))

async function takeBack({ id, through }: Step): Promise<void> {
  if (through && (await soon(through)) === 'waits') return notify(say.cannotUndo)
  const step = useUndo.getState().done.find(each => each.id === id)
  const inverse = step && (await revert(step))
  if (inverse)
    useUndo.setState(({ done, undone }) => ({
      done: done.filter(each => each !== step),
      undone: [...undone, inverse],
      notice: { text: step.text },
    }))
}

/** Makes the change that was taken back last again. */
export const redoLast = (): Promise<void> =>
  inTurn(async () => {
    const step = useUndo.getState().undone.at(-1)
    const again = step && (await revert(step))
    if (again)
      useUndo.setState(({ done, undone }) => ({
        done: [...done, again],
        undone: undone.filter(each => each !== step),
        notice: { text: step.text, step: again },
      }))
  })

/** Undoes the change sets of a step, the last one first; the step that is returned undoes this in turn. */
async function revert({ id, changeSets, text }: Step): Promise<Step | undefined> {
  try {
    const inverse: string[] = []
    for (const id of changeSets.toReversed()) {
      const { answer, changeSet } = await call(gantry, 'POST /change/{id}/undo', { path: { id } }).withResponse()
      // A large change is undone in the background, as a change set of its own.
      const undoing = answer.undoing?.id ?? changeSet
      if (undoing) inverse.push(undoing)
    }
    return { id, changeSets: inverse, text }
  } catch (error) {
    if (!isProblem(error)) {
      if (!(error instanceof TypeError)) throw error // fetch could not reach the service
      notify(say.cannotUndo)
      return undefined
    }
    const { conflicts } = error.body
    useUndo.setState({
      notice: { text: error.message, ...(Array.isArray(conflicts) ? { conflicts: conflicts.length } : {}) },
    })
    return undefined
  }
}

import { call, isProblem } from '@gantry/sdk'
import { create } from 'zustand'
import { say } from '../connection/messages.ts'
import { gantry } from './client.ts'

/** Something that was done and can be undone. */
interface Step {
  /** The change sets, in their order: most have one. */
  changeSets: readonly string[]
  text: string
}

export interface Notice {
  text: string
  /** The change set that the notice offers to undo. */
  changeSet?: string | undefined
  /** The number of records that somebody has changed since, so that the change could not be undone. */
  conflicts?: number
}

interface Undo {
  done: readonly Step[]
  undone: readonly Step[]
  notice: Notice | undefined
}

export const useUndo = create<Undo>(() => ({ done: [], undone: [], notice: undefined }))

const keptSteps = 100

/** Says something that passes. */
export const notify = (text: string): void => useUndo.setState({ notice: { text } })
export const dismiss = (): void => useUndo.setState({ notice: undefined })

/** Remembers what was done in this tab, for `Mod+Z`, and says it. A call that changed nothing has no change set. */
export function remember(changed: string | readonly string[] | undefined, text: string): void {
  const changeSets = typeof changed === 'string' ? [changed] : (changed ?? [])
  const changeSet = changeSets.at(-1)
  if (!changeSet) return
  useUndo.setState(({ done }) => ({
    done: [...done.slice(1 - keptSteps), { changeSets, text }],
    undone: [],
    notice: { text, changeSet },
  }))
}

/** Takes back the last change of this tab. */
export async function undoLast(): Promise<void> {
  const step = useUndo.getState().done.at(-1)
  if (!step) return
  const inverse = await revert(step)
  if (inverse)
    useUndo.setState(({ done, undone }) => ({
      done: done.filter(each => each !== step),
      undone: [...undone, inverse],
      notice: { text: step.text },
    }))
}

/** Makes the change that was taken back last again. */
export async function redoLast(): Promise<void> {
  const step = useUndo.getState().undone.at(-1)
  if (!step) return
  const again = await revert(step)
  if (again)
    useUndo.setState(({ done, undone }) => ({
      done: [...done, again],
      undone: undone.filter(each => each !== step),
      notice: { text: step.text, changeSet: again.changeSets.at(-1) },
    }))
}

/** Undoes the change sets of a step, the last one first; the step that is returned undoes this in turn. */
async function revert({ changeSets, text }: Step): Promise<Step | undefined> {
  try {
    const inverse: string[] = []
    for (const id of changeSets.toReversed()) {
      const { answer, changeSet } = await call(gantry, 'POST /change/{id}/undo', { path: { id } }).withResponse()
      // A large change is undone in the background, as a change set of its own.
      const undoing = answer.undoing?.id ?? changeSet
      if (undoing) inverse.push(undoing)
    }
    return { changeSets: inverse, text }
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

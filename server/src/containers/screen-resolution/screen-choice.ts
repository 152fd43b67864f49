import type { Id } from '../../kernel/id.ts'

/** The occasion for which a screen is chosen: container, process, moment, step and groups of the caller. */
export interface ScreenContext {
  containerId: Id | ''
  processId: Id | ''
  moment: number
  stepId: string
  groups: readonly Id[]
}

/** The properties of a screen that restrict the occasions it applies to. */
export interface ScreenCandidate {
  id: Id
  containerId: Id | ''
  processId: Id | ''
  moment: number
  stepId: string
  userGroup: readonly Id[]
  active: boolean
}

/**
 * The most specific screen: one for this container comes first, then for this process, this moment, this step of the
 * workflow, a group of the caller. Of two equally specific screens the older one is chosen.
 */
export function chooseScreen<S extends ScreenCandidate>(screens: readonly S[], occasion: ScreenContext): S | undefined {
  return screens
    .filter(each => fits(each, occasion))
    .sort((a, b) => closeness(b) - closeness(a) || (a.id < b.id ? -1 : 1))[0]
}

/** An empty property of a screen matches every occasion. */
function fits(screen: ScreenCandidate, { containerId, processId, moment, stepId, groups }: ScreenContext): boolean {
  return (
    screen.active &&
    (screen.containerId === '' || screen.containerId === containerId) &&
    (screen.processId === '' || screen.processId === processId) &&
    (screen.moment === 0 || screen.moment === moment) &&
    (screen.stepId === '' || screen.stepId === stepId) &&
    (screen.userGroup.length === 0 || screen.userGroup.some(each => groups.includes(each)))
  )
}

function closeness({ containerId, processId, moment, stepId, userGroup }: ScreenCandidate): number {
  const said = [containerId !== '', processId !== '', moment !== 0, stepId !== '', userGroup.length > 0]
  return said.reduce((sum, each) => sum * 2 + (each ? 1 : 0), 0)
}

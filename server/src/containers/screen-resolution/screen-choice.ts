import type { Id } from '../../kernel/id.ts'

/** Where and when somebody looks at an item, and who they are. */
export interface ScreenContext {
  containerId: Id | ''
  processId: Id | ''
  moment: number
  stepId: string
  groups: readonly Id[]
}

/** What a screen says of when it is meant. */
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
 * The screen that is meant most closely: for this container before others, then for this process, this moment, this step
 * of the workflow, a group of the caller's. Of two that are meant alike the older one counts.
 */
export function chooseScreen<S extends ScreenCandidate>(screens: readonly S[], occasion: ScreenContext): S | undefined {
  return screens
    .filter(each => fits(each, occasion))
    .sort((a, b) => closeness(b) - closeness(a) || (a.id < b.id ? -1 : 1))[0]
}

/** What a screen leaves open fits everything. */
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

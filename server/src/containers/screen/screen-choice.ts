import type { Id } from '../../kernel/id.ts'

/** Where and when somebody looks at an item, and who they are. */
export interface Occasion {
  containerId: Id | ''
  processId: Id | ''
  moment: number
  stepId: string
  groups: readonly Id[]
}

/** What a screen says of when it is meant. */
export interface Candidate {
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
export function chooseScreen<S extends Candidate>(screens: readonly S[], occasion: Occasion): S | undefined {
  return screens
    .filter(each => fits(each, occasion))
    .sort((a, b) => closeness(b) - closeness(a) || (a.id < b.id ? -1 : 1))[0]
}

/** What a screen leaves open fits everything. */
function fits(screen: Candidate, { containerId, processId, moment, stepId, groups }: Occasion): boolean {
  return (
    screen.active &&
    (screen.containerId === '' || screen.containerId === containerId) &&
    (screen.processId === '' || screen.processId === processId) &&
    (screen.moment === 0 || screen.moment === moment) &&
    (screen.stepId === '' || screen.stepId === stepId) &&
    (screen.userGroup.length === 0 || screen.userGroup.some(each => groups.includes(each)))
  )
}

function closeness({ containerId, processId, moment, stepId, userGroup }: Candidate): number {
  const said = [containerId !== '', processId !== '', moment !== 0, stepId !== '', userGroup.length > 0]
  return said.reduce((sum, each) => sum * 2 + (each ? 1 : 0), 0)
}

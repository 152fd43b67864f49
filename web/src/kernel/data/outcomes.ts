import type { Problem } from '@gantry/sdk'
import { create } from 'zustand'

/** Two people have set the same property: this one, and somebody whose change came first. */
export interface Conflict {
  property: string
  mine: unknown
  theirs: unknown
  keepMine: () => void
  takeTheirs: () => void
}

interface Outcomes {
  /** By record: what the service refused, until the next change of the record. */
  refused: ReadonlyMap<string, Problem>
  conflicts: ReadonlyMap<string, readonly Conflict[]>
}

export const useOutcomes = create<Outcomes>(() => ({ refused: new Map(), conflicts: new Map() }))

export function setOutcome(id: string, refusal: Problem | undefined, found: readonly Conflict[]): void {
  useOutcomes.setState(({ refused, conflicts }) => {
    const next = { refused: new Map(refused), conflicts: new Map(conflicts) }
    if (refusal) next.refused.set(id, refusal)
    else next.refused.delete(id)
    if (found.length > 0) next.conflicts.set(id, found)
    else next.conflicts.delete(id)
    return next
  })
}

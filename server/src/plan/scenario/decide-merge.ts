import { isDeepStrictEqual } from 'node:util'
import type { Id } from '../../kernel/id.ts'
import { changeOp, type ScenarioChange } from './scenario-change.ts'

type Values = Record<string, unknown>

/** A property that was changed since the scenario proposed another value for it. */
export interface MergeConflict {
  entity: string
  id: Id
  property: string
  base: unknown
  current: unknown
  proposed: unknown
}

export type Take = 'current' | 'proposed'

/** What a merge does with one record. */
export interface Decision {
  /** The values to write; undefined if the record stays. */
  values?: Values
  deletes?: boolean
  conflicts: MergeConflict[]
}

/**
 * Decides by property: what is as it was when the change was proposed becomes what was proposed, what has it already stays, and
 * everything else is a conflict, unless the merger says which value to take. `current` is undefined if the record is gone.
 */
export function decide(
  change: ScenarioChange,
  current: Values | undefined,
  takeOf: (property: string) => Take | undefined,
): Decision {
  if (change.op === changeOp.create) return { values: change.proposed, conflicts: [] }
  if (change.op === changeOp.delete) return decideDeletion(change, current, takeOf)
  if (!current)
    return takeOf('deleted') === 'current'
      ? { conflicts: [] }
      : { conflicts: [conflict(change, 'deleted', false, true, false)] }
  const values: Values = {}
  const conflicts: MergeConflict[] = []
  for (const [property, proposed] of Object.entries(change.proposed)) {
    const [base, is] = [change.base[property], current[property]]
    if (isDeepStrictEqual(is, proposed)) continue
    const take = isDeepStrictEqual(is, base) ? 'proposed' : takeOf(property)
    if (take === 'proposed') values[property] = proposed
    else if (take === undefined) conflicts.push(conflict(change, property, base, is, proposed))
  }
  return { ...(Object.keys(values).length > 0 ? { values } : {}), conflicts }
}

/** A record that has changed since is not deleted unasked. */
function decideDeletion(
  change: ScenarioChange,
  current: Values | undefined,
  takeOf: (property: string) => Take | undefined,
): Decision {
  if (!current) return { conflicts: [] }
  const same = Object.entries(change.base).every(([property, base]) => isDeepStrictEqual(current[property], base))
  const take = same ? 'proposed' : takeOf('deleted')
  if (take === 'proposed') return { deletes: true, conflicts: [] }
  return { conflicts: take === 'current' ? [] : [conflict(change, 'deleted', false, false, true)] }
}

function conflict(
  { entity, recordId }: ScenarioChange,
  property: string,
  base: unknown,
  current: unknown,
  proposed: unknown,
): MergeConflict {
  return { entity, id: recordId, property, base, current, proposed }
}

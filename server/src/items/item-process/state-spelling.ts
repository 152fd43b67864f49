import { isValueFault, readFieldValue } from '../../containers/field/field.ts'
import type { Graph, States } from '../../containers/workflow/workflow.ts'
import { folded } from '../../language/folded.ts'
import type { ReadField } from '../fields/fields.ts'
import type { ItemPatch } from '../item-body/item-body.ts'

// Values are compared without regard to case and accents, so `in work` means the state `In work` of a process. It is
// stored as the process spells it, because transitions, boards and reports know that spelling only.

/** The patch with its states as the process spells them. */
export function withStateSpelling({ states }: Graph, patch: ItemPatch): ItemPatch {
  const spelled = [...states].flatMap(([property, known]) => {
    const given: unknown = Reflect.get(patch, property)
    const state = typeof given === 'string' ? spellingOf(known, given) : undefined
    return state === undefined ? [] : [[property, state] as const]
  })
  return spelled.length === 0 ? patch : { ...patch, ...Object.fromEntries(spelled) }
}

/** The custom values with their states as the process spells them. */
export function withFieldSpelling({ states }: Graph, fields: readonly ReadField[]): readonly ReadField[] {
  if (states.size === 0) return fields
  return fields.map(each => {
    const { field, value } = each
    const known = states.get(field.id)
    const state = known && typeof value.shown === 'string' ? spellingOf(known, value.shown) : undefined
    const spelled = state === undefined ? undefined : readFieldValue(field, state)
    return spelled && !isValueFault(spelled) ? { field, value: spelled } : each
  })
}

/** The only state that the word can mean; undefined if it is one already, or if none or several are possible. */
function spellingOf(states: States, word: string): string | undefined {
  if (states.has(word)) return undefined
  const wanted = folded(word.trim())
  const meant = [...states.keys()].filter(each => folded(each.trim()) === wanted)
  return meant.length === 1 ? meant[0] : undefined
}

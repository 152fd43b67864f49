import type { ListedChange } from '@gantry/sdk'
import { say } from './messages.ts'
import { countedNoun } from './nouns.ts'

/** The most parts and properties that a summary names. */
const maxParts = 3
const maxProperties = 4

/** What a change set did, in the language of the person: `12 items changed: Status, Priority; 1 label created`. */
export function summaryText(
  { parts, undoes, exact }: Pick<ListedChange, 'parts' | 'undoes' | 'exact'>,
  nameOf: (property: string) => string,
): string {
  const texts = parts.slice(0, maxParts).map(({ entity, verb, records, properties }) => {
    // Properties of other kinds have no names that people know.
    const known = entity === 'Item' ? properties.map(each => (each === 'Field' ? say.fields : nameOf(each))) : []
    const names = known.filter((name, at) => name !== properties[at])
    const shown = [...new Set(names)].slice(0, maxProperties)
    const what = shown.length > 0 ? `: ${shown.join(', ')}${names.length > maxProperties ? ', …' : ''}` : ''
    return `${exact ? '' : say.atLeast}${countedNoun(entity, records)} ${say.verbs(verb)}${what}`
  })
  if (parts.length > maxParts) texts.push(say.andMore)
  return `${undoes ? say.undoOf : ''}${texts.join('; ')}`
}

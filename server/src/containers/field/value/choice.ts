import { folded, type Option, wayTo } from '../field-option.ts'
import type { FieldRules, FieldValue, ValueFault } from './value-types.ts'

export function readSelect(field: FieldRules, given: unknown): FieldValue | ValueFault {
  const option = offered(field.options, given)
  return 'code' in option ? option : { shown: option.id, rows: [{ text: option.id ?? '' }], references: [] }
}

export function readMultiSelect(field: FieldRules, given: unknown): FieldValue | ValueFault {
  const ids = new Set<string>()
  for (const each of Array.isArray(given) ? given : [given]) {
    const option = offered(field.options, each)
    if ('code' in option) return option
    ids.add(option.id ?? '')
  }
  if (ids.size === 0) return { shown: null, rows: [], references: [] }
  return { shown: [...ids], rows: [...ids].map(text => ({ text })), references: [] }
}

/**
 * Reads a path in the tree of options, starting at a root. Each step is searched below the previous one, so the same
 * label may occur in two branches; a single option is completed to its path.
 */
export function readCascade({ options }: FieldRules, given: unknown): FieldValue | ValueFault {
  if (Array.isArray(given) && given.length === 0) return { shown: null, rows: [], references: [] }
  const way: string[] = []
  if (Array.isArray(given)) {
    for (const step of given) {
      const below = options.filter(each => (each.parentId ?? '') === (way.at(-1) ?? ''))
      const option = offered(below, step)
      if ('code' in option) return option
      way.push(option.id ?? '')
    }
  } else {
    const option = offered(options, given)
    if ('code' in option) return option
    way.push(...wayTo(options, option).map(each => each.id ?? ''))
  }
  return { shown: way, rows: way.map(text => ({ text })), references: [] }
}

/**
 * Finds an option by its id, else by its label, because users and importers know labels only. An inactive option takes
 * no new values.
 */
function offered(options: readonly Option[], given: unknown): Option | ValueFault {
  const word = typeof given === 'number' ? String(given) : given
  if (typeof word !== 'string') return { code: 'type', message: 'must be the id or the label of an option' }
  const wanted = folded(word)
  const option = options.find(each => each.id === word) ?? options.find(each => folded(each.label ?? '') === wanted)
  if (option?.id === undefined) {
    const labels = options.slice(0, 20).map(each => each.label)
    return {
      code: 'option',
      message: labels.length > 0 ? `must be one of ${labels.join(', ')}` : 'the field has no options',
    }
  }
  if (option.active === false) return { code: 'option-inactive', message: 'is an option that is no longer offered' }
  return option
}

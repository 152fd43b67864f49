import type { Rule } from '../rule-shape.ts'
import { isTimeless } from './evaluate.ts'
import { propertyNamed } from './event-vocabulary.ts'

/**
 * Properties on which nothing else depends: neither who sees the item, nor its place, nor dates, times and other items that
 * follow from it.
 */
const inert = new Set(['priority', 'severity', 'title', 'description'])

/** Those of every record, which every change writes. */
const ofEveryChange = new Set(['updated', 'updatedBy', 'version'])

/**
 * Whether a rule still matches, or still does not, after these properties of its item changed: its conditions read other properties of the
 * item or of the event. Conditions on anything else (links, clocks, custom fields, the time) may have another result.
 */
export function keepsVerdict(rule: Pick<Rule, 'conditionGroup'>, changed: ReadonlySet<string> | undefined): boolean {
  if (!changed || ![...changed].every(each => inert.has(each) || ofEveryChange.has(each))) return false
  if (!isTimeless(rule)) return false
  return rule.conditionGroup.every(({ condition }) =>
    condition.every(({ leftSide }) => {
      const property = propertyNamed(leftSide)
      return property !== undefined && !changed.has(property)
    }),
  )
}

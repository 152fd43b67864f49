import { customName } from '../../containers/board/board.ts'
import { RuleBroken } from '../../kernel/refusal.ts'
import { type ConditionGroups, check, type Vocabulary } from '../../language/conditions/conditions.ts'

/** Refuses a stored question, of a board or a filter, with conditions or fields that have no value for an earlier moment. */
export function refuseUntold(vocabulary: Vocabulary, groups: ConditionGroups, fields: readonly string[] = []): void {
  const conditions = check(groups, vocabulary).filter(each => each.code === 'not-in-past')
  const named = fields.filter(field => {
    const names = [field, `field.${customName(field)}`]
    return field !== '' && !names.some(vocabulary.resolve) && names.some(each => vocabulary.unavailable?.(each))
  })
  const [path] = [...conditions.map(each => `conditionGroup${each.path}`), ...named]
  if (path !== undefined)
    throw new RuleBroken('not-in-past', `the log does not tell for an earlier moment what is asked for: ${path}`)
}

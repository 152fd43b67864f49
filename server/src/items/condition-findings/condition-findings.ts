import type { ConditionPlace } from '../../containers/criteria.ts'
import { conditionsOutOfSight } from '../../containers/fields-shown.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import type { Finding } from '../../kernel/record/record.ts'
import { type ConditionGroups, check, type Vocabulary } from '../../language/conditions/conditions.ts'
import { itemVocabulary } from '../vocabulary/vocabulary.ts'
import { type PlacedCondition, valueFindings } from './value-findings.ts'

/** Findings for conditions that can never hold: on fields that no container has, or with values that nothing has. */
export async function conditionFindings(
  ctx: Context,
  groups: ConditionGroups,
  { containerIds = [], at = '/conditionGroup' }: ConditionPlace = {},
): Promise<Finding[]> {
  if (groups.length === 0) return []
  const found = check(groups, await itemVocabularyOnce(ctx)).map(each => ({ ...each, path: `${at}${each.path}` }))
  const outOfSight = containerIds.length > 0 ? await conditionsOutOfSight(ctx, containerIds, groups, at) : []
  const readable = placed(groups, at).filter(({ path }) => !found.some(each => isSameCondition(each.path, path)))
  return [
    ...found,
    ...outOfSight.filter(({ path }) => !found.some(each => each.path === path)),
    ...(await valueFindings(ctx, readable, containerIds)),
  ]
}

function placed(groups: ConditionGroups, at: string): PlacedCondition[] {
  return groups.flatMap(({ condition }, g) =>
    condition.map(({ leftSide, operator, rightSide = '' }, c) => ({
      leftSide,
      operator,
      rightSide,
      path: `${at}/${g}/condition/${c}/rightSide`,
    })),
  )
}

const conditionOf = (path: string) => path.slice(0, path.lastIndexOf('/'))
const isSameCondition = (one: string, other: string) => conditionOf(one) === conditionOf(other)

/**
 * Like conditionFindings, for rules: their conditions may also use the paths of the event (`change`, `actor`, `clock`,
 * `mail`).
 */
export async function eventConditionFindings(
  ctx: Context,
  groups: ConditionGroups,
  containerIds: readonly Id[] = [],
): Promise<Finding[]> {
  const found = await conditionFindings(ctx, groups, { containerIds })
  return found.filter(({ path, code }) => {
    const [, , g, , c] = path.split('/')
    const leftSide = groups[Number(g)]?.condition[Number(c)]?.leftSide ?? ''
    return code !== 'event-only' && !(code === 'unknown-path' && /^(change|actor|clock|mail)\./i.test(leftSide))
  })
}

// A list computes findings for every record, so the vocabulary is loaded once per context.
const known = new WeakMap<Context, Promise<Vocabulary>>()

function itemVocabularyOnce(ctx: Context): Promise<Vocabulary> {
  const vocabulary = known.get(ctx) ?? itemVocabulary(ctx)
  known.set(ctx, vocabulary)
  return vocabulary
}

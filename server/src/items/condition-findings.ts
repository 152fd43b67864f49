import { conditionsOutOfSight } from '../containers/fields-shown.ts'
import type { Context } from '../kernel/context.ts'
import type { Id } from '../kernel/id.ts'
import type { Finding } from '../kernel/record/record.ts'
import { type ConditionGroups, check, type Vocabulary } from '../language/conditions/conditions.ts'
import { itemVocabulary } from './vocabulary/vocabulary.ts'

/** Findings for conditions that can never hold, or that use a field which no container has any more. */
export async function conditionFindings(
  ctx: Context,
  groups: ConditionGroups,
  containerIds: readonly Id[] = [],
): Promise<Finding[]> {
  if (groups.length === 0) return []
  const at = '/conditionGroup'
  const found = check(groups, await itemVocabularyOnce(ctx)).map(each => ({ ...each, path: `${at}${each.path}` }))
  if (containerIds.length === 0) return found
  const outOfSight = await conditionsOutOfSight(ctx, containerIds, groups, at)
  return [...found, ...outOfSight.filter(({ path }) => !found.some(each => each.path === path))]
}

/**
 * Like conditionFindings, for rules: their conditions may also use the paths of the event (`change`, `actor`, `clock`,
 * `mail`).
 */
export async function eventConditionFindings(
  ctx: Context,
  groups: ConditionGroups,
  containerIds: readonly Id[] = [],
): Promise<Finding[]> {
  const found = await conditionFindings(ctx, groups, containerIds)
  return found.filter(({ path, code }) => {
    const [, , g, , c] = path.split('/')
    const leftSide = groups[Number(g)]?.condition[Number(c)]?.leftSide ?? ''
    return code !== 'event-only' && !(code === 'unknown-path' && /^(change|actor|clock|mail)\./i.test(leftSide))
  })
}

// A list computes findings for every record, so the vocabulary is loaded once per context.
const known = new WeakMap<Context, Promise<Vocabulary>>()

export function itemVocabularyOnce(ctx: Context): Promise<Vocabulary> {
  const vocabulary = known.get(ctx) ?? itemVocabulary(ctx)
  known.set(ctx, vocabulary)
  return vocabulary
}

import { conditionsOutOfSight } from '../containers/fields-shown.ts'
import type { Context } from '../kernel/context.ts'
import type { Id } from '../kernel/id.ts'
import type { Finding } from '../kernel/record.ts'
import { type ConditionGroups, check, type Vocabulary } from '../language/conditions/conditions.ts'
import { itemVocabulary } from './vocabulary/vocabulary.ts'

/** What of the conditions of a rule or a notification can never hold, or asks for a field that left all its containers. */
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

/** A rule has an event at hand, and so more to ask: what changed, who did it, the mail or the clock it came from. */
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

// A list asks for each of its records: the fields of the tenant are read once for all of them.
const known = new WeakMap<Context, Promise<Vocabulary>>()

export function itemVocabularyOnce(ctx: Context): Promise<Vocabulary> {
  const vocabulary = known.get(ctx) ?? itemVocabulary(ctx)
  known.set(ctx, vocabulary)
  return vocabulary
}

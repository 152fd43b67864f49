import { type ClockAmounts, clockAmounts } from '../../../clocks/item-clock/item-clock.ts'
import type { Context } from '../../../kernel/context.ts'
import { sql } from '../../../kernel/sql.ts'
import type { Path } from '../../../language/conditions/conditions.ts'
import type { Rule } from '../rule-shape.ts'
import type { Occurrence } from './occurrence.ts'

// `clock.<id>.elapsed` and `clock.<id>.remaining` change with every second, so nothing is kept of them that lists could
// be searched by. A rule asks about one item at one moment: there they are counted, if it does.

const named = /^\s*clock\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(elapsed|remaining)\s*$/i

/** Where the occurrence (`e`) has what such a path names. */
export function amountPath(path: string): Path | undefined {
  const [, clockId = '', which = ''] = named.exec(path.toLowerCase()) ?? []
  if (clockId === '') return undefined
  return { kind: 'duration', value: sql`(e.clocks #>> ${[clockId, which]}::text[])::numeric` }
}

/** What the items of occurrences have used and have left, if one of these paths asks for it; else it costs nothing. */
export async function amountsFor(
  ctx: Context,
  paths: readonly string[],
  occurrences: readonly Occurrence[],
): Promise<{ clocks?: Record<string, ClockAmounts> }[]> {
  const ids = [...new Set(occurrences.flatMap(({ itemId }) => itemId ?? []))]
  if (ids.length === 0 || !paths.some(path => named.test(path))) return occurrences.map(() => ({}))
  const amounts = await clockAmounts(ctx, ids)
  return occurrences.map(({ itemId }) => ({ clocks: amounts.get(itemId ?? '') ?? {} }))
}

/** All paths that the conditions of rules name. */
export function pathsOf(rules: readonly Pick<Rule, 'conditionGroup'>[]): string[] {
  return rules.flatMap(({ conditionGroup }) =>
    conditionGroup.flatMap(({ condition }) => condition.map(each => each.leftSide)),
  )
}

const isAmong = 12
const running = '[1, 2, 3, 4]'

/** For a search among all items: those that run on such a clock at all. How much it is, each is asked by itself. */
export function withoutAmounts(rule: Rule): Rule {
  if (!pathsOf([rule]).some(path => named.test(path))) return rule
  const conditionGroup = rule.conditionGroup.map(group => ({
    ...group,
    condition: group.condition.map(each => {
      const [, clockId = ''] = named.exec(each.leftSide) ?? []
      return clockId === ''
        ? each
        : { ...each, leftSide: `clock.${clockId}.state`, operator: isAmong, rightSide: running }
    }),
  }))
  return { ...rule, conditionGroup }
}

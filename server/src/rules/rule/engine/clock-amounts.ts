import { type ClockAmounts, clockAmounts, clockState } from '../../../clocks/item-clock/item-clock.ts'
import type { Context } from '../../../kernel/context.ts'
import { sql } from '../../../kernel/sql.ts'
import { operatorNames, type Path } from '../../../language/conditions/conditions.ts'
import type { Rule } from '../rule-shape.ts'
import type { Occurrence } from './occurrence.ts'

// `clock.<id>.elapsed` and `clock.<id>.remaining` change with time, so they are not stored and lists cannot be searched by
// them. A rule evaluates one item at one moment, so they are computed for it, if a condition names them.

const named = /^\s*clock\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(elapsed|remaining)\s*$/i

/** Returns the value of such a path in the occurrence (`e`), or undefined for another path. */
export function amountPath(path: string): Path | undefined {
  const [, clockId = '', which = ''] = named.exec(path.toLowerCase()) ?? []
  if (clockId === '') return undefined
  return { kind: 'duration', value: sql`(e.clocks #>> ${[clockId, which]}::text[])::numeric` }
}

/** Whether a condition of the rule needs such an amount. */
export const comparesAmounts = (rule: Pick<Rule, 'conditionGroup'>) => pathsOf([rule]).some(path => named.test(path))

/** Computes the elapsed and remaining times of the items; without a query if none of the paths needs them. */
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

/** Returns all paths in the conditions of the rules. */
export function pathsOf(rules: readonly Pick<Rule, 'conditionGroup'>[]): string[] {
  return rules.flatMap(({ conditionGroup }) =>
    conditionGroup.flatMap(({ condition }) => condition.map(each => each.leftSide)),
  )
}

const isIn = operatorNames.indexOf('in')
const { green, amber, red, paused } = clockState
const activeStates = JSON.stringify([green, amber, red, paused])

/** Replaces conditions on amounts, which SQL cannot search, by the condition that the clock runs; the pass evaluates the amounts. */
export function withoutAmounts(rule: Rule): Rule {
  if (!pathsOf([rule]).some(path => named.test(path))) return rule
  const conditionGroup = rule.conditionGroup.map(group => ({
    ...group,
    condition: group.condition.map(each => {
      const [, clockId = ''] = named.exec(each.leftSide) ?? []
      return clockId === ''
        ? each
        : { ...each, leftSide: `clock.${clockId}.state`, operator: isIn, rightSide: activeStates }
    }),
  }))
  return { ...rule, conditionGroup }
}

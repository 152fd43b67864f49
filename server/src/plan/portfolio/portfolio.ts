import { containerHealth } from '../../containers/container-health.ts'
import type { ContainerBudgetUse } from '../../finance/budget/budget.ts'
import type { Id } from '../../kernel/id.ts'
import { formatDecimal } from '../../language/decimal.ts'

/** The work of a container, as far as the caller sees it: items without children, so that nothing counts twice. */
export interface Work {
  /** Without cancelled ones. */
  items: number
  done: number
  overdue: number
  /** The sum of the progress of each item, from 0 to 1. */
  progressed: number
  estimateMinutes: number
  remainingMinutes: number
  /** The estimates, each times the progress of its item. */
  progressedMinutes: number
  firstStart: string | null
  lastDue: string | null
}

export interface PortfolioContainer {
  id: Id
  startDate: string | null
  dueDate: string | null
  health: number
}

/** Progress from 0 to 1, weighted by the estimates; by the number of items where none is estimated; null without items. */
export function progressOf({ items, progressed, estimateMinutes, progressedMinutes }: Work): {
  progress: number | null
  progressBy: 'estimate' | 'count'
} {
  const [part, whole, progressBy] =
    estimateMinutes > 0
      ? ([progressedMinutes, estimateMinutes, 'estimate'] as const)
      : ([progressed, items, 'count'] as const)
  return { progress: whole > 0 ? Math.round((part / whole) * 10_000) / 10_000 : null, progressBy }
}

export const noWork: Work = {
  items: 0,
  done: 0,
  overdue: 0,
  progressed: 0,
  estimateMinutes: 0,
  remainingMinutes: 0,
  progressedMinutes: 0,
  firstStart: null,
  lastDue: null,
}

/** The work of several containers together. */
export function sumOf(all: readonly Work[]): Work {
  return all.reduce(
    (sum, each) => ({
      items: sum.items + each.items,
      done: sum.done + each.done,
      overdue: sum.overdue + each.overdue,
      progressed: sum.progressed + each.progressed,
      estimateMinutes: sum.estimateMinutes + each.estimateMinutes,
      remainingMinutes: sum.remainingMinutes + each.remainingMinutes,
      progressedMinutes: sum.progressedMinutes + each.progressedMinutes,
      firstStart: earliest([sum.firstStart, each.firstStart]),
      lastDue: latest([sum.lastDue, each.lastDue]),
    }),
    noWork,
  )
}

export const earliest = (dates: readonly (string | null)[]): string | null => dates.filter(isDate).sort()[0] ?? null
export const latest = (dates: readonly (string | null)[]): string | null => dates.filter(isDate).sort().at(-1) ?? null
const isDate = (date: string | null): date is string => date !== null

/** The worst of the known codes of health; null where there is none. */
export function worstHealth(all: readonly PortfolioContainer[]): number | null {
  const known = all.map(each => each.health).filter(each => Object.values<number>(containerHealth).includes(each))
  return known.length > 0 ? Math.max(...known) : null
}

/** The sums of budgets that count the same: minutes, costs, or values in one currency. */
export function budgetSums(all: readonly ContainerBudgetUse[]) {
  const same = Map.groupBy(all, ({ unit, currency }) => `${unit} ${currency}`)
  return [...same.values()].flatMap(group => {
    const [first] = group
    if (!first) return []
    const current = group.reduce((sum, each) => sum + each.current, 0n)
    const actual = group.reduce((sum, each) => sum + each.actual, 0n)
    return [{ unit: first.unit, currency: first.currency, budgets: group.length, ...amounts(current, actual) }]
  })
}

export function amounts(current: bigint, actual: bigint) {
  return { current: formatDecimal(current), actual: formatDecimal(actual), left: formatDecimal(current - actual) }
}

import { statusCategory } from '../containers/status-category.ts'
import { own } from '../kernel/own.ts'
import { raw, type Sql } from '../kernel/sql.ts'
import type { Item } from './item/item.ts'
import type { ItemPatch } from './item-body/item-body.ts'

export { statusCategory } from '../containers/status-category.ts'

type Category = number

/** The category of a status whose process does not define one. */
const words: Record<string, Category> = {
  backlog: statusCategory.backlog,
  new: statusCategory.unstarted,
  open: statusCategory.unstarted,
  todo: statusCategory.unstarted,
  'to do': statusCategory.unstarted,
  started: statusCategory.started,
  doing: statusCategory.started,
  'in progress': statusCategory.started,
  'in review': statusCategory.started,
  waiting: statusCategory.waiting,
  pending: statusCategory.waiting,
  'on hold': statusCategory.waiting,
  blocked: statusCategory.waiting,
  done: statusCategory.done,
  closed: statusCategory.done,
  resolved: statusCategory.done,
  completed: statusCategory.done,
  fixed: statusCategory.done,
  cancelled: statusCategory.cancelled,
  canceled: statusCategory.cancelled,
  rejected: statusCategory.cancelled,
  "won't fix": statusCategory.cancelled,
}

export function categoryOf(status: string): Category {
  return own(words, status.trim().toLowerCase().replaceAll(/[_-]/g, ' ')) ?? statusCategory.backlog
}

/** The words that mean this category. */
export function statusWords(category: Category): string[] {
  return Object.keys(words).filter(word => words[word] === category)
}

export function isClosed(category: Category): boolean {
  return category === statusCategory.done || category === statusCategory.cancelled
}

/**
 * The categories of closed items for `status_category not in …`. They are literals, not parameters, because the
 * partial indexes of open items match only the literal text.
 */
export const closedCategories: Sql = raw(`(${statusCategory.done}, ${statusCategory.cancelled})`)

type Closing = Pick<Item, 'statusCategory' | 'closedAt' | 'resolvedAt'>

/** The category and the closing times after a change of status; an explicit category wins, and reopening clears the times. */
export function statusChange(
  now: Date,
  { status, statusCategory: given }: ItemPatch,
  before: Pick<Item, 'status'> & Closing = {
    status: '',
    statusCategory: statusCategory.backlog,
    closedAt: null,
    resolvedAt: null,
  },
  meaningOf: (status: string) => Category = categoryOf,
): Closing {
  const said = status === undefined || status === before.status ? before.statusCategory : meaningOf(status ?? '')
  const category = given ?? said
  if (!isClosed(category)) return { statusCategory: category, closedAt: null, resolvedAt: null }
  const closedAt = before.closedAt ?? now.toISOString()
  return {
    statusCategory: category,
    closedAt,
    resolvedAt: category === statusCategory.done ? (before.resolvedAt ?? closedAt) : null,
  }
}

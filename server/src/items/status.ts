import { own } from '../kernel/own.ts'
import type { Item } from './item/item.ts'
import type { ItemPatch } from './item-body/item-body.ts'

// What a status means for lists and clocks when its process says nothing of it.

/** The codes of `statusCategory`. */
export const statusCategory = { backlog: 0, open: 1, started: 2, waiting: 3, done: 4, cancelled: 5 } as const
type Category = number

const words: Record<string, Category> = {
  backlog: 0,
  new: 1,
  open: 1,
  todo: 1,
  'to do': 1,
  started: 2,
  doing: 2,
  'in progress': 2,
  'in review': 2,
  waiting: 3,
  pending: 3,
  'on hold': 3,
  blocked: 3,
  done: 4,
  closed: 4,
  resolved: 4,
  completed: 4,
  fixed: 4,
  cancelled: 5,
  canceled: 5,
  rejected: 5,
  "won't fix": 5,
}

export function categoryOf(status: string): Category {
  return own(words, status.trim().toLowerCase().replaceAll(/[_-]/g, ' ')) ?? 0
}

/** The words that mean this category. */
export function statusWords(category: Category): string[] {
  return Object.keys(words).filter(word => words[word] === category)
}

export function isClosed(category: Category): boolean {
  return category === statusCategory.done || category === statusCategory.cancelled
}

type Closing = Pick<Item, 'statusCategory' | 'closedAt' | 'resolvedAt'>

/** A status carries its meaning with it, unless the body says another; what is open again is neither closed nor resolved. */
export function statusChange(
  now: Date,
  { status, statusCategory }: ItemPatch,
  before: Pick<Item, 'status'> & Closing = { status: '', statusCategory: 0, closedAt: null, resolvedAt: null },
  meaningOf: (status: string) => Category = categoryOf,
): Closing {
  const said = status === undefined || status === before.status ? before.statusCategory : meaningOf(status ?? '')
  const category = statusCategory ?? said
  if (!isClosed(category)) return { statusCategory: category, closedAt: null, resolvedAt: null }
  const closedAt = before.closedAt ?? now.toISOString()
  return { statusCategory: category, closedAt, resolvedAt: category === 4 ? (before.resolvedAt ?? closedAt) : null }
}

import type { Context } from '../../kernel/context.ts'
import type { Column } from '../../kernel/record/columns.ts'
import { findUnknown, newReferences, type Reference } from '../../kernel/record/references.ts'

/**
 * Returns the record without its references to records that do not exist for this caller, and the references that were
 * left out. Copies use it: what a record refers to may be deleted by now.
 */
export async function withoutUnknown<R extends Record<string, unknown>>(
  ctx: Context,
  columns: readonly Column[],
  record: R,
): Promise<{ record: R; unknown: Reference[] }> {
  const unknown = await findUnknown(ctx, newReferences(columns, record, undefined))
  const ids = new Set(unknown.map(each => each.id))
  const named = new Set(unknown.map(({ path }) => path[0]))
  const entries = Object.entries(record).map(([key, value]) => [key, named.has(key) ? without(value, ids) : value])
  return { record: Object.fromEntries(entries) as R, unknown }
}

function without(value: unknown, ids: ReadonlySet<string>): unknown {
  const isGone = (each: unknown) => typeof each === 'string' && ids.has(each.toLowerCase())
  if (isGone(value)) return ''
  if (Array.isArray(value)) return value.filter(each => !isGone(each)).map(each => without(each, ids))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, without(each, ids)]))
}

import type { AtOnce, PageParts } from '../kernel/record/record-json.ts'
import { flat, join, name, raw, type Sql, sql } from '../kernel/sql.ts'

/** A derived property that is read for all rows of a page at once, because a sub-select in each row costs several times as much. */
export interface PageValue {
  /** The columns of the kind, beside the id, that `select` needs. */
  columns: readonly string[]
  /** Selects `id` and `value` (JSON text) from `page`; each table is compared with the tenant. */
  select: Sql
  /** The JSON text of rows that are not selected. */
  none: string
}

/** Declares the last derived properties of a kind, in their order, as values of a page. */
export function pageValues(values: Record<string, PageValue>): AtOnce {
  const declared = Object.entries(values).map(([property, value]) => ({ property, ...value }))
  const all = partsFor(declared)
  return {
    properties: Object.keys(values),
    wanted(only) {
      const chosen = declared.filter(({ property }) => only?.has(property))
      return only ? (chosen.length > 0 ? partsFor(chosen) : undefined) : all
    },
  }
}

function partsFor(chosen: readonly (PageValue & { property: string })[]): PageParts {
  const columns = new Set(['id', ...chosen.flatMap(each => each.columns)])
  return {
    columns: join([...columns].map(each => sql`t.${name(each)}`)),
    values: join(
      chosen.map(({ property, none }) => raw(`',"${property}":', coalesce("${property}".value, '${none}')`)),
    ),
    joins: flat(
      join(
        chosen.map(
          ({ property, select }) => sql`left join (${select}) ${name(property)} on ${name(property)}.id = page.id`,
        ),
        ' ',
      ),
    ),
  }
}

import type { Context } from '../../kernel/context.ts'
import type { AtOnce, PageParts, PartRow } from '../../kernel/record/record-json.ts'
import { flat, join, name, raw, type Sql, sql } from '../../kernel/sql.ts'

/** A derived property that the service adds to the rows of a page, because a sub-select in each row costs several times as much. */
export interface PageValue {
  /** What it needs of each row `t`, by the names under which it is selected: texts and ids. */
  columns: Readonly<Record<string, Sql>>
  /** Selects one text from `page`; it is selected under the name of the property, in one of the rows. */
  once?: Sql
  /** Reads what is needed for all rows, and returns how the JSON text of each is made. */
  read(ctx: Context, rows: readonly PartRow[]): Promise<(row: PartRow) => string>
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
  const columns = Object.entries({ id: raw('t.id'), ...Object.assign({}, ...chosen.map(each => each.columns)) })
  const onces = chosen.flatMap(({ property, once }) =>
    once ? [sql`case when page.id = (select page.id from page limit 1) then (${once}) end as ${name(property)}`] : [],
  )
  return {
    columns: flat(join(columns.map(([named, value]) => sql`${value} as ${name(named)}`))),
    selected: flat(join([...columns.map(([named]) => sql`page.${name(named)}`), ...onces])),
    async ends(ctx, rows) {
      const members: { lead: string; text: (row: PartRow) => string }[] = []
      for (const { property, read } of chosen) members.push({ lead: `,"${property}":`, text: await read(ctx, rows) })
      return rows.map(row => {
        let end = ''
        for (const { lead, text } of members) end += lead + text(row)
        return `${end}}`
      })
    },
  }
}

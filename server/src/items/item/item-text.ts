import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { raw, type Sql, sql } from '../../kernel/sql.ts'
import { items } from './item.ts'

/** An item as it is selected, with the minutes and the JSON texts of its time entries. */
export interface ItemWithTimes {
  id: Id
  json: string
  minutes: number
  times: string | null
}

/**
 * Items with their time entries, as JSON text: what is selected of an item `t` whose entries `e` have `minutes` and `times`, and how
 * the service completes the texts. Where a tenant has computed fields, the database writes the whole text.
 */
export async function itemText(ctx: Context) {
  const parts = await items.inParts(ctx)
  const text: Sql = parts
    ? sql`${parts.head} as json, ${parts.columns}`
    : sql`${await items.jsonFor(ctx, raw('t'), undefined, { spentMinutes: raw('e.minutes') })} as json, t.id`

  async function complete(rows: readonly ItemWithTimes[]): Promise<string[]> {
    const spentMinutes = JSON.stringify(Object.fromEntries(rows.map(({ id, minutes }) => [id, minutes])))
    const partRows = rows.map(row => ({ ...row, spentMinutes }))
    const ends = await parts?.ends(ctx, partRows)
    return rows.map(({ json, times }, i) => `${`${json}${ends?.[i] ?? ''}`.slice(0, -1)},"Time":[${times ?? ''}]}`)
  }

  return { selected: sql`${text}, e.minutes, e.times`, complete }
}

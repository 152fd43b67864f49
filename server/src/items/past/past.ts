import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import type { Kind } from '../../kernel/kinds.ts'
import { countRows } from '../../kernel/list/count.ts'
import type { Listing } from '../../kernel/list/listing.ts'
import { fault, Invalid, RuleBroken } from '../../kernel/refusal.ts'
import { and, nothing, ownTenant, raw, type Sql, sql } from '../../kernel/sql.ts'
import { rowsAt } from '../../records/history/past.ts'
import { minutesSpentAt } from '../../time/minutes-spent-at.ts'
import { items, visibleItems } from '../item/item.ts'

export { pastVocabulary } from './past-vocabulary.ts'
export { refuseUntold } from './refuse-untold.ts'

// Items as they were at a moment. The caller sees those that they may see now, whatever was allowed then.

/** The most items that a question about the past looks at. */
const maxItems = 20_000

/** The most items of a list without pages. */
const maxUnpaged = 1000

/** The items that the caller may see now and that fulfil a condition on the present rows (`p`), as they were at a moment. */
export function itemsAt(ctx: Context, at: Date, among: Sql): Sql {
  return rowsAt(items, at, and([visibleItems(ctx.caller, raw('p')), among]), 'fields')
}

/**
 * The items that were in one of these containers, or in any; refused if it has to look at too many. Those that have left since an
 * earlier moment can be included, and those that fulfil a condition on the present rows (`p`) be chosen.
 */
export async function itemsOfContainersAt(
  ctx: Context,
  at: Date,
  containerIds: readonly Id[] | undefined,
  since = at,
  only: Sql = raw('true'),
): Promise<Sql> {
  const among = and([only, containerIds ? inContainersAt(raw('p'), containerIds, since) : raw('true')])
  const [found] = await ctx.sql<{ count: number }>`select count(*)::int as count from (select 1 from item p
    where p.tenant_id = ${ctx.caller.tenantId} and ${visibleItems(ctx.caller, raw('p'))} and ${among} limit ${maxItems + 1}) c`
  if ((found?.count ?? 0) > maxItems)
    throw new RuleBroken('too-large', `more than ${maxItems} items; name fewer containers`, [
      fault(['asOf'], 'too-large', `more than ${maxItems} items would have to be read; name fewer containers`),
    ])
  return itemsAt(ctx, at, among)
}

/** The condition for items that are in one of the containers, or have left one after the moment; their stays tell which. */
export function inContainersAt(p: Sql, containerIds: readonly Id[], at: Date | undefined): Sql {
  const left = at
    ? sql`union select s.item_id from item_stay s where s.tenant_id = ${ownTenant} and s.container_id = any(${containerIds}::uuid[]) and s.to_at > ${at}`
    : nothing
  return sql`${p}.id = any(array(select i.id from item i where i.tenant_id = ${ownTenant} and i.container_id = any(${containerIds}::uuid[]) ${left}))`
}

/** The kind of the rows of the past: they are chosen by the rights of now, and computed fields are not shown. */
export function itemsAsOf(at: Date): Kind {
  const { counted: _ofPresentRows, ...kind } = items
  return {
    ...kind,
    sparse: [],
    visible: () => raw('true'),
    ofTenant: async () => undefined,
    inParts: async () => undefined,
    jsonFor: async (_ctx, t, only, also) =>
      items.json(t, only, !only || only.has('spentMinutes') ? { ...also, spentMinutes: minutesSpentAt(t, at) } : also),
  }
}

/** Refuses a long list without pages: it is sent in parts, each of which would read the past anew. */
export async function refuseUnpaged(ctx: Context, listing: Listing): Promise<void> {
  if (listing.limit !== undefined || (await countRows(ctx, listing)) <= maxUnpaged) return
  throw new RuleBroken('too-many-records', `there are more than ${maxUnpaged} records: page through them with limit`)
}

/** Refuses parts of a request that only the present can answer. */
export function refuseOfPresent(given: Record<string, unknown>): void {
  const faults = Object.entries(given)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => fault([name], 'not-in-past', 'cannot be used together with asOf', value))
  if (faults.length > 0) throw new Invalid(faults)
}

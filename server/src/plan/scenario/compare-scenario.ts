import { items } from '../../items/item/item.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { raw } from '../../kernel/sql.ts'
import { formatDecimal, unitsOf } from '../../language/decimal.ts'
import { storedRows } from '../../records/row-source.ts'
import { loadRows } from '../load/load.ts'
import { type ScenarioChange, visibleChanges } from './scenario-change.ts'
import { scenarioRows } from './scenario-rows.ts'

const compared = ['capacity', 'firm', 'tentative', 'leave', 'free', 'over'] as const

type LoadRow = Awaited<ReturnType<typeof loadRows>>[number]
type Bucket = LoadRow['buckets'][number]

/** What a scenario changes for people and items. */
export async function compareScenario(ctx: Context, scenarioId: Id, query: Record<string, unknown>) {
  const wanted = { ...query, groupBy: 'user' }
  const before = await loadRows(ctx, wanted, storedRows)
  const after = await loadRows(ctx, wanted, scenarioRows(scenarioId))
  return {
    load: changedRows(before, after),
    over: { from: overOf(before), to: overOf(after) },
    ...amounts(before, after),
    dates: await changedItems(ctx, await visibleChanges(ctx, scenarioId)),
  }
}

const overOf = (rows: readonly LoadRow[]) =>
  rows.flatMap(each => each.buckets).reduce((sum, { over }) => sum + (over ?? 0), 0)

/** What all firm work costs and is sold for, before and after; the rows have the amounts that the caller may read. */
function amounts(before: readonly LoadRow[], after: readonly LoadRow[]) {
  const [from, to] = [sumsOf(before), sumsOf(after)]
  const currencies = [...new Set([...from.value.keys(), ...to.value.keys()])].sort()
  const both = (was = 0n, is = 0n) => ({ from: formatDecimal(was), to: formatDecimal(is) })
  const [first] = [...before, ...after].flatMap(row => row.buckets)
  return {
    ...(first?.cost === undefined ? {} : { cost: both(from.cost, to.cost) }),
    ...(first?.value === undefined
      ? {}
      : {
          value: currencies.map(currency => ({ currency, ...both(from.value.get(currency), to.value.get(currency)) })),
        }),
  }
}

function sumsOf(rows: readonly LoadRow[]) {
  const value = new Map<string, bigint>()
  let cost = 0n
  for (const bucket of rows.flatMap(row => row.buckets)) {
    cost += unitsOf(bucket.cost ?? '0')
    for (const { currency, amount } of bucket.value ?? [])
      value.set(currency, (value.get(currency) ?? 0n) + unitsOf(amount))
  }
  return { cost, value }
}

/** The rows and buckets that differ, with both values of what does. */
function changedRows(before: readonly LoadRow[], after: readonly LoadRow[]) {
  const was = new Map(before.map(row => [row.key, new Map(row.buckets.map(each => [each.from, each]))]))
  const is = new Map(after.map(row => [row.key, row]))
  const gone = before.filter(row => !is.has(row.key)).map(row => ({ ...row, buckets: [] }))
  return [...after, ...gone].flatMap(({ key, name, buckets }) => {
    const earlier = was.get(key) ?? new Map<string, Bucket>()
    const later = new Map(buckets.map(each => [each.from, each]))
    const changed = [...new Set([...earlier.keys(), ...later.keys()])].sort().flatMap(from => {
      const changes = changesIn(earlier.get(from), later.get(from))
      return Object.keys(changes).length > 0 ? [{ from, changes }] : []
    })
    return changed.length > 0 ? [{ key, name, buckets: changed }] : []
  })
}

function changesIn(before: Bucket | undefined, after: Bucket | undefined) {
  return Object.fromEntries(
    compared.flatMap(property => {
      const [from, to] = [before?.[property] ?? 0, after?.[property] ?? 0]
      return from === to ? [] : [[property, { from, to }]]
    }),
  )
}

/** The items whose dates, work or assignees the scenario changes, as far as the caller sees them. */
async function changedItems(ctx: Context, changes: readonly ScenarioChange[]) {
  const ofItems = new Map(changes.filter(each => each.entity === 'Item').map(each => [each.recordId, each]))
  const rows = await ctx.sql<{ id: Id; json: string }>`select t.id, ${items.json(raw('t'))} as json from item t
    where t.tenant_id = ${ctx.caller.tenantId} and t.id = any(${[...ofItems.keys()]}::uuid[]) and not t.deleted and ${items.visible(ctx.caller, raw('t'))} order by t.id`
  return rows.map(({ id, json }) => {
    const item: Record<string, unknown> = JSON.parse(json)
    const proposed = Object.entries(ofItems.get(id)?.proposed ?? {})
    const differing = proposed.filter(([property, to]) => JSON.stringify(item[property]) !== JSON.stringify(to))
    return {
      entity: 'Item',
      id,
      key: item.key,
      title: item.title,
      changes: Object.fromEntries(differing.map(([property, to]) => [property, { from: item[property], to }])),
    }
  })
}

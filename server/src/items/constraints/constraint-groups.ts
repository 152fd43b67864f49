import { isDeepStrictEqual } from 'node:util'
import { type Constraint, type Demand, limitOf } from '../../containers/constraint/constraint.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { own } from '../../kernel/own.ts'
import { nothing, ownTenant, raw, type Sql, sql } from '../../kernel/sql.ts'
import { closedCategories, isClosed } from '../status.ts'
import type { ItemChange } from '../validation/item-change.ts'
import { type DemandContext, kindOf, pathOf, valueIn } from './constraint-demands.ts'

// Demands on groups of items: unique values and limits. Concurrent transactions do not see each other's items, so each
// transaction locks the names of the groups that its items enter until it commits, and counts after it has the locks.

/** How the items (`t`) of a constraint form groups, and how many items a group may have. */
interface Grouping {
  /** Gives each item the names of its groups: `, lateral (…) g(name)`. */
  names: Sql
  max: number
  open: boolean
  /** Restricts the search to items that could be in the same group, if an index can find them. */
  near?: (tenantId: Id, ids: readonly Id[]) => Sql
}

/** Undefined if the demand is of another kind or cannot be read. */
export function groupingOf(demand: Demand, context: DemandContext): Grouping | undefined {
  if (kindOf(demand) === 'unique') return uniqueness(demand, context)
  if (kindOf(demand) === 'limit') return limit(demand, context)
  return undefined
}

const among: Record<string, Sql> = {
  container: sql`t.container_id::text`,
  process: sql`t.process_id::text`,
  area: sql`t.area_id::text`,
  crm: sql`t.crm_id::text`,
  parent: sql`t.parent_id::text`,
}

/** A value is unique among all items in the scope of the constraint, or in each container, process … of it. */
function uniqueness(demand: Demand, context: DemandContext): Grouping | undefined {
  const path = pathOf(demand.field, context)
  if (!path || path.kind === 'set') {
    const field = context.fieldOf(demand.field)
    if (field?.fieldType !== 'select') return undefined
  }
  const field = context.fieldOf(demand.field)
  const value = field ? sql`(t.fields ->> ${field.id}::text)` : path && path.kind !== 'set' ? path.value : raw('null')
  const scope = own(among, wordIn(demand.value, 'scope')) ?? raw("''")
  const key = sql`coalesce(${scope}, '') || '/' || fold((${value})::text)`
  const typed = field && own(typedColumns, field.fieldType)
  return {
    names: sql`, lateral (select ${key} where coalesce((${value})::text, '') <> '') g(name)`,
    max: 1,
    open: false,
    ...(field && typed
      ? {
          near: (tenantId, ids) => sql`and t.id in (select o.item_id from item_value m
            join item_value o on o.tenant_id = ${ownTenant} and o.field_id = m.field_id and o.${raw(typed)} = m.${raw(typed)}
            where m.tenant_id = ${tenantId} and m.field_id = ${field.id}::uuid and m.item_id = any(${ids}::uuid[]))`,
        }
      : {}),
  }
}

/** The indexed column of `item_value` that holds the values of each field type. */
const typedColumns: Record<string, string> = {
  text: 'text_value',
  longText: 'text_value',
  url: 'text_value',
  select: 'text_value',
  number: 'number_value',
  time: 'number_value',
  date: 'date_value',
  dateTime: 'instant_value',
  user: 'id_value',
}

/** A limit on open items: in a status, of an assignee, or in total. */
function limit(demand: Demand, context: DemandContext): Grouping | undefined {
  const max = limitOf(demand.value)
  if (max === undefined) return undefined
  const by = groupedBy(demand)
  const path = by === '' ? undefined : pathOf(by, context)
  if (by !== '' && !path) return undefined
  const names = !path
    ? raw(", lateral (select '') g(name)")
    : path.kind === 'set'
      ? sql`, lateral (select distinct fold(e.value::text) from (${path.elements}) e(value)) g(name)`
      : sql`, lateral (select coalesce(fold((${path.value})::text), '')) g(name)`
  return { names, max, open: true }
}

const groupedBy = ({ field, value }: Demand) => wordIn(value, 'by') || field.trim()

/** `"container"` and `{"scope": "container"}` are equivalent. */
function wordIn(value: unknown, property: string): string {
  const word = value !== null && typeof value === 'object' ? Reflect.get(value, property) : value
  return typeof word === 'string' && !/^\d+$/.test(word) ? word.trim() : ''
}

/** The condition that item `t` is in a group over its limit; used by dry runs, which write nothing. */
export function exceedsGroup({ names, max, open }: Grouping, about: Sql): Sql {
  return sql`t.id in (select c.id from (
      select t.id, count(*) over (partition by g.name) as n from item t ${names} where ${about} ${open ? isOpen : nothing}) c where c.n > ${max})`
}

const isOpen = sql`and t.status_category not in ${closedCategories}`

/** The items that exceed the limit of the group they enter: the last ones in the order of the change. */
export async function excessItems(
  ctx: Context,
  { constraint, index, demand, grouping, about }: GroupDemand,
  changes: readonly ItemChange[],
): Promise<Id[]> {
  const entering = changes.filter(each => enters(demand, constraint, each))
  if (entering.length === 0) return []
  const { names, max, near } = grouping
  const ids = entering.map(each => each.after.id)
  const open = grouping.open ? isOpen : nothing
  const claims = await ctx.sql<{ id: Id; name: string }>`select t.id, g.name from item t ${names}
    where ${about} ${open} and t.id = any(${ids}::uuid[])`
  if (claims.length === 0) return []
  const wanted = [...new Set(claims.map(each => each.name))].sort()
  const locks = wanted.map(each => `${ctx.caller.tenantId} ${constraint.id} ${index} ${each}`)
  await ctx.sql`select pg_advisory_xact_lock(hashtextextended(l.name, 0)) from unnest(${locks}::text[]) with ordinality l(name, n) order by l.n`
  // A separate statement, so that it sees what the previous holders of the locks committed.
  const counts = await ctx.sql<{
    name: string
    count: number
  }>`select g.name, count(*)::int as count from item t ${names}
    where ${about} ${open} ${near?.(ctx.caller.tenantId, ids) ?? nothing} and g.name = any(${wanted}::text[]) group by g.name`
  const place = new Map(ids.map((id, i) => [id, i]))
  return counts.flatMap(({ name, count }) => {
    const here = claims.filter(each => each.name === name).map(each => each.id)
    here.sort((a, b) => (place.get(a) ?? 0) - (place.get(b) ?? 0))
    return here.slice(Math.max(0, here.length - Math.max(0, count - max)))
  })
}

/** A demand on groups, and the items it is about as a condition on `t`. */
interface GroupDemand {
  constraint: Constraint
  index: number
  demand: Demand
  grouping: Grouping
  about: Sql
}

/** Whether a change moves the item into a group. Items that were in it before may stay even if it is full. */
function enters(demand: Demand, { when }: Constraint, { before, after }: ItemChange): boolean {
  if (!before) return true
  const ways = [
    ...(kindOf(demand) === 'unique' ? [demand.field, wordIn(demand.value, 'scope')] : [groupedBy(demand)]),
    ...when.flatMap(group => group.condition.map(each => each.leftSide)),
    ...['containerId', 'areaId', 'processId', 'crmId', 'parentId'],
  ]
  if (kindOf(demand) === 'limit' && isClosed(before.statusCategory) !== isClosed(after.statusCategory)) return true
  return ways.some(each => each !== '' && !isDeepStrictEqual(valueIn(before, each), valueIn(after, each)))
}

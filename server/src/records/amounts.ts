import { type Caller, managers, may, type Permission, permission } from '../kernel/access.ts'
import { covers } from '../kernel/access-rule.ts'
import type { Context } from '../kernel/context.ts'
import { OnlyWhere, type PropertyOverrides } from '../kernel/record/record-json.ts'
import { join, raw, type Sql, sql } from '../kernel/sql.ts'
import { wholeChanges } from './history/whole-changes.ts'
import { ownerKind } from './references/owner.ts'

// What work costs and what customers pay for it is for few. The log holds these amounts, so that a change can be undone, and they
// are left out of the records and events of callers who may not read them; lists neither sort nor filter by them.

/** What customers pay: prices and the amounts that they make. */
export const readBill = permission('bill.read', managers)
/** What the work costs the tenant. */
export const readCost = permission('cost.read', managers)

interface Amounts {
  readonly bill: readonly string[]
  readonly cost: readonly string[]
  /** The container of a record, where the permissions may be held; without it, they are those of the tenant. */
  readonly container?: (alias: Sql) => Sql
}

/** The properties of each kind that hold amounts. */
const amounts: Readonly<Record<string, Amounts>> = {
  Rate: { bill: ['bill'], cost: ['cost'], container: r => sql`${r}.container_id` },
  Multiplier: {
    bill: ['bill'],
    cost: ['cost'],
    container: m => sql`(case when ${m}.owner = ${ownerKind.container} then ${m}.owner_id::uuid end)`,
  },
  Time: {
    bill: ['billRate', 'billAmount', 'multiplier', 'multiplierId', 'invoiceId', 'billedSeconds'],
    cost: ['costRate', 'costAmount', 'costMultiplier', 'costMultiplierId'],
    container: t => sql`${t}.container_id`,
  },
  Sku: { bill: [], cost: ['cost'] },
}

/** The properties of a kind that hold amounts, for its declaration. */
export function amountsOf(entity: string): string[] {
  const { bill = [], cost = [] } = amounts[entity] ?? {}
  return [...bill, ...cost]
}

/** The amounts of a kind that the caller does not see in every record. */
export function hiddenAmounts(caller: Caller, entity: string): string[] {
  const { bill = [], cost = [] } = amounts[entity] ?? {}
  const hidden = (wanted: Permission, some: readonly string[]) =>
    some.length === 0 || reachOf(caller, wanted) === 'everywhere' ? [] : some
  return [...hidden(readBill, bill), ...hidden(readCost, cost)]
}

/** Leaves the amounts out of the records of a kind where the caller may not read them, for `ofTenant`. */
export async function withoutAmounts({ caller }: Context, entity: string): Promise<PropertyOverrides | undefined> {
  const { bill = [], cost = [], container } = amounts[entity] ?? {}
  const entries = [[readBill, bill] as const, [readCost, cost] as const].flatMap(([wanted, properties]) => {
    const reach = container ? reachOf(caller, wanted) : may(caller, wanted) ? 'everywhere' : 'nowhere'
    if (reach === 'everywhere') return []
    const shown = reach === 'nowhere' || !container ? undefined : new OnlyWhere(row => reach(container(row)))
    return properties.map(property => [property, shown] as const)
  })
  return entries.length > 0 ? Object.fromEntries(entries) : undefined
}

/** The condition on the container of a record under which the caller may read its amounts, for sums. */
export function readableIn(caller: Caller, wanted: Permission, container: Sql): Sql {
  const reach = reachOf(caller, wanted)
  if (reach === 'everywhere' || reach === 'nowhere') return raw(String(reach === 'everywhere'))
  return sql`(${reach(container)}) is true`
}

/** Whether the caller may read such amounts in some container at least. */
export const readsSomewhere = (caller: Caller, wanted: Permission): boolean => reachOf(caller, wanted) !== 'nowhere'

/** Where the caller holds a permission: a condition on the container of a record, unless it is the same for all. */
function reachOf(caller: Caller, wanted: Permission): 'everywhere' | 'nowhere' | ((container: Sql) => Sql) {
  const { places, rules } = caller.authority
  const named = new Set([
    ...[...places.container].filter(([, held]) => wanted.roles.some(role => held.has(role))).map(([id]) => id),
    ...rules.filter(rule => rule.scope === 'container' && covers(rule, wanted)).flatMap(rule => rule.placeIds),
  ])
  const inTenant = may(caller, wanted)
  const others = [...named].filter(containerId => may(caller, wanted, { containerId }) !== inTenant)
  if (others.length === 0) return inTenant ? 'everywhere' : 'nowhere'
  return inTenant
    ? container => sql`(${container} = any(${others}::uuid[])) is not true`
    : container => sql`${container} = any(${others}::uuid[])`
}

/** The changes of event `e`, all or those given, without the amounts that the caller does not see. */
export function changesShown(caller: Caller, changes: Sql = wholeChanges): Sql {
  const cases = Object.keys(amounts)
    .map(entity => [entity, hiddenAmounts(caller, entity)] as const)
    .filter(([, hidden]) => hidden.length > 0)
    .map(([entity, hidden]) => sql`when ${entity} then ${changes} - ${hidden}::text[]`)
  return cases.length > 0 ? sql`case e.entity ${join(cases, ' ')} else ${changes} end` : changes
}

/** The same for an event that was read already, or for what is made of one. */
export function withChangesShown<E extends { entity: string; changes?: unknown }>(caller: Caller, event: E): E {
  const { entity, changes } = event
  const hidden = changes === undefined ? [] : hiddenAmounts(caller, entity)
  if (hidden.length === 0 || changes === null || typeof changes !== 'object') return event
  const shown = Object.entries(changes).filter(([property]) => !hidden.includes(property))
  return { ...event, changes: Object.fromEntries(shown) }
}

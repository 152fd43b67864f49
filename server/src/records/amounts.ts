import { type Caller, managers, may, permission } from '../kernel/access.ts'
import type { Context } from '../kernel/context.ts'
import type { PropertyOverrides } from '../kernel/record/record-json.ts'
import { join, raw, type Sql, sql } from '../kernel/sql.ts'

// What work costs and what customers pay for it is for few. The log holds these amounts, so that a change can be undone, and they
// are left out of the records and events of callers who may not read them; lists neither sort nor filter by them.

/** What customers pay: prices and the amounts that they make. */
export const readBill = permission('bill.read', managers)
/** What the work costs the tenant. */
export const readCost = permission('cost.read', managers)

/** The properties of each kind that hold amounts. */
const amounts: Readonly<Record<string, { readonly bill: readonly string[]; readonly cost: readonly string[] }>> = {
  Rate: { bill: ['bill'], cost: ['cost'] },
  Multiplier: { bill: ['bill'], cost: ['cost'] },
  Time: {
    bill: ['billRate', 'billAmount', 'multiplier', 'multiplierId', 'invoiceId', 'billedSeconds'],
    cost: ['costRate', 'costAmount', 'costMultiplier', 'costMultiplierId'],
  },
  Sku: { bill: [], cost: ['cost'] },
}

/** The properties of a kind that hold amounts, for its declaration. */
export function amountsOf(entity: string): string[] {
  const { bill = [], cost = [] } = amounts[entity] ?? {}
  return [...bill, ...cost]
}

/** The amounts of a kind that the caller does not see. */
export function hiddenAmounts(caller: Caller, entity: string): string[] {
  const { bill = [], cost = [] } = amounts[entity] ?? {}
  return [...(may(caller, readBill) ? [] : bill), ...(may(caller, readCost) ? [] : cost)]
}

/** Leaves the amounts out of the records of a kind, for `ofTenant`. */
export async function withoutAmounts({ caller }: Context, entity: string): Promise<PropertyOverrides | undefined> {
  const hidden = hiddenAmounts(caller, entity)
  return hidden.length > 0 ? Object.fromEntries(hidden.map(property => [property, undefined])) : undefined
}

/** The changes of event `e` without the amounts that the caller does not see. */
export function changesShown(caller: Caller): Sql {
  const cases = Object.keys(amounts)
    .map(entity => [entity, hiddenAmounts(caller, entity)] as const)
    .filter(([, hidden]) => hidden.length > 0)
    .map(([entity, hidden]) => sql`when ${entity} then e.changes - ${hidden}::text[]`)
  return cases.length > 0 ? sql`case e.entity ${join(cases, ' ')} else e.changes end` : raw('e.changes')
}

/** The same for an event that was read already, or for what is made of one. */
export function withChangesShown<E extends { entity: string; changes?: unknown }>(caller: Caller, event: E): E {
  const { entity, changes } = event
  const hidden = changes === undefined ? [] : hiddenAmounts(caller, entity)
  if (hidden.length === 0 || changes === null || typeof changes !== 'object') return event
  const shown = Object.entries(changes).filter(([property]) => !hidden.includes(property))
  return { ...event, changes: Object.fromEntries(shown) }
}

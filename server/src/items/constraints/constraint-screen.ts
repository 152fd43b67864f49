import { activeConstraints, demandsOf, plainName } from '../../containers/constraint/constraint.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { join, sql } from '../../kernel/sql.ts'
import { severities } from '../../time/time-limits.ts'
import type { Item } from '../item/item.ts'
import { kindOf, propertyOf } from './constraint-demands.ts'
import { demandContext, itemsInScope } from './constraints.ts'

/** The demands of constraints on the fields of an item, by the id of the field or the name of the property. */
export interface ScreenDemands {
  required: ReadonlySet<string>
  readOnly: ReadonlySet<string>
  hidden: ReadonlySet<string>
  allowed: ReadonlyMap<string, unknown[]>
}

/** The demands are shown with the item, so that users know them before a change is refused. One statement for all constraints. */
export async function screenDemands(ctx: Context, item: Item): Promise<ScreenDemands> {
  const demands = {
    required: new Set<Id>(),
    readOnly: new Set<Id>(),
    hidden: new Set<Id>(),
    allowed: new Map<Id, unknown[]>(),
  }
  const all = (await activeConstraints(ctx)).filter(({ severity }) => severity === severities.refuse)
  if (all.length === 0) return demands
  const context = await demandContext(ctx)
  const columns = all.map(each => sql`(${itemsInScope(ctx, context, each)}) is true`)
  const [row] = await ctx.sql<{ holds: boolean[] }>`select array[${join(columns)}]::boolean[] as holds
    from item t where t.tenant_id = ${ctx.caller.tenantId} and t.id = ${item.id}`
  for (const demand of all.filter((_, i) => row?.holds[i]).flatMap(demandsOf)) {
    const name = context.fieldOf(demand.field)?.id ?? propertyOf(demand.field) ?? plainName(demand.field)
    const kind = kindOf(demand)
    if (kind === 'required' || kind === 'readOnly' || kind === 'hidden') demands[kind].add(name)
    if (kind === 'allowed') demands.allowed.set(name, [demand.value].flat())
  }
  return demands
}
